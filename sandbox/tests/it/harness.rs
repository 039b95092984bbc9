//! Starts the helper as the daemon does and reads its report. It judges nothing.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use vosim_sandbox_spec::{Limits, MemoryBy, Mount, Network, RunReport, RunSpec, VERSION, Verdict};

/// Long enough for a busy machine; reaching it is a failure.
pub(crate) const PATIENCE: Duration = Duration::from_secs(30);

/// The program under test.
pub(crate) const HELPER: &str = env!("CARGO_BIN_EXE_vosim-sandbox");

/// One helper and the ends of its channels.
pub(crate) struct Helper {
    pub(crate) child: Child,
    pub(crate) control: UnixStream,
    pub(crate) channel: UnixStream,
}

impl Helper {
    pub(crate) fn start() -> Self {
        Self::start_by(Command::new(HELPER).env_clear())
    }

    /// Starts it by a command that ends in becoming the helper.
    pub(crate) fn start_by(command: &mut Command) -> Self {
        let (control, theirs) = UnixStream::pair().unwrap();
        let (channel, its) = UnixStream::pair().unwrap();
        control.set_read_timeout(Some(PATIENCE)).unwrap();
        channel.set_read_timeout(Some(PATIENCE)).unwrap();
        let child = command
            .stdin(Stdio::from(OwnedFd::from(theirs)))
            .stdout(Stdio::from(OwnedFd::from(its)))
            .spawn()
            .unwrap();
        Self { child, control, channel }
    }

    pub(crate) fn ask(&mut self, spec: &RunSpec) {
        let mut line = serde_json::to_vec(spec).unwrap();
        line.push(b'\n');
        self.control.write_all(&line).unwrap();
    }

    pub(crate) fn report(mut self) -> RunReport {
        let mut line = String::new();
        BufReader::new(&self.control).read_line(&mut line).unwrap();
        assert!(self.child.wait().unwrap().success());
        serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line}"))
    }

    /// Returns what the program wrote to its channel, to the end.
    pub(crate) fn channel_text(&mut self) -> String {
        let mut text = String::new();
        self.channel.read_to_string(&mut text).unwrap();
        text
    }
}

/// A Python that the unprivileged account can run too.
pub(crate) fn python() -> &'static str {
    let known = ["/usr/bin/python3", "/usr/local/bin/python3"];
    known.into_iter().find(|path| Path::new(path).exists()).expect("python3 must be installed")
}

/// The shared libraries of the machine and the standard library of its Python.
pub(crate) fn mounts() -> Vec<Mount> {
    ["/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/local/lib"]
        .into_iter()
        .filter(|path| Path::new(path).exists())
        .map(|path| Mount { path: path.into(), writable: false })
        .collect()
}

/// A command as an account that is not root's, which root has to change to.
pub(crate) fn unprivileged(words: &[&str]) -> Command {
    let mut all = words.to_vec();
    if nix::unistd::geteuid().is_root() {
        let drop = ["/usr/bin/setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"];
        all.splice(0..0, drop);
    }
    let mut command = Command::new(all[0]);
    command.args(&all[1..]).env_clear();
    command
}

/// Whether the long form of the tests is asked for.
pub(crate) fn soak() -> bool {
    std::env::var_os("VOSIM_SOAK").is_some()
}

/// Limits that no sound program of these tests comes near.
pub(crate) fn limits() -> Limits {
    Limits {
        cpu_ms: 5_000,
        wall_ms: 10_000,
        idle_ms: 0,
        memory: 256 << 20,
        memory_by: MemoryBy::AddressSpace,
        output_keep: 4096,
        output_max: 1 << 20,
        processes: 16,
        open_files: 32,
        file_size: 0,
        one_core: false,
    }
}

pub(crate) fn spec(code: &str) -> RunSpec {
    let argv = [python(), "-I", "-S", "-c", code].map(str::to_owned).to_vec();
    RunSpec {
        version: VERSION,
        argv,
        env: [("MALLOC_ARENA_MAX".to_owned(), "1".to_owned())].into(),
        files: Default::default(),
        mounts: mounts(),
        stdin: None,
        channel: false,
        network: Network::None,
        limits: limits(),
        standby: None,
        require_level: None,
    }
}

/// Leads to the helper, in a user namespace that allows no further one.
pub(crate) const WITHOUT_NAMESPACES: [&str; 7] = [
    "/usr/bin/unshare",
    "--user",
    "--map-user=1000",
    "--keep-caps",
    "/bin/sh",
    "-c",
    "echo 0 > /proc/sys/user/max_user_namespaces && exec \"$0\" \"$@\"",
];

/// A helper as the account that it would change to, in a namespace without namespaces: level C.
pub(crate) fn level_c_helper() -> Helper {
    Helper::start_by(&mut unprivileged(&[&WITHOUT_NAMESPACES[..], &[HELPER]].concat()))
}

/// Runs one request.
pub(crate) fn run(spec: &RunSpec) -> RunReport {
    let mut helper = Helper::start();
    helper.ask(spec);
    helper.report()
}

/// Runs Python code within changed limits.
pub(crate) fn run_within(code: &str, change: impl FnOnce(&mut Limits)) -> RunReport {
    let mut spec = spec(code);
    change(&mut spec.limits);
    run(&spec)
}

/// Runs Python code that must end well; returns what it printed.
pub(crate) fn printed(code: &str) -> String {
    let report = run(&spec(code));
    assert_eq!(report.verdict, Verdict::Ok, "{report:#?}");
    report.stdout.head.trim_end().to_owned()
}

/// Host numbers of all processes whose command line holds `mark`.
pub(crate) fn alive(mark: &str) -> Vec<u32> {
    let processes = std::fs::read_dir("/proc").unwrap().filter_map(Result::ok);
    let numbers = processes.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    numbers
        .filter(|pid| *pid != std::process::id())
        .filter(|pid| {
            let line = std::fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
            String::from_utf8_lossy(&line).contains(mark)
        })
        .collect()
}

/// Looks again and again until it is so.
pub(crate) fn wait_until(what: &str, mut so: impl FnMut() -> bool) {
    let deadline = Instant::now() + PATIENCE;
    while !so() {
        assert!(Instant::now() < deadline, "still not: {what}");
        std::thread::yield_now();
    }
}
