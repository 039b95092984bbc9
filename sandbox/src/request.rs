//! Reads and checks the one request line. It refuses what it cannot carry out exactly.

use std::ffi::CString;
use std::io::{BufRead, BufReader, Read};
use std::os::unix::net::UnixStream;
use std::path::{Component, Path};

use vosim_sandbox_spec::{HOLD_MAX_MS, RunSpec, VERSION};

use crate::fault::Fault;

/// Longest request line in bytes; the caller's own limits are far below it.
const REQUEST_MAX: u64 = 8 * 1024 * 1024;

/// A request in the form that exec needs, made before any fork.
#[derive(Debug)]
pub(crate) struct Request {
    pub(crate) spec: RunSpec,
    pub(crate) argv: Vec<CString>,
    pub(crate) env: Vec<CString>,
    /// What the caller has sent right behind it.
    pub(crate) behind: Vec<u8>,
}

/// Reads the request; None when the caller went away without one.
pub(crate) fn read(control: &UnixStream) -> Result<Option<Request>, Fault> {
    let mut line = Vec::new();
    let mut reader = BufReader::new(control.take(REQUEST_MAX + 1));
    reader
        .read_until(b'\n', &mut line)
        .map_err(|error| Fault::Request(format!("reading the request: {error}")))?;
    if line.is_empty() {
        return Ok(None);
    }
    if line.len() as u64 > REQUEST_MAX {
        return Err(Fault::Request(format!("the request is longer than {REQUEST_MAX} bytes")));
    }
    let spec = serde_json::from_slice(&line)
        .map_err(|error| Fault::Request(format!("the request is not a run: {error}")))?;
    check(spec).map(|request| Some(Request { behind: reader.buffer().to_vec(), ..request }))
}

fn check(spec: RunSpec) -> Result<Request, Fault> {
    let refuse = |text: String| Err(Fault::Request(text));
    if spec.version > VERSION {
        return refuse(format!("version {} is newer than mine, {VERSION}", spec.version));
    }
    let Some(program) = spec.argv.first() else { return refuse("argv is empty".to_owned()) };
    let paths = spec.mounts.iter().map(|mount| mount.path.as_path());
    for path in paths.chain([Path::new(program)]) {
        if !plain_absolute(path) {
            return refuse(format!("{} is not a plain absolute path", path.display()));
        }
    }
    if let Some(name) = spec.files.keys().find(|name| !plain_name(name)) {
        return refuse(format!("`{name}` is not a plain file name"));
    }
    if spec.hold.is_some_and(|hold| hold.wait_ms > HOLD_MAX_MS) {
        return refuse(format!("a program is held at most {HOLD_MAX_MS} ms"));
    }
    let argv = strings(spec.argv.iter().cloned())?;
    let pairs = spec.env.iter().map(|(name, value)| format!("{name}={value}"));
    let env = strings(pairs)?;
    Ok(Request { spec, argv, env, behind: Vec::new() })
}

fn plain_absolute(path: &Path) -> bool {
    path.is_absolute()
        && path.components().all(|part| matches!(part, Component::RootDir | Component::Normal(_)))
}

fn plain_name(name: &str) -> bool {
    !name.is_empty() && name != "." && name != ".." && !name.contains(['/', '\0'])
}

fn strings(words: impl Iterator<Item = String>) -> Result<Vec<CString>, Fault> {
    words
        .map(CString::new)
        .collect::<Result<_, _>>()
        .map_err(|_| Fault::Request("a NUL byte in an argument or in the environment".to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use vosim_sandbox_spec::{Hold, Limits, MemoryBy, Mount};

    fn spec() -> RunSpec {
        RunSpec {
            version: VERSION,
            argv: vec!["/bin/true".to_owned()],
            env: [("A".to_owned(), "b".to_owned())].into(),
            files: [("a b.py".to_owned(), String::new())].into(),
            mounts: Vec::new(),
            stdin: None,
            channel: false,
            limits: Limits::submission(),
            hold: None,
            require_level: None,
        }
    }

    fn refusal(change: impl FnOnce(&mut RunSpec)) -> String {
        let mut spec = spec();
        change(&mut spec);
        check(spec).unwrap_err().to_string()
    }

    #[test]
    fn a_sound_request_is_taken_as_it_is() {
        let request = check(spec()).unwrap();
        assert_eq!(request.argv, [c"/bin/true".to_owned()]);
        assert_eq!(request.env, [c"A=b".to_owned()]);
    }

    #[test]
    fn a_request_that_knows_one_measure_of_memory_means_that_one() {
        let text = serde_json::to_string(&spec()).unwrap();
        assert!(!text.contains("memory_by"), "{text}");
        let read: RunSpec = serde_json::from_str(&text).unwrap();
        assert_eq!(read.limits.memory_by, MemoryBy::AddressSpace);
        let with = text.replace("\"memory\":", "\"memory_by\":\"data\",\"memory\":");
        let read: RunSpec = serde_json::from_str(&with).unwrap();
        assert_eq!(read.limits.memory_by, MemoryBy::Data);
    }

    #[test]
    fn what_cannot_be_carried_out_exactly_is_refused() {
        assert!(refusal(|spec| spec.version = VERSION + 1).contains("newer"));
        assert!(refusal(|spec| spec.argv.clear()).contains("empty"));
        assert!(refusal(|spec| spec.argv = vec!["true".to_owned()]).contains("absolute"));
        assert!(refusal(|spec| spec.argv.push("a\0b".to_owned())).contains("NUL"));
        let mount = Mount { path: "/usr/../root".into(), writable: false };
        assert!(refusal(|spec| spec.mounts.push(mount)).contains("absolute"));
        let hold = |wait_ms| Some(Hold { wait_ms, cpu_ms: 1 });
        assert!(refusal(|spec| spec.hold = hold(HOLD_MAX_MS + 1)).contains("held at most"));
        for name in ["", ".", "..", "a/b"] {
            let text = refusal(|spec| drop(spec.files.insert(name.to_owned(), String::new())));
            assert!(text.contains("plain file name"), "{name}: {text}");
        }
    }
}
