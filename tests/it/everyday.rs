//! What somebody types next without having read anything: help, a page of the manual, Tab, a list that is
//! narrowed, the code of before, a run that is called off.

use std::fs::{self, File};
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::Output;

use vosim_protocol::EventId;
use vosim_protocol::wire::Json;
use vosim_tests::{CORRECT, Ctl, Home, TestDaemon, WRONG, program};

use crate::support::{current, types, wait_for};

#[test]
fn help_is_there_however_it_is_asked_for() {
    let home = Home::new();
    let ctl = |words: &[&str]| Ctl::new(&home, words).run();
    let help = ctl(&["--help"]);
    assert_eq!(ctl(&["help"]).ok(), help.ok());
    assert!(
        help.ok().contains("\n  help         Show this help, or that of a command\n"),
        "{help}"
    );
    assert_eq!(ctl(&["help", "start"]).ok(), ctl(&["start", "--help"]).ok());
    assert_eq!(ctl(&["attempt", "help", "plan"]).ok(), ctl(&["attempt", "plan", "--help"]).ok());
    for unknown in [&["frobnicate"][..], &["help", "frobnicate"]] {
        let refused = ctl(unknown);
        let told = "Error: Unrecognized subcommand 'frobnicate'\nSee: vosimctl --help\n";
        assert!(refused.refused().ends_with(told), "{refused}");
    }
    assert_eq!(ctl(&["version"]).ok(), ctl(&["--version"]).ok());
    assert_eq!(ctl(&["version", "--json"]).json()[0]["name"], "vosimctl");
    // Without a command it is a mistake, and what helps stands where it is read page by page.
    let bare = Ctl::program(&home, "vosimctl", [""; 0]).run();
    assert_eq!((bare.status, bare.stderr.as_str()), (1, ""), "{bare}");
    assert!(bare.stdout.contains("Practice:"), "{bare}");
}

#[test]
fn help_that_cannot_be_written_is_no_success() {
    let home = Home::new();
    for words in [&["--help"][..], &["help"], &["--version"], &["version"], &[]] {
        let full = File::options().write(true).open("/dev/full").unwrap();
        let ran = home.program("vosimctl").args(words).stdout(full).output().unwrap();
        assert_eq!(ran.status.code(), Some(1), "{words:?}");
        let said = String::from_utf8(ran.stderr).unwrap();
        let told = "Error: Cannot write the output: the disk is full\n";
        assert!(said.ends_with(told) && said.lines().count() == 1, "{words:?}: {said}");
    }
}

/// What a shell is offered for the last of these words.
fn offered(home: &Home, words: &[&str]) -> Vec<String> {
    let mut asks = home.program("vosimctl");
    let ran = asks.env("VOSIMCTL_COMPLETE", "fish").args(["--", "vosimctl"]).args(words).output();
    let ran: Output = ran.unwrap();
    assert!(ran.status.success() && ran.stderr.is_empty(), "{words:?}: {ran:?}");
    let text = String::from_utf8(ran.stdout).unwrap();
    text.lines().map(|line| line.split('\t').next().unwrap().to_owned()).collect()
}

#[test]
fn a_shell_is_offered_what_there_is() {
    let mut daemon = TestDaemon::start();
    daemon.ctl("start --no-file").ok();
    daemon.home().file("a.py", WRONG.text());
    daemon.ctl("submit a.py").ok();
    wait_for(&daemon, "AGENT_RESPONSE");
    // The first who asks has all packages read, for which a shell on a busy machine does not wait.
    daemon.ctl("problems list").ok();
    let short = current(&daemon).short();
    let has = |words: &[&str], wanted: &str| {
        let found = offered(daemon.home(), words);
        assert!(found.iter().any(|one| one == wanted), "{words:?}: {wanted} in {found:?}");
    };
    has(&["sta"], "start");
    has(&["sta"], "status");
    has(&["attempt", "und"], "understand");
    has(&["use", ""], &short);
    has(&["log", "--session", &short[..3]], &short);
    has(&["start", "lru"], "lru_cache");
    has(&["interview", "start", "--problem", "bea"], "beacon_ring");
    has(&["interview", "start", "--schema", ""], "short");
    has(&["attach", "--as", ""], "interviewer");
    has(&["start", "--language", "type"], "typescript");
    has(&["export", "--bundle", ""], "replay");
    has(&["list", "--kind", ""], "interview");
    has(&["list", "--state", "aw"], "awaiting_action");
    has(&["code", ""], "1");
    has(&["why", ""], "5");
    has(&["submit", ""], "a.py");
    has(&["result", ""], "1");
    // Numbers are those of the session that the line names.
    daemon.ctl("start --new --no-file").ok();
    let found = offered(daemon.home(), &["code", ""]);
    assert!(!found.iter().any(|one| one == "1"), "{found:?}");
    has(&["--session", &short, "code", ""], "1");
    has(&["why", "--session", &short, ""], "5");
    // Nobody starts a daemon by pressing Tab.
    daemon.stop();
    let found = offered(daemon.home(), &["use", ""]);
    assert!(found.iter().all(|one| one.starts_with("--")), "options alone: {found:?}");
    assert!(daemon.ctl("status").refused().contains("not running"));
}

