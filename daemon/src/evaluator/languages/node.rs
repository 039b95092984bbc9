//! JavaScript: Node.js from 18 on. V8 reserves gigabytes of addresses, so its memory is held
//! against what it may write to; for files it needs no more than the shared libraries it names.

use std::path::{Path, PathBuf};

use vosim_protocol::v1::problem::Language;
use vosim_sandbox_spec::{Limits, MemoryBy};

use super::profile::{Installation, Profile};
use crate::evaluator::frames::Raised;
use crate::evaluator::value::Notation;

/// What a runtime is asked, in words that every old one understands too: its program, which of the
/// runtimes that answer to this name it is, its version, then its shared libraries.
const QUESTION: &str = "var v = process.versions, seen = {};\
    try { seen = process.report.getReport(); } catch (none) {}\
    console.log([process.execPath,\
    v.bun ? 'Bun' : v.deno ? 'Deno' : v.electron ? 'Electron' : 'Node.js', v.node]\
    .concat(seen.sharedObjects || []).join('\\n'));";

/// What V8 says before it ends the process for want of memory.
const OUT_OF_MEMORY: [&str; 2] = ["out of memory", "process OOM"];

/// The driver: one script, written in parts that rest on those before; the given one takes from a file
/// what is no JavaScript, and what comes last begins.
macro_rules! driver {
    ($plain:literal, $($last:tt)+) => {
        concat!(
            include_str!("../javascript/taken.js"),
            "\n",
            include_str!("../javascript/chance.js"),
            "\n",
            include_str!("../javascript/channel.js"),
            "\n",
            include_str!("../javascript/values.js"),
            "\n",
            include_str!("../javascript/errors.js"),
            "\n",
            include_str!("../javascript/shape.js"),
            "\n",
            include_str!($plain),
            "\n",
            include_str!("../javascript/program.js"),
            "\n",
            include_str!("../javascript/serve.js"),
            $($last)+
        )
    };
}
pub(super) use driver;

/// The driver that tries many candidates: the same parts, with another way to be asked.
const BENCH: &str = driver!("../javascript/plain.js", "\n", include_str!("../javascript/bench.js"));

/// What the driver is called in its working directory.
pub(super) const DRIVER_NAME: &str = "vosim-driver.cjs";

/// Its own library where a distribution has taken parts of it out of the program.
const TAKEN_OUT: &str = "/usr/share/nodejs";

pub(super) const PROFILE: Profile = Profile {
    language: Language::Javascript,
    name: "Node.js",
    programs: &["node", "nodejs"],
    usual_places: &["/usr/bin/node", "/usr/local/bin/node", "/usr/bin/nodejs"],
    oldest: &[(18, 0)],
    remedy: "Install the package `nodejs`",
    fix: "install the package `nodejs`, version 18 or newer",
    setting: "node",
    configured: |places| places.node.as_deref(),
    required: false,
    question: &["-e", QUESTION],
    unset: "NODE_OPTIONS",
    read,
    trial: &["-e", "require('vm')"],
    driver: (DRIVER_NAME, driver!("../javascript/plain.js", "\nmain();\n")),
    bench: Some(BENCH),
    // It compiles a function only when it is called.
    pack: &[],
    // Its modules are part of the program and ready in a millisecond.
    ahead: None,
    words,
    env: &[("MALLOC_ARENA_MAX", "1"), ("LC_ALL", "C.UTF-8"), ("HOME", "/work")],
    memory_by: MemoryBy::Data,
    out_of_memory: &OUT_OF_MEMORY,
    printing: "console",
    file: "solution.js",
    notation: &NOTATION,
    kinds: &["AssertionError", "Error", "RangeError", "ReferenceError", "SyntaxError", "TypeError"],
    note,
};

const NOTATION: Notation = Notation {
    null: "null",
    infinity: "Infinity",
    nan: "NaN",
    yes: "true",
    no: "false",
    exponent_places: 1,
    bare_keys: true,
    named_sets: true,
    one_number: true,
};

