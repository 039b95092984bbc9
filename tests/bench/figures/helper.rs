//! `vosim-sandbox` as the daemon starts it: a request line in and a report line out over one socket,
//! the program's channel over another.

use std::collections::BTreeMap;
use std::io::{BufRead as _, BufReader, Write as _};
use std::net::Shutdown;
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use vosim_protocol::v1::problem::Language;
use vosim_sandbox_spec::{Limits, Mount, Network, RunReport, RunSpec, VERSION};
use vosim_tests::program;
use vosimd::evaluator::{Evaluator, Runtime, ToolPaths};

/// The environment that every contender gets, as a driver has it.
pub(crate) const ENV: [(&str, &str); 3] =
    [("MALLOC_ARENA_MAX", "1"), ("LC_ALL", "C.UTF-8"), ("HOME", "/work")];

/// The installed helper.
pub(crate) fn sandbox() -> PathBuf {
    program("vosim-sandbox")
}

/// An evaluator with the installed helper and the caller's own PATH.
pub(crate) fn evaluator() -> Evaluator {
    Evaluator::new(ToolPaths {
        sandbox: Some(sandbox()),
        search_path: std::env::var_os("PATH"),
        ..ToolPaths::default()
    })
}

/// The interpreter itself, past any version manager's shim.
pub(crate) fn runtime(language: Language) -> Option<Runtime> {
    evaluator().runtime(language).ok()
}

/// A request with the limits of a submission.
pub(crate) fn request(argv: &[String], mounts: &[PathBuf]) -> RunSpec {
    RunSpec {
        version: VERSION,
        argv: argv.to_vec(),
        env: ENV.map(|(name, value)| (name.to_owned(), value.to_owned())).into(),
        files: BTreeMap::new(),
        mounts: mounts.iter().map(|path| Mount { path: path.clone(), writable: false }).collect(),
        stdin: None,
        channel: false,
        network: Network::None,
        limits: Limits::submission(),
        standby: None,
        require_level: None,
    }
}

/// A request as it goes over the wire.
pub(crate) fn line(spec: &RunSpec) -> Vec<u8> {
    let mut line = serde_json::to_vec(spec).unwrap();
    line.push(b'\n');
    line
}

/// One helper with its program.
pub(crate) struct Run {
    helper: Child,
    control: UnixStream,
    channel: UnixStream,
}

impl Run {
    pub(crate) fn start(sandbox: &Path, line: &[u8]) -> Self {
        let (mut control, its_control) = UnixStream::pair().unwrap();
        let (channel, its_channel) = UnixStream::pair().unwrap();
        let helper = Command::new(sandbox)
            .env_clear()
            .current_dir("/")
            .stdin(Stdio::from(OwnedFd::from(its_control)))
            .stdout(Stdio::from(OwnedFd::from(its_channel)))
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        control.write_all(line).unwrap();
        Self { helper, control, channel }
    }

    /// The report line; everything inside is over and the helper reaped.
    pub(crate) fn report(mut self) -> Vec<u8> {
        let mut line = Vec::new();
        BufReader::new(&self.control).read_until(b'\n', &mut line).unwrap();
        self.helper.wait().unwrap();
        line
    }

    /// Waits for a line of the program's on its channel.
    pub(crate) fn hear(&self) -> String {
        let mut line = String::new();
        BufReader::new(&self.channel).read_line(&mut line).unwrap();
        line
    }

    /// Ends it, and returns when nobody holds the channel any more and the helper is reaped.
    pub(crate) fn end(mut self) {
        self.control.shutdown(Shutdown::Write).unwrap();
        std::io::copy(&mut &self.channel, &mut std::io::sink()).unwrap();
        self.helper.wait().unwrap();
    }
}

/// The report of a run.
pub(crate) fn read(line: &[u8]) -> RunReport {
    serde_json::from_slice(line).unwrap()
}