/// The words that help lists for a command, each with the words before it.
fn commands(home: &Home, before: &[String], all: &mut Vec<Vec<String>>) {
    let help = Ctl::new(home, before.iter().map(String::as_str).chain(["--help"])).run();
    let text = help.ok().split("\nOptions:").next().unwrap().to_owned();
    let listed = text.lines().filter_map(|line| line.strip_prefix("  "));
    for line in listed.filter(|line| line.starts_with(|c: char| c.is_ascii_lowercase())) {
        let Some(name) = line.split_whitespace().next().filter(|name| *name != "help") else {
            continue;
        };
        let words = [before, &[name.to_owned()]].concat();
        all.push(words.clone());
        if before.is_empty() {
            commands(home, &words, all);
        }
    }
}

/// Every page is there, and says what its command is called and takes.
#[track_caller]
fn has_pages(home: &Home, pages: &Path) {
    let mut all = vec![Vec::new()];
    commands(home, &[], &mut all);
    assert!(all.len() > 60, "{all:?}");
    for words in all {
        let name = [&["vosimctl".to_owned()], &words[..]].concat().join("-");
        let page = fs::read_to_string(pages.join(format!("{name}.1")));
        let page = page.unwrap_or_else(|error| panic!("{name}.1: {error}"));
        assert!(
            page.contains(".SH SYNOPSIS") && page.contains(&name.replace('-', "\\-")),
            "{page}"
        );
    }
}

#[test]
fn an_installation_has_a_page_of_every_command_and_completes_in_every_shell() {
    let home = Home::new();
    let make = |target: &str| {
        let project = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
        let stage = format!("DESTDIR={}", home.path().join("stage").display());
        let vosimctl = format!("VOSIMCTL={}", program("vosimctl").display());
        let words = ["--silent", target, &stage, &vosimctl, "PREFIX=/opt/two words"];
        let ran = home.system("make").arg("-C").arg(project).args(words).output().unwrap();
        assert!(ran.status.success(), "{target}: {}", String::from_utf8_lossy(&ran.stderr));
    };
    make("install-manual");
    let share = home.path().join("stage/opt/two words/share");
    has_pages(&home, &share.join("man/man1"));
    let scripts = [
        "bash-completion/completions/vosimctl",
        "zsh/site-functions/_vosimctl",
        "fish/vendor_completions.d/vosimctl.fish",
    ];
    for script in scripts {
        let path = share.join(script);
        let text = fs::read_to_string(&path).unwrap();
        assert!(text.contains("VOSIMCTL_COMPLETE="), "{script}: {text}");
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o644, "{script}");
    }
    let own = share.join("man/man1/another.1");
    fs::write(&own, "").unwrap();
    make("uninstall");
    assert_eq!(fs::read_dir(share.join("man/man1")).unwrap().count(), 1);
    assert!(own.exists(), "what others have put there stays");
    assert!(scripts.iter().all(|script| !share.join(script).exists()));
}

/// The script is what bash runs when somebody presses Tab.
#[test]
fn bash_completes_by_the_script_that_is_printed() {
    let home = Home::new();
    let script = Ctl::new(&home, ["completions", "bash"]).run().ok().to_owned();
    let programs = program("vosimctl").parent().unwrap().display().to_string();
    let asks = format!(
        "PATH={programs}:$PATH\n{script}\nCOMP_WORDS=(vosimctl attempt und) COMP_CWORD=2 COMP_TYPE=9\n\
         _clap_complete_vosimctl vosimctl und attempt\nprintf '%s' \"${{COMPREPLY[*]}}\""
    );
    let ran = home.system("bash").args(["--norc", "-c", &asks]).output().unwrap();
    assert_eq!(String::from_utf8(ran.stdout).unwrap(), "understand");
}

#[test]
fn a_list_says_how_each_session_stands_and_can_be_narrowed() {
    let daemon = TestDaemon::start();
    daemon.ctl("start --no-file").ok();
    daemon.home().file("a.py", WRONG.text());
    daemon.ctl("submit a.py").ok();
    wait_for(&daemon, "AGENT_RESPONSE");
    daemon.ctl("hint").ok();
    // What does not fit beside the time goes on below it.
    let joined = |list: &str| list.split_whitespace().collect::<Vec<_>>().join(" ");
    let list = daemon.ctl("list");
    assert!(joined(list.ok()).contains("/12 passed, 1 submission, 1 hint ("), "{list}");
    daemon.home().file("b.py", CORRECT.text());
    daemon.ctl("submit b.py").ok();
    daemon.ctl("end").ok();
    daemon.ctl("interview start --no-watch --new").ok();
    let list = daemon.ctl("list");
    let joined = joined(list.ok());
    assert!(joined.contains("solved with hints, 12/12 passed, 2 submissions, 1 hint ("), "{list}");
    let kinds = |words: &str| -> Vec<Json> {
        let listed = daemon.ctl(&format!("list --json {words}")).json();
        listed.into_iter().map(|head| head["kind"].clone()).collect()
    };
    assert_eq!(kinds(""), ["interview", "drill"]);
    assert_eq!(kinds("--kind drill"), ["drill"]);
    assert_eq!(kinds("--state open"), ["interview"]);
    assert_eq!(kinds("--state ended --result hinted"), ["drill"]);
    assert_eq!(kinds("--result solved"), ["drill"]);
    assert_eq!(kinds("--problem lru_cache --result none"), ["interview"]);
    assert_eq!(kinds("--problem beacon_ring"), Vec::<Json>::new());
    assert!(daemon.ctl("list --problem beacon_ring").ok().contains("No session is like that."));
    daemon.ctl("list --kind quiz").refused();
}

