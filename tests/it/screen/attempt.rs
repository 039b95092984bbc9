//! The workbench of an attempt on real terminals: what is typed into its forms, whatever ends meanwhile.

use nix::sys::signal::Signal;
use vosim_tests::{Terminal, TestDaemon};

use crate::support::{log, wait_for};

const CTRL_O: &str = "\x0f";
const CTRL_S: &str = "\x13";

#[test]
fn what_is_typed_into_a_form_outlives_its_terminal_its_daemon_and_an_editor() {
    let mut daemon = TestDaemon::start();
    daemon.ctl("attempt start --no-file --mode beginner").ok();
    let mut killed = Terminal::start(daemon.home(), "attach --as candidate");
    killed.shows("Explain the problem");
    killed.types("It keeps keys");
    killed.types("\x1b[200~,\n# those used 漢字\x1b[201~");
    killed.shows("# those used 漢字");
    killed.resize((60, 20));
    killed.shows("# those used 漢字");
    // Another terminal shows what is on disk.
    let mut screen = Terminal::start_sized(daemon.home(), "attach --as candidate", (200, 50));
    screen.shows("# those used 漢字");
    killed.signal(Signal::SIGKILL);
    killed.end();
    daemon.kill();
    screen.shows("CONNECTION LOST");
    screen.types(" last");
    screen.types(CTRL_S);
    screen.shows("Waiting for the connection");
    daemon.start_again();
    screen.shows("Answer a question");
    let submitted = wait_for(&daemon, "UNDERSTANDING_SUBMITTED");
    assert_eq!(submitted.payload["explanation"], "It keeps keys,\n# those used 漢字 last");
    screen.signal(Signal::SIGTERM);
    screen.end();
    daemon.home().file("editor.sh", "printf 'by the editor\\n' >> \"$1\"\n");
    let mut shell = Terminal::shell(daemon.home());
    shell.line("EDITOR='sh editor.sh' vosimctl --no-start attach --as candidate");
    shell.shows("Answer a question");
    shell.types(CTRL_O);
    shell.shows("by the editor");
    shell.types(CTRL_S);
    let answered = wait_for(&daemon, "UNDERSTANDING_ANSWERED");
    assert_eq!(answered.payload["answer"], "by the editor");
    let given =
        log(&daemon).into_iter().filter(|record| record.event_type == "UNDERSTANDING_ANSWERED");
    assert_eq!(given.count(), 1);
}
