//! Finds the program that a command names, and the files that it needs to start. Installed software
//! is shown to the program; what is private is refused by the helper.

use std::env;
use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use vosim_sandbox_spec::MemoryBy;

use crate::private::is_library;

/// Places of installed software and its shared libraries; those that do not exist are left out.
const SYSTEM: [&str; 6] =
    ["/usr", "/bin", "/lib", "/lib64", "/etc/ld.so.cache", "/etc/alternatives"];

/// Returns the real path of a program, found by PATH when it is a bare name. Shims of version
/// managers are skipped: they need a home, which does not exist inside (DECISIONS 24).
pub(super) fn find(name: &str) -> Result<PathBuf, String> {
    if name.contains('/') {
        return fs::canonicalize(name).map_err(|error| format!("{name}: {error}"));
    }
    let places = env::var_os("PATH").unwrap_or_default();
    env::split_paths(&places)
        .filter(|dir| dir.is_absolute() && !dir.ends_with("shims"))
        .map(|dir| dir.join(name))
        .find(|path| executable(path))
        .and_then(|path| fs::canonicalize(path).ok())
        .ok_or_else(|| format!("there is no program `{name}` in PATH (shims are skipped)"))
}

fn executable(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|about| about.is_file() && about.permissions().mode() & 0o111 != 0)
}

pub(super) fn text(path: &Path) -> Result<String, String> {
    let told = || format!("{} is not a name in UTF-8", path.display());
    path.to_str().map(str::to_owned).ok_or_else(told)
}

/// Returns what the program may read beside itself.
pub(crate) fn surroundings(program: &Path) -> Vec<PathBuf> {
    let system = SYSTEM.map(PathBuf::from).into_iter().filter(|path| path.exists());
    system.chain(library(program)).collect()
}

/// Returns the library of a Python outside of the system's own folders, and nothing else of the
/// tree that it was installed in: `P/lib/python3.N` and its shared library for `P/bin/python3.N`.
fn library(program: &Path) -> Vec<PathBuf> {
    let bin = program.parent().filter(|dir| dir.ends_with("bin") && !dir.starts_with("/usr"));
    let name = program.file_name().and_then(OsStr::to_str).unwrap_or_default();
    let Some(lib) = bin.and_then(Path::parent).map(|prefix| prefix.join("lib")) else {
        return Vec::new();
    };
    let own = lib.join(name);
    if !is_library(&own) {
        return Vec::new();
    }
    let shared = format!("lib{name}.so");
    let entries = fs::read_dir(&lib).into_iter().flatten().flatten();
    let ours = |entry: &fs::DirEntry| entry.file_name().as_bytes().starts_with(shared.as_bytes());
    std::iter::once(own).chain(entries.filter(ours).map(|entry| entry.path())).collect()
}

/// Returns the measure of memory that fits a program: V8 reserves far more addresses than it uses.
pub(super) fn memory_by(program: &Path) -> MemoryBy {
    let name = program.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    if name.starts_with("node") { MemoryBy::Data } else { MemoryBy::AddressSpace }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_a_python_s_tree_only_its_library_is_shown() {
        let dir = tempfile::tempdir().unwrap();
        let program = dir.path().join("bin/python3.12");
        assert!(library(&program).is_empty());
        let own = dir.path().join("lib/python3.12");
        fs::create_dir_all(&own).unwrap();
        let shared = dir.path().join("lib/libpython3.12.so.1.0");
        for file in [&own.join("os.py"), &shared, &dir.path().join("lib/other.so")] {
            fs::write(file, "").unwrap();
        }
        assert_eq!(library(&program), [own, shared]);
        assert!(library(&dir.path().join("bin/tool")).is_empty());
        assert!(library(Path::new("/usr/bin/python3")).is_empty());
    }
}