#[test]
fn the_code_of_every_submission_is_had_again_byte_by_byte() {
    let daemon = TestDaemon::start();
    daemon.ctl("start --no-file").ok();
    daemon.ctl("code").refused();
    let long = format!("{}\r\nx = '{}'  # \u{1b}[2J", WRONG.text(), "y".repeat(300));
    for (name, text) in [("a.py", &long), ("b.py", &CORRECT.text())] {
        daemon.home().file(name, text);
        daemon.ctl(&format!("submit {name}")).ok();
    }
    // Each byte of it, also of what has no end of line.
    let printed = |words: &[&str]| {
        let ran = daemon.home().program("vosimctl").args(words).output().unwrap();
        assert!(ran.status.success(), "{words:?}: {ran:?}");
        String::from_utf8(ran.stdout).unwrap()
    };
    assert_eq!(printed(&["code", "1"]), long);
    assert_eq!(printed(&["code"]), CORRECT.text());
    assert_eq!(daemon.ctl("code 2 --json").json()[0]["code"], CORRECT.text().as_str());
    assert!(daemon.ctl("code 3").refused().contains("There is no submission 3"));
}

#[test]
fn why_without_a_number_takes_the_last_decision_and_says_which_it_is() {
    let daemon = TestDaemon::start();
    daemon.ctl("start --no-file").ok();
    daemon.home().file("a.py", WRONG.text());
    daemon.ctl("submit a.py").ok();
    wait_for(&daemon, "AGENT_RESPONSE");
    daemon.ctl("hint").ok();
    let why = daemon.ctl("why");
    assert!(why.ok().contains(": HINT_GIVEN\n") && why.ok().contains("vosimctl log"), "{why}");
    let id = daemon.ctl("why --json").json()[0]["event_id"].clone();
    let named = daemon.ctl(&format!("why {id}"));
    assert!(why.ok().starts_with(named.ok()), "{why}{named}");
}

#[test]
fn a_run_is_called_off_and_counts_for_nothing() {
    let daemon = TestDaemon::start();
    daemon.ctl("start --no-file").ok();
    assert!(daemon.ctl("cancel").ok().contains("Nothing is being judged."));
    let mut wire = daemon.wire();
    wire.subscribe(current(&daemon), EventId::ZERO);
    // The first waits until its inputs are drawn, the second one is judged at once.
    for name in ["first.py", "second.py"] {
        // It computes nothing, so that nobody's time is spent but its own.
        let slow = format!("import time  # {name}\ntime.sleep(9)\n{}", CORRECT.text());
        daemon.home().file(name, slow);
        let submits = Ctl::new(daemon.home(), ["submit", name]).spawn();
        wire.wait_for_event("CODE_SUBMITTED");
        assert!(daemon.ctl("cancel").ok().contains("Cancelled; it counts for nothing."));
        let ended = submits.end();
        // What was printed before stands there.
        assert_eq!(ended.status, 1, "{ended}");
        assert!(ended.stderr.contains("it was cancelled"), "{ended}");
        assert!(!ended.stdout.contains("Evaluation Result"), "{ended}");
    }
    assert!(!types(&daemon).contains(&"EVAL_RESULT".to_owned()));
    assert!(daemon.ctl("status").ok().contains("Attempts: 0"));
    daemon.home().file("a.py", CORRECT.text());
    assert!(daemon.ctl("submit a.py").ok().contains("Submission: 1"));
    assert!(daemon.ctl("replay --verify").ok().contains("all as in the log"));
}

/// They are drawn by `make picture` from real runs.
#[test]
fn the_pictures_of_the_readme_fit_a_screen_and_depend_on_no_font() {
    let project = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let readme = fs::read_to_string(project.join("README.md")).unwrap();
    for picture in ["drill", "interview"] {
        assert!(readme.contains(&format!("(docs/{picture}.svg)")), "{picture}");
        let svg = fs::read_to_string(project.join(format!("docs/{picture}.svg"))).unwrap();
        let height = svg.split("height=\"").nth(1).and_then(|rest| rest.split('"').next());
        let height: u32 = height.unwrap().parse().unwrap();
        // 40 lines of 17 and the edges.
        assert!(height <= 40 * 17 + 48, "{picture}: {height}");
        assert!(
            !svg.contains(|c| "─│╭╮╰╯├┤".contains(c)),
            "{picture}: frames are drawn, not written"
        );
        assert!(svg.contains("vosimctl"), "{picture}");
    }
}
