//! Any bytes as a request: taken as it stands, or refused with a reason; never a panic, and never
//! more read than a request may have. That a taken request can be carried out exactly is checked
//! here in words of its own.

use serde_json::{Value, json};
use vosim_fuzz::proptest;
use vosim_fuzz::proptest::collection::{btree_map, vec};
use vosim_fuzz::proptest::prelude::*;
use vosim_fuzz::proptest::sample::{Index, select};
use vosim_fuzz::{Fails, Input, Target, near, pieces};

use super::*;

/// Names and texts that a request may be confused by.
pub(super) const WORDS: &[&str] = &[
    "version",
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
    "address_space",
    "/",
    "//",
    "/.",
    "/..",
    "/usr/../root",
    "/usr/./bin/true",
    "usr/bin/true",
    "/proc/self/fd/0",
    "/dev/null",
    "/work",
    "/tmp",
    "../x",
    "a\0b",
    "/usr\0/bin",
    "A=B",
    "=",
    "",
    "PATH",
    "LD_PRELOAD",
    "solution.py",
    "a/b",
    ".",
    "..",
    "-",
    "/usr/bin/true",
    "~",
];

/// Requests as the daemon makes them.
fn valid() -> BoxedStrategy<Value> {
    let plain = || select(&["solution.py", "driver.py", "a b", "größe.js", ".hidden", "A", "B_2"]);
    let path = || select(&["/usr/bin/true", "/usr", "/lib64", "/usr/lib/python3.11", "/opt/a b"]);
    let named = move || btree_map(plain(), "[ -~\n]{0,30}", 0..4);
    let mounts = vec((path(), any::<bool>()), 0..4);
    let level = proptest::option::of(select(&["A", "B", "C", "D"]));
    let standby = proptest::option::of((0..STANDBY_MAX_MS, 0u64..1000));
    let argv = (path(), vec("[ -~]{0,12}", 0..4));
    let limits = vec(0u64..100_000, 9);
    let stdin = proptest::option::of("[ -~\n]{0,40}");
    let parts = (argv, named(), named(), mounts, stdin, any::<bool>(), limits, (level, standby));
    let request = parts.prop_map(
        |((program, words), env, files, mounts, stdin, channel, limits, (level, standby))| {
            let argv: Vec<_> = [program.to_owned()].into_iter().chain(words).collect();
            let mount = |(path, writable)| json!({ "path": path, "writable": writable });
            let names = [
                "cpu_ms",
                "wall_ms",
                "idle_ms",
                "memory",
                "output_keep",
                "output_max",
                "processes",
                "open_files",
                "file_size",
            ];
            let limits: Value = names.into_iter().zip(limits).collect();
            let mounts: Vec<_> = mounts.into_iter().map(mount).collect();
            let standby = standby.map(|(wait, cpu)| json!({ "wait_ms": wait, "cpu_ms": cpu }));
            json!({
                "version": VERSION, "argv": argv, "env": env, "files": files, "mounts": mounts,
                "stdin": stdin, "channel": channel, "limits": limits, "require_level": level,
                "standby": standby,
            })
        },
    );
    request.boxed()
}

/// Gives out what it has in pieces and counts what was taken.
struct Arriving<'a> {
    pieces: Vec<&'a [u8]>,
    taken: u64,
}

impl Read for Arriving<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let Some(first) = self.pieces.first_mut() else { return Ok(0) };
        let count = first.len().min(buffer.len());
        buffer[..count].copy_from_slice(&first[..count]);
        *first = &first[count..];
        if first.is_empty() {
            self.pieces.remove(0);
        }
        self.taken += count as u64;
        Ok(count)
    }
}

fn reads(input: &Input, behind: &[u8], cuts: &[Index]) -> Fails {
    let said = [&input.line(), behind].concat();
    let mut arriving = Arriving { pieces: pieces(&said, cuts), taken: 0 };
    let answer = read(&mut arriving);
    prop_assert!(arriving.taken <= REQUEST_MAX + 1, "{} bytes were taken", arriving.taken);
    match answer {
        Ok(Some(request)) => {
            can_be_carried_out(&request)?;
            let taken = usize::try_from(arriving.taken).unwrap();
            prop_assert!(said[..taken].ends_with(&request.behind), "a byte was lost");
            Ok("taken")
        }
        Ok(None) => Err(TestCaseError::fail("a line is a request, good or bad")),
        Err(fault) => {
            prop_assert!(!input.is_sound(), "a sound request was refused: {fault}");
            prop_assert!(matches!(fault, Fault::Request(_)), "{fault:?}");
            Ok("refused")
        }
    }
}

/// Exec, mount and open will be given the words of the request.
fn can_be_carried_out(request: &Request) -> Result<(), TestCaseError> {
    let Request { spec, argv, env, .. } = request;
    prop_assert!(spec.version <= VERSION);
    prop_assert!(!argv.is_empty() && argv.len() == spec.argv.len());
    let paths = spec.mounts.iter().map(|mount| mount.path.to_str().unwrap_or_default());
    for path in paths.chain([spec.argv[0].as_str()]) {
        let steps = path.split('/').skip(1);
        let plain = path.starts_with('/') && !steps.into_iter().any(|step| step == "..");
        prop_assert!(plain && !path.contains('\0'), "a path of {path:?}");
    }
    for name in spec.files.keys() {
        let plain = !["", ".", ".."].contains(&name.as_str()) && !name.contains(['/', '\0']);
        prop_assert!(plain, "a file named {name:?}");
    }
    for (pair, (name, value)) in env.iter().zip(&spec.env) {
        let pair = pair.to_str().unwrap();
        prop_assert_eq!(pair.split_once('='), Some((name.as_str(), value.as_str())));
        prop_assert!(!name.is_empty(), "a variable without a name");
    }
    prop_assert_eq!(env.len(), spec.env.len());
    prop_assert!(spec.standby.is_none_or(|standby| standby.wait_ms <= STANDBY_MAX_MS));
    prop_assert!(spec.limits.output_keep <= OUTPUT_KEEP_MAX, "{}", spec.limits.output_keep);
    Ok(())
}

#[test]
fn any_bytes_are_a_request_or_refused() {
    let target = Target { name: "sandbox-request", inputs: 1500, outcomes: &["taken", "refused"] };
    let behind = prop_oneof![Just(Vec::new()), Just(b"{}\n".to_vec()), vec(any::<u8>(), 0..30)];
    let inputs = (near(valid(), WORDS), behind, vec(any::<Index>(), 0..6));
    target.run(&inputs, |(input, behind, cuts)| reads(&input, &behind, &cuts));
}
