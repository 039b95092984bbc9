//! Finds the program that a command names, and the files that it needs to start. Installed software
//! is shown to the program, and never a home directory.

use std::env;
use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use vosim_sandbox_spec::MemoryBy;

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
    system.chain(prefix(program)).collect()
}

/// Returns the tree that a program was installed in outside of the system's own: `P` for
/// `P/bin/program` where there is a `P/lib` too, but never a whole home, of any account.
fn prefix(program: &Path) -> Option<PathBuf> {
    let bin = program.parent().filter(|dir| dir.ends_with("bin"))?;
    let prefix = bin.parent().filter(|dir| dir.parent().is_some() && !dir.starts_with("/usr"))?;
    let told = fs::read(ACCOUNTS).unwrap_or_default();
    let own = env::var_os("HOME").map(PathBuf::from);
    let personal = is_personal(prefix, own.into_iter().chain(homes(&told)));
    (!personal && prefix.join("lib").is_dir()).then(|| prefix.to_path_buf())
}

/// The accounts of this machine, read as a file: the C library would load modules, which a static
/// program cannot.
const ACCOUNTS: &str = "/etc/passwd";

/// Places of homes by custom, also of those that a directory service gives.
const HOMES: [&str; 2] = ["/home", "/var/home"];

/// Names that mark a home, wherever it is.
const PERSONAL: [&str; 4] = [".ssh", ".gnupg", ".bashrc", ".profile"];

/// Returns the homes of the accounts.
fn homes(accounts: &[u8]) -> impl Iterator<Item = PathBuf> {
    let lines = accounts.split(|byte| *byte == b'\n');
    let homes = lines.filter_map(|line| line.split(|byte| *byte == b':').nth(5));
    homes.map(|home| PathBuf::from(OsStr::from_bytes(home)))
}

/// Whether a tree is a home, holds homes, or is what people keep as their own `/usr/local`. A tree
/// inside a home, for example one version of an interpreter, is none of these.
fn is_personal(prefix: &Path, mut homes: impl Iterator<Item = PathBuf>) -> bool {
    let real = |home: PathBuf| fs::canonicalize(&home).unwrap_or(home);
    let holds = |home: PathBuf| home.is_absolute() && real(home).starts_with(prefix);
    let customary = |top: &&str| {
        prefix.parent() == Some(Path::new(*top)) || Path::new(*top).starts_with(prefix)
    };
    prefix.ends_with(".local")
        || prefix == Path::new("/root")
        || HOMES.iter().any(customary)
        || PERSONAL.iter().any(|name| prefix.join(name).exists())
        || homes.any(holds)
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
    fn a_program_s_own_tree_is_shown_when_it_is_one() {
        let dir = tempfile::tempdir().unwrap();
        let program = dir.path().join("bin/tool");
        assert_eq!(prefix(&program), None);
        fs::create_dir(dir.path().join("lib")).unwrap();
        assert_eq!(prefix(&program), Some(dir.path().to_path_buf()));
        assert_eq!(prefix(Path::new("/usr/bin/python3")), None);
        assert_eq!(prefix(Path::new("/bin/sh")), None);
    }

    #[test]
    fn no_home_is_a_program_s_own_tree_whoever_asks() {
        let dir = tempfile::tempdir().unwrap();
        let top = fs::canonicalize(dir.path()).unwrap();
        let alice = top.join("people/alice");
        fs::create_dir_all(alice.join("versions/3.12")).unwrap();
        std::os::unix::fs::symlink(&alice, top.join("link")).unwrap();
        let accounts =
            |home: &Path| format!("root:x:0:0::/:/bin/sh\na:x:1:1::{}:\n", home.display());
        for listed in [accounts(&alice), accounts(&top.join("link"))] {
            let personal = |path: &Path| is_personal(path, homes(listed.as_bytes()));
            assert!(personal(&alice) && personal(&top.join("people")), "{listed}");
            assert!(!personal(&alice.join("versions/3.12")), "{listed}");
        }
        let unlisted = |path: &str| is_personal(Path::new(path), std::iter::empty());
        assert!(["/root", "/home", "/home/bob", "/home/bob/.local"].into_iter().all(unlisted));
        assert!(!unlisted("/home/bob/.pyenv/versions/3.12") && !unlisted("/opt/tool"));
        fs::create_dir(alice.join(".ssh")).unwrap();
        assert!(is_personal(&alice, std::iter::empty()));
    }

    #[test]
    fn lines_that_are_no_accounts_have_no_homes() {
        let found: Vec<_> = homes(b"\n# x\na:b\nb:x:1:1:B:/b:/bin/sh\nc:x:1:1::").collect();
        assert_eq!(found, [Path::new("/b"), Path::new("")]);
    }
}