/// Names that such sites provide to JavaScript from packages, with the package.
const SILENT_PACKAGES: [(&str, &str); 7] = [
    ("_", "lodash"),
    ("MinPriorityQueue", "@datastructures-js/priority-queue"),
    ("MaxPriorityQueue", "@datastructures-js/priority-queue"),
    ("PriorityQueue", "@datastructures-js/priority-queue"),
    ("Queue", "@datastructures-js/queue"),
    ("Deque", "@datastructures-js/deque"),
    ("AvlTree", "@datastructures-js/binary-search-tree"),
];

/// A note where a name is missing that some sites provide without being asked (DECISIONS 22).
pub(super) fn note(raised: &Raised) -> Option<String> {
    let name = raised.message.strip_suffix(" is not defined");
    let name = name.filter(|_| raised.kind == "ReferenceError")?;
    let (_, package) = SILENT_PACKAGES.iter().find(|(known, _)| *known == name)?;
    Some(format!(
        "`{name}` is not here: some practice sites load the package {package} silently; only \
         Node's own modules can be used."
    ))
}

/// What it is started with, beside the size of its heap. It would end at once over a configuration
/// of OpenSSL that is there but must not be read.
const WORDS: [&str; 5] = [
    "--experimental-vm-modules",
    "--no-warnings",
    "--openssl-config=/dev/null",
    "--random-seed=1",
    "--hash-seed=1",
];

/// The heap may be as large as all memory: so the limit, which has a name, comes before V8's own
/// end, which has none.
fn words(limits: &Limits) -> Vec<String> {
    let heap = format!("--max-old-space-size={}", (limits.memory >> 20).max(1));
    std::iter::once(heap).chain(WORDS.map(str::to_owned)).collect()
}

fn read(lines: &[&str]) -> Result<Installation, String> {
    let &[program, kind, version, ref libraries @ ..] = lines else {
        return Err("it does not answer as a Node.js does".to_owned());
    };
    if kind != "Node.js" {
        return Err(format!("it is {kind}, not Node.js"));
    }
    let libraries = libraries.iter().map(PathBuf::from).filter(|path| path.is_absolute());
    let taken_out = program.starts_with("/usr/").then_some(TAKEN_OUT);
    let more = taken_out.into_iter().chain(["/etc/ld.so.cache"]).map(PathBuf::from);
    let mounts = libraries.chain(more).filter(|path| path.exists() && path != Path::new("/"));
    Ok(Installation {
        program: program.to_owned(),
        version: version.to_owned(),
        mounts: mounts.collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_exists_of_its_libraries_is_shown() {
        let lines = ["/opt/node", "Node.js", "20.1.0", "linux-vdso.so.1", "/no/such.so", "/bin/sh"];
        let answer = read(&lines).unwrap();
        assert_eq!(answer.mounts[0], Path::new("/bin/sh"));
        assert!(!answer.mounts.iter().any(|path| path == Path::new("/no/such.so")));
    }

    #[test]
    fn a_runtime_that_only_answers_to_the_name_is_named() {
        assert_eq!(read(&["/b", "Bun", "24.3.0"]).unwrap_err(), "it is Bun, not Node.js");
        assert!(read(&["v0.10"]).unwrap_err().contains("as a Node.js does"));
    }

    #[test]
    fn the_heap_is_as_large_as_the_memory() {
        assert_eq!(words(&Limits::submission())[0], "--max-old-space-size=512");
    }

    #[test]
    fn a_package_that_sites_load_silently_is_named() {
        let raised = |name: &str| Raised {
            kind: "ReferenceError".to_owned(),
            message: format!("{name} is not defined"),
            ..Raised::default()
        };
        assert!(note(&raised("_")).unwrap().contains("lodash"));
        assert_eq!(note(&raised("cachee")), None);
    }
}
