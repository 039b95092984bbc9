//! What a command costs on the wire, and what it takes to do without vosimctl.

use std::io::{BufRead as _, BufReader, Write as _};
use std::net::Shutdown;
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use vosim_needs::{Need, needs};
use vosim_protocol::wire::Json;
use vosim_tests::{Ctl, TestDaemon, WRONG};

use crate::support::wait_for;

/// A socket in front of the daemon's that writes down what is asked for.
struct Counting {
    socket: PathBuf,
    asked: Arc<Mutex<Vec<String>>>,
}

impl Counting {
    fn of(daemon: &TestDaemon) -> Self {
        let socket = daemon.home().path().join("counting");
        let listener = UnixListener::bind(&socket).unwrap();
        let asked = Arc::new(Mutex::new(Vec::new()));
        let (behind, written) = (daemon.socket(), Arc::clone(&asked));
        std::thread::spawn(move || {
            for client in listener.incoming() {
                let (client, daemon) = (client.unwrap(), UnixStream::connect(&behind).unwrap());
                let (back, answers) = (client.try_clone().unwrap(), daemon.try_clone().unwrap());
                let written = Arc::clone(&written);
                std::thread::spawn(move || copy(answers, back, |_| {}));
                std::thread::spawn(move || {
                    copy(client, daemon, |line| {
                        let frame: Json = serde_json::from_slice(line).unwrap();
                        written.lock().unwrap().push(frame["method"].as_str().unwrap().to_owned());
                    });
                });
            }
        });
        Self { socket, asked }
    }

    /// What a call of vosimctl asks for, the handshake left out.
    fn asks(&self, command: Ctl) -> Vec<String> {
        self.asked.lock().unwrap().clear();
        command.env("VOSIM_SOCKET", &self.socket).run().ok();
        let asked = self.asked.lock().unwrap();
        asked.iter().filter(|method| *method != "hello").cloned().collect()
    }
}

fn copy(from: UnixStream, mut to: UnixStream, mut seen: impl FnMut(&[u8])) {
    let mut lines = BufReader::new(from);
    let mut line = Vec::new();
    while lines.read_until(b'\n', &mut line).is_ok_and(|bytes| bytes > 0) {
        seen(&line);
        if to.write_all(&line).is_err() {
            break;
        }
        line.clear();
    }
    // The other end may have gone.
    to.shutdown(Shutdown::Write).ok();
}

#[test]
fn a_command_asks_for_no_more_than_it_needs() {
    let daemon = TestDaemon::start();
    let counting = Counting::of(&daemon);
    daemon.home().file("lru_cache.py", WRONG.text());
    let asks = |line: &str| counting.asks(daemon.command(line.split(' ')));
    daemon.ctl("start --no-file").ok();
    assert_eq!(asks("submit lru_cache.py"), ["session.do", "problem.show"]);
    assert_eq!(asks("hint"), ["session.do"]);
    assert_eq!(asks("test lru_cache.py"), ["problem.show", "problem.test"]);

    daemon.ctl("interview start --new --no-watch").ok();
    wait_for(&daemon, "PROMPT_PRESENTED");
    assert_eq!(asks("ask --concept what is amortized cost"), ["session.do"]);
    assert_eq!(asks("say The input is one key and one value."), ["session.do"]);
}

/// The lines of README that speak to the daemon.
fn readme() -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let readme = std::fs::read_to_string(root.join("README.md")).unwrap();
    let (_, part) = readme.split_once("\n## For programs\n").unwrap();
    let (part, _) = part.split_once("\n## ").unwrap();
    let blocks = part.split("```sh\n").skip(1).map(|block| block.split("```").next().unwrap());
    blocks.collect()
}

#[test]
fn what_readme_says_of_socat_and_jq_is_so() {
    let found = |program: &str| {
        let run = std::process::Command::new(program).arg("-h").output();
        run.map(drop).map_err(|error| format!("{program}: {error}"))
    };
    if needs(Need::Socat, found("socat").and_then(|()| found("jq"))).is_none() {
        return;
    }
    let daemon = TestDaemon::start();
    daemon.home().file("lru_cache.py", WRONG.text());
    daemon.ctl("start --no-file").ok();
    let programs = vosim_tests::program("vosimctl");
    let path = std::env::var("PATH").unwrap();
    let path = format!("{}:{path}", programs.parent().unwrap().display());
    let mut shell = daemon.home().system("sh");
    shell.args(["-eu", "-c", &readme()]).env("PATH", path).current_dir(daemon.home().work());
    let ran = shell.output().unwrap();
    let (said, wrong) = (String::from_utf8(ran.stdout).unwrap(), String::from_utf8(ran.stderr));
    assert!(ran.status.success(), "{said}\n{wrong:?}");
    let lines: Vec<_> = said.lines().collect();
    assert!(lines.first().is_some_and(|line| line.ends_with(" tests passed")), "{said}");
    assert!(lines.len() >= 3 && !lines.contains(&"null"), "{said}");
    let log = crate::support::log(&daemon);
    assert!(log.iter().any(|record| record.event_type == "HINT_GIVEN"), "{said}");
}
