//! A network that was approved leads outside and to nothing of this machine. This machine and the
//! one outside are namespaces of the test's own, which need `ip` and a `/dev/net/tun`; where those or
//! `slirp4netns` cannot be had, the refusal is what is tested.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::{Command, Stdio};

use tempfile::TempDir;
use vosim_sandbox_spec::{
    ApprovedNetwork, Control, Layer, NO_NETWORK, NOT_INSTALLED, Network, ProbeReport, RunReport,
    RunSpec, Verdict,
};

use crate::harness::{HELPER, Helper, WITHOUT_NAMESPACES, python, run, spec, unprivileged};

/// Where the helper looks for it.
const SLIRP: [&str; 3] = ["/usr/bin/slirp4netns", "/usr/local/bin/slirp4netns", "/bin/slirp4netns"];

const PATH: &str = "/usr/sbin:/usr/bin:/sbin:/bin";

/// What the two machines take of this one.
const TRIAL: &str = "ip link add inner type veth peer name outer && if [ $(id -u) = 0 ]; then \
                     mount -t tmpfs none /dev/net && mknod /dev/net/tun c 10 200; fi && \
                     : <> /dev/net/tun";

fn installed() -> bool {
    SLIRP.iter().any(|path| Path::new(path).is_file())
}

/// A shell in namespaces that end with it, in which it may make devices.
fn apart() -> Command {
    let mut command = Command::new("unshare");
    if !nix::unistd::geteuid().is_root() {
        command.args(["--user", "--map-user=1000", "--map-group=1000", "--keep-caps"]);
    }
    command.args(["--net", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc", "sh"]);
    command.env_clear().env("PATH", PATH).env("PYTHON", python());
    command
}

/// Whether the two machines can be made here.
fn two_machines() -> bool {
    let tried = apart().args(["-c", TRIAL]).stdin(Stdio::null()).stderr(Stdio::null()).status();
    tried.is_ok_and(|status| status.success())
}

fn outside(code: &str) -> RunSpec {
    RunSpec { network: Network::Outside, ..spec(code) }
}

/// Two machines, and what came of them.
struct Stage {
    folder: TempDir,
}

impl Stage {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).unwrap();
        for (name, text) in [
            ("stage.sh", include_str!("../network/stage.sh")),
            ("serve.py", include_str!("../network/serve.py")),
            ("attempts.py", include_str!("../network/attempts.py")),
        ] {
            fs::write(folder.path().join(name), text).unwrap();
        }
        Self { folder }
    }

    /// A helper on the inner machine.
    fn helper(&self, end: &str, words: &[&str]) -> Helper {
        let mut command = apart();
        command.arg(self.folder.path().join("stage.sh")).arg(self.folder.path());
        Helper::start_by(command.args([end, HELPER]).args(words))
    }

    fn run(&self, spec: &RunSpec, words: &[&str]) -> RunReport {
        let mut helper = self.helper("usual", words);
        helper.ask(spec);
        helper.report()
    }

    fn text(&self, name: &str) -> String {
        fs::read_to_string(self.folder.path().join(name)).unwrap_or_default()
    }

    /// Lays down a program in place of `slirp4netns`.
    fn program(&self, script: &str) -> String {
        let path = self.folder.path().join("program");
        fs::write(&path, format!("#!/bin/sh\n{script}\n")).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        path.to_str().unwrap().to_owned()
    }
}

fn refusal(report: &RunReport) -> &str {
    assert_eq!(report.verdict, Verdict::NotStarted, "{report:#?}");
    assert_eq!(report.stdout.bytes, 0, "{report:#?}");
    let why = report.error.as_deref().unwrap_or_default();
    assert!(why.starts_with(NO_NETWORK), "{why}");
    why
}

/// Whether this machine has not what the two take; without `slirp4netns` the run is refused.
fn refused_here() -> bool {
    if !installed() {
        let asked = run(&outside("print('ran')"));
        assert!(refusal(&asked).ends_with(NOT_INSTALLED), "{asked:#?}");
    }
    !installed() || !two_machines()
}

/// The only answers to whoever tries to reach this machine: the kernel's own, or none.
const UNREACHED: [&str; 4] = ["EHOSTUNREACH", "ENETUNREACH", "ECONNREFUSED", "nobody"];

/// What must become of an attempt.
fn wanted(name: &str) -> &'static [&'static str] {
    match name {
        "tcp 198.51.100.1" | "udp 198.51.100.1" | "tcp ::ffff:198.51.100.1" | "named" => {
            &["outside"]
        }
        // Only the filter stops these, and slirp4netns would answer.
        "tcp 10.0.2.3" | "udp 10.0.2.3" | "tcp 10.0.2.4" | "udp 10.0.2.4" => &["nobody"],
        "raw"
        | "echo"
        | "packet"
        | "netlink"
        | "vsock"
        | "unix"
        | "abstract"
        | "path"
        | "bind"
        | "listen"
        | "abstract in a child" => &["EACCES"],
        "options" | "interface" => &["ENOPROTOOPT"],
        "unshare" | "setns" => &["EPERM"],
        "device" => &["ENOENT"],
        "route" => &["ENOTTY"],
        "alive" => &["None"],
        "local" => &["127.0.0.1"],
        "files" => &["group hosts nsswitch.conf passwd resolv.conf"],
        "certificates" if Path::new("/etc/ssl/certs").is_dir() => &["True"],
        "certificates" => &["False"],
        _ => &UNREACHED,
    }
}

