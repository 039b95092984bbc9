//! Python: CPython from 3.11 on, started without site packages and without the user's own settings
//! (DECISIONS 27). It knows where an interpreter keeps its library, and nothing of the sandbox.

use std::path::{Path, PathBuf};

use vosim_protocol::v1::problem::Language;
use vosim_sandbox_spec::MemoryBy;

use super::profile::{Installation, Profile, parse_version};

/// What an interpreter is asked, one line each, in words that every old one understands too.
const QUESTION: &str = "import sys\n\
    about = getattr(sys, 'implementation', None)\n\
    print(getattr(sys, '_base_executable', '') or sys.executable)\n\
    print(getattr(sys, 'base_prefix', sys.prefix))\n\
    print('.'.join(map(str, sys.version_info[:3])))\n\
    print(getattr(about, 'name', 'cpython'))\n\
    print(getattr(about, '_multiarch', ''))\n\
    print(getattr(sys, 'platlibdir', 'lib'))\n";

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

pub(super) const PROFILE: Profile = Profile {
    language: Language::Python,
    name: "Python",
    programs: &["python3"],
    usual_places: &["/usr/bin/python3", "/usr/local/bin/python3"],
    oldest: (3, 11),
    package: "python3",
    setting: "python",
    question: &["-I", "-S", "-c", QUESTION],
    unset: "PYTHONHOME",
    read,
    trial: &["-c", "import posix, _json"],
    driver: ("vosim-driver", DRIVER),
    pack: &["-c", PACK],
    ahead: Some(include_str!("../python/ahead.py")),
    words: |_| WORDS.map(str::to_owned).to_vec(),
    // There are no other locales in the sandbox.
    env: &[("MALLOC_ARENA_MAX", "1"), ("LC_ALL", "C"), ("HOME", "/work"), ("PYTHONHASHSEED", "0")],
    memory_by: MemoryBy::AddressSpace,
    out_of_memory: &[],
    printing: "print",
    file: "solution.py",
};

fn read(lines: &[&str]) -> Result<Installation, String> {
    let &[executable, prefix, version, implementation, multiarch, libdir] = lines else {
        return Err("it does not answer as a Python does".to_owned());
    };
    if implementation != "cpython" {
        return Err(format!("it is {implementation}, not CPython"));
    }
    let number = parse_version(version).ok_or("its version cannot be read")?;
    Ok(Installation {
        program: executable.to_owned(),
        version: version.to_owned(),
        mounts: mounts(Path::new(prefix), number, multiarch, libdir),
    })
}

/// The interpreter's own library and the system's shared libraries, as far as they exist.
fn mounts(prefix: &Path, version: (u32, u32), multiarch: &str, libdir: &str) -> Vec<PathBuf> {
    let own = if prefix == Path::new("/usr") {
        let name = format!("python{}.{}", version.0, version.1);
        vec![prefix.join("lib").join(&name), prefix.join(libdir).join(&name)]
    } else {
        vec![prefix.to_path_buf()]
    };
    // Multiarch systems keep only the loader in lib64; the others everything.
    let mut shared: Vec<PathBuf> = vec!["/lib64".into(), "/etc/ld.so.cache".into()];
    let multiarch_dirs = ["/lib", "/usr/lib"].map(|dir| Path::new(dir).join(multiarch));
    if !multiarch.is_empty() && multiarch_dirs[0].is_dir() {
        shared.extend(multiarch_dirs);
    } else {
        shared.extend(["/lib".into(), "/usr/lib64".into(), "/usr/lib".into()]);
    }
    shared.push("/usr/share/zoneinfo".into());
    own.into_iter().chain(shared).filter(|path| path.exists()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_implementation_is_named() {
        let lines = ["/usr/bin/pypy3", "/usr", "3.11.9", "pypy", "", "lib"];
        assert_eq!(read(&lines).unwrap_err(), "it is pypy, not CPython");
        assert!(read(&["hello"]).unwrap_err().contains("as a Python does"));
    }
}
