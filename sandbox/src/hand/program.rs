//! Finds the program of a run by hand and what it needs around it to start. It shows the program
//! installed software, and never a home directory.

use std::env;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use vosim_sandbox_spec::MemoryBy;

/// Where installed software and its shared libraries are; what does not exist is left out.
const SYSTEM: [&str; 6] =
    ["/usr", "/bin", "/lib", "/lib64", "/etc/ld.so.cache", "/etc/alternatives"];

/// The real path of a program, by PATH when it is a bare name. Shims of version managers are
/// passed over: they need a home, which does not exist inside (DECISIONS 24).
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
        .ok_or_else(|| format!("there is no program `{name}` in PATH (shims are passed over)"))
}

fn executable(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|about| about.is_file() && about.permissions().mode() & 0o111 != 0)
}

pub(super) fn text(path: &Path) -> Result<String, String> {
    let told = || format!("{} is not a name in UTF-8", path.display());
    path.to_str().map(str::to_owned).ok_or_else(told)
}

/// What the program may read beside itself.
pub(crate) fn surroundings(program: &Path) -> Vec<PathBuf> {
    let system = SYSTEM.map(PathBuf::from).into_iter().filter(|path| path.exists());
    system.chain(prefix(program)).collect()
}

/// The tree that a program outside the system's own was installed with: `P` for `P/bin/program`
/// where there is a `P/lib` too, but never a whole home.
fn prefix(program: &Path) -> Option<PathBuf> {
    let bin = program.parent().filter(|dir| dir.ends_with("bin"))?;
    let prefix = bin.parent().filter(|dir| dir.parent().is_some() && !dir.starts_with("/usr"))?;
    let home = env::var_os("HOME").and_then(|home| fs::canonicalize(home).ok());
    let personal = home.is_some_and(|home| home.starts_with(prefix)) || prefix.ends_with(".local");
    (!personal && prefix.join("lib").is_dir()).then(|| prefix.to_path_buf())
}

/// V8 reserves far more addresses than it uses.
pub(super) fn memory_by(program: &Path) -> MemoryBy {
    let name = program.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    if name.starts_with("node") { MemoryBy::Data } else { MemoryBy::AddressSpace }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_s_own_tree_is_shown_when_it_is_one() {
        let dir = tempfile::tempdir().unwrap();
        let program = dir.path().join("bin/tool");
        assert_eq!(prefix(&program), None);
        fs::create_dir(dir.path().join("lib")).unwrap();
        assert_eq!(prefix(&program), Some(dir.path().to_path_buf()));
        assert_eq!(prefix(Path::new("/usr/bin/python3")), None);
        assert_eq!(prefix(Path::new("/bin/sh")), None);
    }
}