#[test]
fn an_approved_network_leads_outside_and_to_nothing_of_this_machine() {
    if refused_here() {
        return;
    }
    let stage = Stage::new();
    let report = stage.run(&outside(include_str!("../network/attempts.py")), &[]);
    assert_eq!(report.verdict, Verdict::Ok, "{report:#?}");
    // Outside of a run each attempt on this machine works.
    let control = stage.text("control");
    assert!(control.lines().count() > 20, "{control}");
    for line in control.lines().filter(|line| !line.starts_with("all:")) {
        assert!(line.ends_with(": here"), "{line}");
    }
    let answers: Vec<_> = report.stdout.head.lines().collect();
    assert!(answers.len() > 60, "{report:#?}");
    for line in answers {
        let (name, answer) = line.rsplit_once(": ").unwrap();
        assert!(wanted(name).contains(&answer), "{line}");
    }
    assert_eq!(stage.text("here"), "", "nobody came");
    assert_eq!(stage.text("outside").lines().count(), 5);
    assert_eq!(stage.text("left"), "", "slirp4netns has ended before its helper");
    let network = report.enforced.iter().find(|line| line.control == Control::Network).unwrap();
    assert_eq!(
        (network.held, network.wanted.as_str()),
        (Layer::Enforced, "outside, without this machine")
    );
}

#[test]
fn a_network_ends_with_a_helper_that_is_killed() {
    if refused_here() {
        return;
    }
    let stage = Stage::new();
    let mut helper = stage.helper("killed", &[]);
    helper.ask(&outside(
        "import socket, time\nwhile True:\n\
         \x20socket.socket(type=socket.SOCK_DGRAM).sendto(b'running', ('198.51.100.1', 7777))\n\
         \x20time.sleep(0.1)",
    ));
    helper.child.wait().unwrap();
    assert!(stage.text("outside").contains("running"));
    assert_eq!(stage.text("before"), "", "it was there");
    assert_eq!(stage.text("left"), "", "it is gone");
}

#[test]
fn a_network_that_cannot_be_had_is_refused_by_its_own_name() {
    let why = |words: &[&str]| {
        let mut helper = Helper::start_by(Command::new(HELPER).args(words).env_clear());
        helper.ask(&outside("print('ran')"));
        refusal(&helper.report()).to_owned()
    };
    let missing = why(&["--slirp4netns", "/nowhere/slirp4netns"]);
    assert_eq!(missing, format!("{NO_NETWORK}: {NOT_INSTALLED}"));
    if !two_machines() {
        // Nobody may open the device here, or nothing leads outside.
        why(&["--slirp4netns", "/bin/false"]);
        return;
    }
    let answers = [
        ("exit 1", "slirp4netns did not start: it has not said why"),
        ("echo one; echo no way >&2; exit 1", "slirp4netns did not start: no way"),
        ("exec sleep 60", "slirp4netns is not ready after 5 s"),
        (
            "for word; do case $word in --ready-fd=*) eval \"echo 1 >&${word#*=}\";; esac; done; \
             exec sleep 60",
            "slirp4netns holds no device to be restricted",
        ),
    ];
    for (script, answer) in answers {
        let stage = Stage::new();
        let program = stage.program(script);
        let report = stage.run(&outside("print('ran')"), &["--slirp4netns", &program]);
        assert_eq!(refusal(&report), format!("{NO_NETWORK}: {answer}"));
    }
}

#[test]
fn without_namespaces_there_is_no_network_and_no_weaker_run() {
    let slirp = [HELPER, "--slirp4netns", "/bin/false"];
    let mut command = unprivileged(&[&WITHOUT_NAMESPACES[..], &slirp].concat());
    let mut helper = Helper::start_by(&mut command);
    helper.ask(&outside("print('ran')"));
    let report = helper.report();
    assert!(refusal(&report).contains("it takes namespaces: making namespaces"), "{report:#?}");
}

#[test]
fn the_probe_says_whether_a_network_can_be_had() {
    let probed = Command::new(HELPER).args(["probe", "--json"]).env_clear().output().unwrap();
    let report: ProbeReport = serde_json::from_slice(&probed.stdout).unwrap();
    let answer = report.approved_network.expect("programs can be run here");
    assert_eq!(answer == ApprovedNetwork::NotInstalled, !installed(), "{answer:?}");
    let asked = run(&outside("print('ran')"));
    assert_eq!(answer == ApprovedNetwork::Given, asked.verdict == Verdict::Ok, "{answer:?}");
}
