//! Reads and checks the one request line. A request that cannot be carried out exactly is refused.

use std::ffi::CString;
use std::io::{BufRead, BufReader, Read};
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Component, Path};

use vosim_sandbox_spec::{RunSpec, STANDBY_MAX_MS, VERSION};

use crate::fault::Fault;

/// Longest request line in bytes; the caller's own limits are far below it.
pub(crate) const REQUEST_MAX: u64 = 8 * 1024 * 1024;

/// Most bytes that may be kept of one stream: with every byte escaped, both fit into a report.
const OUTPUT_KEEP_MAX: u64 = 4 * 1024 * 1024;

/// Most files of a run; the private root holds four times as many.
const FILES_MAX: usize = 1024;

/// Longest name of a file in bytes, as on every Linux file system.
const NAME_MAX: usize = 255;

/// A request in the form that exec needs, made before any fork.
#[derive(Debug)]
pub(crate) struct Request {
    pub(crate) spec: RunSpec,
    pub(crate) argv: Vec<CString>,
    pub(crate) env: Vec<CString>,
    /// Bytes that the caller has sent right behind the request.
    pub(crate) behind: Vec<u8>,
}

/// Reads the request; returns None when the caller left without one.
pub(crate) fn read(control: impl Read) -> Result<Option<Request>, Fault> {
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
    if spec.files.len() > FILES_MAX {
        return refuse(format!("a run has at most {FILES_MAX} files"));
    }
    if let Some(name) = spec.files.keys().find(|name| !plain_name(name)) {
        return refuse(format!("`{name}` is not a plain file name"));
    }
    if spec.standby.is_some_and(|standby| standby.wait_ms > STANDBY_MAX_MS) {
        return refuse(format!("a program is on standby at most {STANDBY_MAX_MS} ms"));
    }
    if let Some(name) = spec.env.keys().find(|name| name.is_empty() || name.contains('=')) {
        return refuse(format!("`{name}` is not a name of a variable"));
    }
    if spec.limits.output_keep > OUTPUT_KEEP_MAX {
        return refuse(format!("at most {OUTPUT_KEEP_MAX} bytes are kept of a stream"));
    }
    let argv = strings(spec.argv.iter().cloned())?;
    let pairs = spec.env.iter().map(|(name, value)| format!("{name}={value}"));
    let env = strings(pairs)?;
    Ok(Request { spec, argv, env, behind: Vec::new() })
}

fn plain_absolute(path: &Path) -> bool {
    let bytes = path.as_os_str().as_bytes();
    path.is_absolute()
        && !bytes.contains(&0)
        && path.components().all(|part| matches!(part, Component::RootDir | Component::Normal(_)))
}

pub(crate) fn plain_name(name: &str) -> bool {
    (1..=NAME_MAX).contains(&name.len())
        && name != "."
        && name != ".."
        && !name.contains(['/', '\0'])
}

fn strings(words: impl Iterator<Item = String>) -> Result<Vec<CString>, Fault> {
    words
        .map(CString::new)
        .collect::<Result<_, _>>()
        .map_err(|_| Fault::Request("a NUL byte in an argument or in the environment".to_owned()))
}

#[cfg(test)]
mod fuzz;

#[cfg(test)]
mod tests {
    use super::*;
    use vosim_sandbox_spec::{Content, Limits, MemoryBy, Mount, Network, Standby};

    fn spec() -> RunSpec {
        RunSpec {
            version: VERSION,
            argv: vec!["/bin/true".to_owned()],
            env: [("A".to_owned(), "b".to_owned())].into(),
            files: [("a b.py".to_owned(), Content::default())].into(),
            mounts: Vec::new(),
            stdin: None,
            channel: false,
            network: Network::None,
            limits: Limits::submission(),
            standby: None,
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
    fn a_mount_with_a_nul_byte_is_refused_before_anything_is_opened() {
        let mount = Mount { path: "/usr\0/bin".into(), writable: false };
        assert!(refusal(|spec| spec.mounts.push(mount)).contains("absolute"));
    }

    #[test]
    fn a_variable_whose_name_would_be_read_as_another_is_refused() {
        for name in ["A=B", "=", ""] {
            let text = refusal(|spec| drop(spec.env.insert(name.to_owned(), String::new())));
            assert!(text.contains("name of a variable"), "{name}: {text}");
        }
    }

    #[test]
    fn what_is_kept_of_a_stream_has_a_bound_of_its_own() {
        let keep = |bytes| move |spec: &mut RunSpec| spec.limits.output_keep = bytes;
        assert!(refusal(keep(u64::MAX)).contains("4194304"));
        assert!(refusal(keep(OUTPUT_KEEP_MAX + 1)).contains("kept"));
    }

    #[test]
    fn more_or_longer_names_than_the_private_root_can_hold_are_refused() {
        let many = (0..=FILES_MAX).map(|number| (number.to_string(), Content::default()));
        assert!(refusal(|spec| spec.files = many.collect()).contains("at most 1024 files"));
        let long = "n".repeat(NAME_MAX + 1);
        assert!(
            refusal(|spec| drop(spec.files.insert(long, Content::default()))).contains("plain")
        );
    }

    #[test]
    fn a_name_that_occurs_twice_is_refused_because_one_text_would_be_lost() {
        let text = serde_json::to_string(&spec()).unwrap();
        for (once, twice) in [
            (r#"{"A":"b"}"#, r#"{"A":"b","A":"c"}"#),
            (r#"{"a b.py":""}"#, r#"{"a b.py":"","a b.py":"x"}"#),
        ] {
            let doubled = format!("{}\n", text.replace(once, twice));
            let said = read(doubled.as_bytes()).unwrap_err().to_string();
            assert!(said.contains("occurs twice"), "{said}");
        }
    }

    #[test]
    fn what_cannot_be_carried_out_exactly_is_refused() {
        assert!(refusal(|spec| spec.version = VERSION + 1).contains("newer"));
        assert!(refusal(|spec| spec.argv.clear()).contains("empty"));
        assert!(refusal(|spec| spec.argv = vec!["true".to_owned()]).contains("absolute"));
        assert!(refusal(|spec| spec.argv.push("a\0b".to_owned())).contains("NUL"));
        let mount = Mount { path: "/usr/../root".into(), writable: false };
        assert!(refusal(|spec| spec.mounts.push(mount)).contains("absolute"));
        let standby = |wait_ms| Some(Standby { wait_ms, cpu_ms: 1 });
        assert!(
            refusal(|spec| spec.standby = standby(STANDBY_MAX_MS + 1))
                .contains("on standby at most")
        );
        for name in ["", ".", "..", "a/b"] {
            let text = refusal(|spec| drop(spec.files.insert(name.to_owned(), Content::default())));
            assert!(text.contains("plain file name"), "{name}: {text}");
        }
    }
}
