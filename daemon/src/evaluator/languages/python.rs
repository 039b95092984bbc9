//! Python: CPython from 3.11 on, started without site packages and without the user's own settings
//! (DECISIONS 27). It knows where an interpreter keeps its library, and nothing of the sandbox.

use std::path::{Path, PathBuf};

use vosim_protocol::v1::problem::Language;
use vosim_sandbox_spec::MemoryBy;

use super::profile::{Installation, Profile, parse_version};
use crate::evaluator::frames::Raised;
use crate::evaluator::value::Notation;

/// What an interpreter is asked, one line each, in words that every old one understands too: its
/// program and who it is, then where its standard library is and which shared libraries that needs.
const QUESTION: &str = "import os, sys\n\
    about = getattr(sys, 'implementation', None)\n\
    print(getattr(sys, '_base_executable', '') or sys.executable)\n\
    print('.'.join(map(str, sys.version_info[:3])))\n\
    print(getattr(about, 'name', 'cpython'))\n\
    print(getattr(about, '_multiarch', ''))\n\
    for path in filter(None, sys.path): print(os.path.abspath(path))\n\
    try:\n\
    \x20import ctypes\n\
    \x20class Info(ctypes.Structure): _fields_ = [('at', ctypes.c_void_p), ('name', ctypes.c_char_p)]\n\
    \x20def told(info, *rest):\n\
    \x20\x20name = os.fsdecode(info.contents.name or b'')\n\
    \x20\x20if name[:1] == '/': print(os.path.abspath(name))\n\
    \x20\x20return 0\n\
    \x20for folder in filter(os.path.isdir, sys.path):\n\
    \x20\x20for name in os.listdir(folder):\n\
    \x20\x20\x20if '.so' in name and 'tkinter' not in name and 'test' not in name:\n\
    \x20\x20\x20\x20try: ctypes.CDLL(os.path.join(folder, name))\n\
    \x20\x20\x20\x20except OSError: pass\n\
    \x20kind = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(Info), ctypes.c_size_t, ctypes.c_void_p)\n\
    \x20ctypes.CDLL(None).dl_iterate_phdr(kind(told), None)\n\
    except Exception:\n\
    \x20for line in open('/proc/self/maps'):\n\
    \x20\x20if '.so' in line: print(line.split(None, 5)[-1].strip())\n";

/// As isolated as by `-I`, which would leave the hash seed to chance: the environment is ours anyway.
const WORDS: [&str; 6] = ["-s", "-P", "-S", "-B", "-X", "utf8"];

/// Writes the driver as compiled code, beside its text for an interpreter that was exchanged
/// meanwhile. To compile it takes as long as half a start.
const PACK: &str = "import marshal, _frozen_importlib_external as own\n\
    text = open('vosim-driver', encoding='utf-8').read()\n\
    code = marshal.dumps(compile(text, 'vosim-driver', 'exec'))\n\
    print('import marshal, _frozen_importlib_external as own')\n\
    print('exec(marshal.loads(bytes.fromhex(\"%s\")) if own.MAGIC_NUMBER == %a else %a)'\n    \
    % (code.hex(), own.MAGIC_NUMBER, text))\n";

/// The driver: one program, written in parts that rest on those before.
const DRIVER: &str = concat!(
    include_str!("../python/driver.py"),
    "\n",
    include_str!("../python/shape.py"),
    "\n",
    include_str!("../python/chance.py"),
    "\nmain()\n",
);

/// The driver that tries many candidates: the same parts, with another way to be asked.
const BENCH: &str = concat!(
    include_str!("../python/driver.py"),
    "\n",
    include_str!("../python/shape.py"),
    "\n",
    include_str!("../python/chance.py"),
    "\n",
    include_str!("../python/bench.py"),
    "\nbench()\n",
);

pub(super) const PROFILE: Profile = Profile {
    language: Language::Python,
    name: "Python",
    programs: &["python3"],
    usual_places: &["/usr/bin/python3", "/usr/local/bin/python3"],
    oldest: &[(3, 11)],
    remedy: "Install the package `python3`",
    fix: "install Python 3.11 or newer",
    setting: "python",
    configured: |places| places.python.as_deref(),
    required: true,
    question: &["-I", "-S", "-c", QUESTION],
    unset: "PYTHONHOME",
    read,
    trial: &["-c", "import posix, _json"],
    driver: ("vosim-driver", DRIVER),
    bench: Some(BENCH),
    pack: &["-c", PACK],
    ahead: Some(include_str!("../python/ahead.py")),
    words: |_| WORDS.map(str::to_owned).to_vec(),
    // There are no other locales in the sandbox.
    env: &[("MALLOC_ARENA_MAX", "1"), ("LC_ALL", "C"), ("HOME", "/work"), ("PYTHONHASHSEED", "0")],
    memory_by: MemoryBy::AddressSpace,
    out_of_memory: &[],
    printing: "print",
    file: "solution.py",
    notation: &NOTATION,
    kinds: &KINDS,
    note,
};

const NOTATION: Notation = Notation {
    null: "None",
    infinity: "inf",
    nan: "nan",
    yes: "True",
    no: "False",
    exponent_places: 2,
    bare_keys: false,
    named_sets: false,
    one_number: false,
};

