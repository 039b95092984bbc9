//! How one leaves, and what is left on the terminal then.

use std::os::unix::process::ExitStatusExt as _;

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use vosim_tests::{Terminal, keys, text_of};

use super::{READY, begun, candidate};

#[test]
fn ctrl_c_clears_the_line_first_and_leaves_then() {
    let (daemon, _clock) = begun();
    let mut screen = candidate(&daemon);
    screen.types("half a thought");
    screen.shows("> half a thought");
    screen.types(keys::CTRL_C);
    screen.shows(READY);
    screen.types(keys::UP);
    screen.shows("> half a thought");
    screen.types(keys::CTRL_C);
    screen.shows(READY);
    screen.types(keys::CTRL_C);
    assert_eq!(screen.end().code(), Some(0));
    screen.is_given_back();
    assert!(
        screen.text().contains("The interview continues. Come back with:"),
        "{}",
        screen.text()
    );
    assert!(daemon.ctl("status").ok().contains("in progress"));
}

#[test]
fn ctrl_d_and_quit_leave_an_empty_line() {
    let (daemon, _clock) = begun();
    for keys in [keys::CTRL_D, "/quit\r"] {
        let mut screen = candidate(&daemon);
        screen.types(keys);
        assert_eq!(screen.end().code(), Some(0), "{keys:?}");
        screen.is_given_back();
    }
}

#[test]
fn a_signal_gives_the_terminal_back_with_what_was_not_sent_and_ends_by_itself() {
    let (daemon, _clock) = begun();
    let ending =
        [Signal::SIGTERM, Signal::SIGHUP, Signal::SIGQUIT, Signal::SIGABRT, Signal::SIGUSR1];
    for signal in ending {
        let mut screen = candidate(&daemon);
        screen.types("half a thought");
        screen.shows("> half a thought");
        screen.signal(signal);
        let status = screen.end();
        assert_eq!(status.signal(), Some(signal as i32), "{status}");
        screen.is_given_back();
        assert!(screen.text().contains("half a thought"), "{}", screen.text());
    }
    // As Ctrl-C does in line mode.
    let mut screen = candidate(&daemon);
    screen.signal(Signal::SIGINT);
    assert_eq!(screen.end().code(), Some(0));
    screen.is_given_back();
}

#[test]
fn a_window_that_is_closed_ends_the_screen() {
    let (daemon, _clock) = begun();
    let mut screen = candidate(&daemon);
    let watching = Terminal::start(daemon.home(), "attach --as observer");
    watching.shows("1 candidate");
    screen.hang_up();
    let status = screen.end();
    assert_eq!(status.signal(), Some(Signal::SIGHUP as i32), "{status}");
    watching.hides("1 candidate");
}

#[test]
fn a_shell_stops_it_and_lets_it_go_on() {
    let (daemon, _clock) = begun();
    let mut shell = Terminal::shell(daemon.home());
    shell.shows("shell>");
    shell.line("vosimctl --no-start attach --as candidate");
    shell.shows(READY);
    shell.types("half a thought");
    shell.shows("> half a thought");
    shell.types(keys::CTRL_Z);
    shell.shows("Stopped");
    shell
        .wait_for("the shell's page", |screen| !screen.alternate_screen() && !screen.hide_cursor());
    assert!(!shell.text().contains("half a thought"), "{}", shell.text());
    shell.line("echo $((6 * 7)) here");
    shell.shows("42 here");
    shell.line("fg");
    let is_back = |shell: &Terminal| {
        shell.wait_for("the screen with the line that was begun", |screen| {
            screen.alternate_screen() && text_of(screen).contains("> half a thought")
        });
    };
    is_back(&shell);
    // Somebody else stops it: the terminal is given back all the same.
    let of_shell = format!("/proc/{0}/task/{0}/children", shell.pid());
    let children = std::fs::read_to_string(of_shell).unwrap();
    let vosimctl = Pid::from_raw(children.split_whitespace().next().unwrap().parse().unwrap());
    kill(vosimctl, Signal::SIGTSTP).unwrap();
    shell.wait_for("the shell's page with a second stop", |screen| {
        let stops = text_of(screen).matches("Stopped").count();
        !screen.alternate_screen() && !screen.hide_cursor() && stops == 2
    });
    shell.line("fg");
    is_back(&shell);
    shell.types(keys::CTRL_C);
    shell.shows(READY);
    shell.types(keys::CTRL_C);
    shell.shows("The interview continues.");
}
