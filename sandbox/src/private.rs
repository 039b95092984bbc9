//! What no run may see, whoever asks for it (DECISIONS 47): the one check of every part of the host
//! that a request names. A folder that holds a home or one of vosim's own folders, or lies in one of
//! those, is refused, save the one workspace of a task; of what is hidden in a home only an
//! interpreter's library, the files of a program and our own pytest are shown.
//!
//! Where homes are is told by the accounts of this machine, by custom, and by the caller's
//! environment, which can only add to them.

use std::env;
use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use vosim_sandbox_spec::{PLACES, RunSpec};

use crate::fault::Fault;

/// The accounts of this machine, read as a file: the C library would load modules, which a static
/// program cannot.
const ACCOUNTS: &str = "/etc/passwd";

/// Folders of homes by custom, also of those that a directory service gives.
const CUSTOMARY: [&str; 3] = ["/home", "/var/home", "/run/user"];

/// Where the kernel tells of the machine, of its processes and of its devices.
const OF_THE_KERNEL: [&str; 3] = ["/proc", "/sys", "/dev"];

/// Accounts of people, beside root: the others have homes among the system's own folders.
const PEOPLE: std::ops::Range<u32> = 1000..65_534;

/// Our own folders below a home, as XDG has them unless a variable says otherwise, each with its
/// variable.
const OWN: [(&str, &str); 3] = [
    ("XDG_DATA_HOME", ".local/share"),
    ("XDG_CONFIG_HOME", ".config"),
    ("XDG_STATE_HOME", ".local/state"),
];

/// Our name in each of them.
const NAME: &str = "vosim";

/// The folder of the workspaces of tasks in one of them: each is shown alone, to its own task.
const WORKSPACES: &str = "workspaces";

/// Folders of packages beside the standard library; they are not shown with it.
pub(crate) const PACKAGES: [&str; 2] = ["site-packages", "dist-packages"];

/// Refuses a request that names what is private.
pub(crate) fn check(spec: &RunSpec) -> Result<(), Fault> {
    let private = Private::here();
    // The program itself and an agent's workspace are named alone.
    let program = spec.argv.first().map(|path| (Path::new(path), true));
    let mounts = spec.mounts.iter().map(|mount| (mount.path.as_path(), mount.writable));
    for (path, alone) in mounts.chain(program) {
        // What does not exist is refused where it is opened.
        let Ok(real) = fs::canonicalize(path) else { continue };
        // What the project itself has put beside this program to run tests with.
        if !alone && is_test_environment(&real) {
            continue;
        }
        if let Some(why) = private.reason(&real, alone) {
            let path = path.display();
            return Err(Fault::Request(format!("{path} is not shown to a program: {why}")));
        }
    }
    Ok(())
}

/// The folder with pytest, from the folder with this program on.
const TEST_ENVIRONMENT: &str = "../lib/vosim/pytest";

fn is_test_environment(path: &Path) -> bool {
    let own = env::current_exe().ok();
    let place = own.as_deref().and_then(Path::parent).map(|dir| dir.join(TEST_ENVIRONMENT));
    place.and_then(|place| fs::canonicalize(place).ok()).is_some_and(|place| place == path)
}

/// Whether a folder is the standard library of a Python.
pub(crate) fn is_library(dir: &Path) -> bool {
    let name = dir.file_name().and_then(OsStr::to_str).unwrap_or_default();
    name.strip_prefix("python3.").is_some_and(|rest| rest.bytes().all(|it| it.is_ascii_digit()))
        && dir.join("os.py").is_file()
}

/// The real places of homes and of our own folders.
#[derive(Debug)]
struct Private {
    homes: Vec<PathBuf>,
    own: Vec<PathBuf>,
}

impl Private {
    fn here() -> Self {
        let told = fs::read(ACCOUNTS).unwrap_or_default();
        let mut runtimes = ways("/run/user", |_| true);
        runtimes.iter_mut().for_each(|dir| dir.push(NAME));
        runtimes.extend(ways("/tmp", is_runtime));
        Self::new(homes(&told), runtimes, &|name| env::var_os(name).map(PathBuf::from))
    }