const KINDS: [&str; 15] = [
    "AssertionError",
    "AttributeError",
    "IndexError",
    "KeyError",
    "ModuleNotFoundError",
    "NameError",
    "NotImplementedError",
    "OverflowError",
    "RecursionError",
    "RuntimeError",
    "StopIteration",
    "TypeError",
    "UnboundLocalError",
    "ValueError",
    "ZeroDivisionError",
];

/// Names that well-known practice sites import silently, with the line that imports them.
const SILENT_IMPORTS: [(&str, &[&str]); 9] = [
    ("typing", &["List", "Dict", "Set", "Tuple", "Optional", "Deque", "Any", "Union", "Iterator"]),
    ("collections", &["OrderedDict", "defaultdict", "deque", "Counter", "namedtuple"]),
    ("functools", &["lru_cache", "cache", "reduce", "cmp_to_key"]),
    ("heapq", &["heappush", "heappop", "heapify", "nlargest", "nsmallest"]),
    ("bisect", &["bisect_left", "bisect_right", "insort"]),
    ("itertools", &["accumulate", "combinations", "permutations", "product", "chain"]),
    ("math", &["inf", "gcd", "sqrt", "ceil", "floor"]),
    ("dataclasses", &["dataclass", "field"]),
    ("abc", &["ABC", "abstractmethod"]),
];

/// A note where a name is missing that some sites provide without being asked (DECISIONS 22).
fn note(raised: &Raised) -> Option<String> {
    if raised.kind != "NameError" {
        return None;
    }
    let name = raised.message.strip_prefix("name '")?.split('\'').next()?;
    let line = SILENT_IMPORTS.iter().find_map(|(module, names)| {
        if *module == name {
            return Some(format!("import {module}"));
        }
        names.contains(&name).then(|| format!("from {module} import {name}"))
    });
    let line = line.or_else(|| {
        matches!(name, "random" | "string" | "re" | "sys" | "os" | "time" | "operator")
            .then(|| format!("import {name}"))
    })?;
    Some(format!("`{name}` is not imported: add `{line}`. Some practice sites do that silently."))
}

fn read(lines: &[&str]) -> Result<Installation, String> {
    let &[executable, version, implementation, multiarch, ref needed @ ..] = lines else {
        return Err("it does not answer as a Python does".to_owned());
    };
    if implementation != "cpython" {
        return Err(format!("it is {implementation}, not CPython"));
    }
    parse_version(version).ok_or("its version cannot be read")?;
    Ok(Installation {
        program: executable.to_owned(),
        version: version.to_owned(),
        mounts: mounts(needed, multiarch),
    })
}

/// The interpreter's own library and the shared libraries that it needs, as far as they exist: never
/// the tree that it was installed in (DECISIONS 47).
fn mounts(needed: &[&str], multiarch: &str) -> Vec<PathBuf> {
    // Multiarch systems keep shared libraries in folders of their own, and only the loader in lib64.
    let shared = ["/lib", "/usr/lib"].map(|dir| Path::new(dir).join(multiarch));
    let apart = !multiarch.is_empty() && shared[0].is_dir();
    let shared: Vec<PathBuf> = if apart { shared.into() } else { Vec::new() };
    let loader = apart.then(|| PathBuf::from("/lib64"));
    let general = ["/etc/ld.so.cache", "/usr/share/zoneinfo"].map(PathBuf::from);
    let mut mounts: Vec<PathBuf> = shared.iter().cloned().chain(loader).chain(general).collect();
    for path in needed.iter().map(PathBuf::from).filter(|path| path.is_absolute()) {
        if !mounts.iter().any(|shown| path.starts_with(shown)) {
            mounts.push(path);
        }
    }
    mounts.retain(|path| path.exists());
    mounts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_implementation_is_named() {
        let lines = ["/usr/bin/pypy3", "3.11.9", "pypy", ""];
        assert_eq!(read(&lines).unwrap_err(), "it is pypy, not CPython");
        assert!(read(&["hello"]).unwrap_err().contains("as a Python does"));
    }

    #[test]
    fn nothing_is_shown_but_the_library_and_what_it_needs() {
        let home = tempfile::tempdir().unwrap();
        let library = home.path().join("lib/python3.12");
        std::fs::create_dir_all(library.join("lib-dynload")).unwrap();
        let shared = home.path().join("lib/libpython3.12.so.1.0");
        std::fs::write(&shared, "").unwrap();
        let needed =
            [&library, &library.join("lib-dynload"), &shared, &home.path().join("none.zip")];
        let needed = needed.map(|path| path.to_str().unwrap());
        let shown = mounts(&needed, "");
        let of_home: Vec<_> = shown.iter().filter(|path| path.starts_with(home.path())).collect();
        assert_eq!(of_home, [&library, &shared]);
        assert!(!shown.iter().any(|path| path == Path::new("/usr/lib")), "{shown:?}");
    }

    #[test]
    fn a_silent_import_is_named() {
        let raised = |name: &str| Raised {
            kind: "NameError".to_owned(),
            message: format!("name '{name}' is not defined"),
            ..Raised::default()
        };
        let told = note(&raised("OrderedDict")).unwrap();
        assert!(told.contains("from collections import OrderedDict"));
        assert!(note(&raised("heapq")).unwrap().contains("`import heapq`"));
        assert_eq!(note(&raised("cachee")), None);
    }
}
