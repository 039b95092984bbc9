//! Any bytes as a request to the real helper: it answers once and is gone, and where it says that
//! nothing was run, nothing was.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};

use serde_json::{Value, json};
use vosim_fuzz::proptest::prelude::*;
use vosim_fuzz::proptest::sample::select;
use vosim_fuzz::{Fails, Input, Target, near};
use vosim_sandbox_spec::{Level, Mount, RunReport, RunSpec, Standby, Usage, Verdict};

use crate::harness::{Helper, run, spec};

/// The mark that the program writes to its channel as soon as it runs.
const MARK: &str = "it runs";

/// Longest line that the daemon reads.
const REPORT_MAX: usize = 16 * 1024 * 1024;

/// Names and texts that a run may be confused by.
const WORDS: &[&str] = &[
    "argv",
    "env",
    "files",
    "mounts",
    "path",
    "writable",
    "stdin",
    "channel",
    "limits",
    "cpu_ms",
    "wall_ms",
    "idle_ms",
    "memory",
    "memory_by",
    "output_keep",
    "output_max",
    "processes",
    "open_files",
    "file_size",
    "require_level",
    "standby",
    "wait_ms",
    "A",
    "B",
    "C",
    "D",
    "data",
    "/",
    "//",
    "/..",
    "/usr/../usr",
    "/usr/bin",
    "/usr/bin/true",
    "/usr/bin/no-such-program",
    "/etc",
    "/etc/passwd",
    "/proc",
    "/proc/self/fd/0",
    "/proc/self/exe",
    "/dev",
    "/dev/null",
    "/dev/full",
    "/sys",
    "/work",
    "/tmp",
    "/tmp/no/such/folder",
    "/lib/..",
    "usr/bin/true",
    "a\0b",
    "A=B",
    "",
    "LD_PRELOAD",
    "passwd",
    "solution.py",
    "a/b",
    "..",
    "true",
];

/// Requests whose program says that it runs.
fn valid() -> BoxedStrategy<Value> {
    let extra = select(&[None, Some("/etc/hostname"), Some("/usr/share")]);
    let parts = (any::<bool>(), any::<bool>(), "[ -~]{0,20}", extra, select(&[0, 1 << 20]));
    let request = parts.prop_map(|(data, waits, text, extra, file_size)| {
        let mut spec = RunSpec { channel: true, ..spec("") };
        let program = format!("printf '{MARK}' >&3");
        spec.argv = ["/bin/sh", "-c", &program].map(str::to_owned).to_vec();
        spec.files = [("a b.py".to_owned(), text.into())].into();
        spec.limits.file_size = file_size;
        if let Some(path) = extra.filter(|path| std::path::Path::new(path).exists()) {
            spec.mounts.push(Mount { path: path.into(), writable: false });
        }
        spec.standby = waits.then_some(Standby { wait_ms: 60_000, cpu_ms: 1000 });
        let mut json = serde_json::to_value(spec).unwrap();
        if data {
            json["limits"]["memory_by"] = json!("data");
        }
        json
    });
    request.boxed()
}

fn answers(input: &Input, level: Level) -> Fails {
    let mut helper = Helper::start();
    // With the go signal for a program on standby. A helper that has read enough may be gone before
    // the rest is written.
    helper.control.write_all(&[&input.line(), b"{}\n".as_slice()].concat()).ok();
    let mut said = String::new();
    let mut control = BufReader::new(&helper.control);
    control.read_line(&mut said).unwrap();
    prop_assert!(helper.child.wait().unwrap().success());
    let mut more = String::new();
    control.read_to_string(&mut more).ok();
    prop_assert_eq!(more, "", "one line is the answer");
    let report: RunReport = serde_json::from_str(&said)
        .map_err(|error| TestCaseError::fail(format!("{error}: {said:?}")))?;
    let error = report.error.as_deref().unwrap_or_default();
    prop_assert!(said.len() < REPORT_MAX && error.len() < 4096, "{} bytes are said", said.len());
    let heard = helper.channel_text();
    match report.verdict {
        Verdict::Internal | Verdict::NotStarted => {
            prop_assert!(!input.is_sound(), "a sound request was not run: {:?}", report);
            prop_assert!(!error.is_empty(), "no reason: {:?}", report);
            prop_assert_eq!((heard.as_str(), report.usage), ("", Usage::default()));
            Ok("refused")
        }
        Verdict::Ok | Verdict::Exit | Verdict::Signal | Verdict::Limit { .. } => {
            prop_assert_eq!((report.error, report.level), (None, level));
            prop_assert!(heard == MARK || !input.is_sound(), "{heard:?}");
            Ok("run")
        }
    }
}

#[test]
fn any_request_is_answered_once_and_what_is_refused_never_runs() {
    let target = Target { name: "sandbox-helper", inputs: 80, outcomes: &["run", "refused"] };
    // A request may be wrong in any way; that does not make the isolation weaker.
    let level = run(&spec("pass")).level;
    target.run(&near(valid(), WORDS), |input| answers(&input, level));
}