    fn new(
        accounts: impl Iterator<Item = PathBuf>,
        runtimes: Vec<PathBuf>,
        variable: &dyn Fn(&str) -> Option<PathBuf>,
    ) -> Self {
        let [home, _, _, _, runtime] = PLACES.map(variable);
        let homes: Vec<PathBuf> = accounts.chain(home).filter(|home| home.is_absolute()).collect();
        let usual = homes.iter().flat_map(|home| OWN.map(|(_, below)| home.join(below)));
        let named = OWN.iter().filter_map(|(name, _)| variable(name)).chain(runtime);
        let own = usual.chain(named).map(|base| base.join(NAME)).chain(runtimes);
        let real = |path: PathBuf| fs::canonicalize(&path).unwrap_or(path);
        let own = own.filter(|own| own.is_absolute()).map(real).collect();
        // Some accounts have the root itself, which no part of the machine holds.
        let homes = homes.into_iter().map(real).filter(|home| home.parent().is_some()).collect();
        Self { homes, own }
    }

    /// Returns why a real path is not shown; `alone` is what may be hidden in a home.
    fn reason(&self, path: &Path, alone: bool) -> Option<String> {
        if path.parent().is_none() {
            return Some("it is the whole machine".to_owned());
        }
        if let Some(top) = OF_THE_KERNEL.iter().find(|top| path.starts_with(top)) {
            return Some(format!("the kernel tells of the machine in {top}"));
        }
        if let Some(home) = self.homes.iter().find(|home| home.starts_with(path)) {
            return Some(format!("it holds the home {}", home.display()));
        }
        let customary = |top: &&&str| {
            Path::new(**top).starts_with(path) || path.parent() == Some(Path::new(**top))
        };
        if let Some(top) = CUSTOMARY.iter().find(customary) {
            return Some(format!("homes are in {top}"));
        }
        let is_workspace = |own: &PathBuf| path.parent() == Some(own.join(WORKSPACES).as_path());
        if alone && self.own.iter().any(is_workspace) {
            return None;
        }
        let ours = |own: &&PathBuf| own.starts_with(path) || path.starts_with(own);
        if let Some(own) = self.own.iter().find(ours) {
            return Some(format!("{} is a folder of vosim", own.display()));
        }
        let hidden = self.homes.iter().find(|home| is_hidden(path, home));
        hidden
            .filter(|_| !alone && !is_of_a_program(path))
            .map(|home| format!("it is hidden in the home {}", home.display()))
    }
}

/// Whether a path begins with a dot, as seen from a home.
fn is_hidden(path: &Path, home: &Path) -> bool {
    let first = path.strip_prefix(home).ok().and_then(|inner| inner.iter().next());
    first.is_some_and(|name| name.as_bytes().starts_with(b"."))
}

/// Whether it is an interpreter's library, packed or not, or a shared library.
fn is_of_a_program(path: &Path) -> bool {
    if path.is_dir() {
        return is_library(path) || path.parent().is_some_and(is_library);
    }
    let name = path.file_name().unwrap_or_default().as_bytes();
    let shared = name.windows(3).any(|part| part == b".so");
    shared || name.starts_with(b"python3") && name.ends_with(b".zip")
}

/// Returns the homes of root and of people.
fn homes(accounts: &[u8]) -> impl Iterator<Item = PathBuf> {
    accounts.split(|byte| *byte == b'\n').filter_map(|line| {
        let mut fields = line.split(|byte| *byte == b':');
        let uid: u32 = str::from_utf8(fields.nth(2)?).ok()?.parse().ok()?;
        let home = PathBuf::from(OsStr::from_bytes(fields.nth(2)?));
        (uid == 0 || PEOPLE.contains(&uid)).then_some(home)
    })
}

/// Returns what stands in a folder under such names.
fn ways(folder: &str, named: impl Fn(&str) -> bool) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let fits = |entry: &fs::DirEntry| entry.file_name().to_str().is_some_and(&named);
    entries.filter(fits).map(|entry| entry.path()).collect()
}

/// Whether it is the name of a daemon's folder where there is no other place for its socket:
/// `vosim-UID-` and eight digits.
fn is_runtime(name: &str) -> bool {
    let parts: Vec<&str> = name.split('-').collect();
    matches!(parts[..], [NAME, uid, mark] if uid.parse::<u32>().is_ok()
        && mark.len() == 8 && mark.bytes().all(|byte| byte.is_ascii_hexdigit()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_private_is_refused_with_its_reason() {
        let dir = tempfile::tempdir().unwrap();
        let top = fs::canonicalize(dir.path()).unwrap();
        let ada = top.join("people/ada");
        let library = ada.join(".pyenv/lib/python3.11");
        for folder in [
            &library,
            &ada.join("work"),
            &ada.join(".local/share/vosim/blobs"),
            &top.join("data/vosim"),
        ] {
            fs::create_dir_all(folder).unwrap();
        }
        for file in
            [library.join("os.py"), ada.join(".netrc"), ada.join(".pyenv/lib/libpython3.11.so.1.0")]
        {
            fs::write(file, "").unwrap();
        }
        std::os::unix::fs::symlink(&ada, top.join("link")).unwrap();
        let accounts = format!(
            "root:x:0:0::/:/bin/sh\nbin:x:2:2::{0}/bin:\nada:x:1000:1::{0}/link:\n# x\na:b\n",
            top.display()
        );
        let variable = |name: &str| (name == "XDG_DATA_HOME").then(|| top.join("data"));
        let private = Private::new(homes(accounts.as_bytes()), Vec::new(), &variable);
        let reason = |path: &Path| private.reason(path, false).unwrap_or_default();
        for (path, part) in [
            (Path::new("/"), "whole machine"),
            (&top, "holds the home"),
            (&ada, "holds the home"),
            (&ada.join(".local"), "a folder of vosim"),
            (&ada.join(".local/share/vosim/blobs"), "a folder of vosim"),
            (&top.join("data"), "a folder of vosim"),
            (&ada.join(".ssh"), "hidden in the home"),
            (&ada.join(".netrc"), "hidden in the home"),
            (&ada.join(".pyenv"), "hidden in the home"),
            (Path::new("/home"), "homes are in"),
            (Path::new("/home/bob"), "homes are in"),
            (Path::new("/run"), "homes are in"),
            (Path::new("/proc"), "the kernel tells"),
            (Path::new("/sys/fs/cgroup"), "the kernel tells"),
            (Path::new("/dev"), "the kernel tells"),
        ] {
            assert!(reason(path).contains(part), "{}: {}", path.display(), reason(path));
        }
        let shown = ["work", ".pyenv/lib/python3.11", ".pyenv/lib/libpython3.11.so.1.0"];
        for path in shown {
            assert_eq!(reason(&ada.join(path)), "", "{path}");
        }
        assert_eq!(reason(&top.join("bin")), "");
        assert_eq!(private.reason(&ada.join(".cache/space"), true), None);
        let space = ada.join(".local/share/vosim/workspaces/one");
        assert_eq!(private.reason(&space, true), None);
        for (path, alone) in [
            (space.as_path(), false),
            (space.parent().unwrap(), true),
            (&space.join("below"), true),
            (&ada.join(".local/share/vosim/blobs"), true),
        ] {
            assert!(private.reason(path, alone).is_some(), "{}", path.display());
        }
    }

    #[test]
    fn a_runtime_folder_is_known_by_its_name() {
        assert!(is_runtime("vosim-1000-0123abcd"));
        for other in ["vosim-sandbox-0", "vosim-1000-0123abc", "vosim-x-0123abcd", "vosim"] {
            assert!(!is_runtime(other), "{other}");
        }
    }

    #[test]
    fn only_a_python_s_own_folder_is_its_library() {
        let dir = tempfile::tempdir().unwrap();
        for (name, landmark) in [("python3.12", true), ("python3.13", false), ("python3", true)] {
            let folder = dir.path().join(name);
            fs::create_dir(&folder).unwrap();
            if landmark {
                fs::write(folder.join("os.py"), "").unwrap();
            }
            assert_eq!(is_library(&folder), name == "python3.12", "{name}");
        }
    }
}
