//! Finds the Python that candidates' code runs with: once, and the real one. A version manager's
//! shim in PATH costs a tenth of a second a run and does not exist inside the sandbox, so it is
//! only asked where its interpreter is (DESIGN 7).

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use vosim_sandbox_spec::{Limits, Mount, RunSpec, VERSION};

/// The oldest version that is taken.
const OLDEST: (u32, u32) = (3, 11);

/// What an interpreter is asked, one line each, in words that every old one understands too.
const QUESTION: &str = "import sys\n\
    about = getattr(sys, 'implementation', None)\n\
    print(getattr(sys, '_base_executable', '') or sys.executable)\n\
    print(getattr(sys, 'base_prefix', sys.prefix))\n\
    print('.'.join(map(str, sys.version_info[:3])))\n\
    print(getattr(about, 'name', 'cpython'))\n\
    print(getattr(about, '_multiarch', ''))\n\
    print(getattr(sys, 'platlibdir', 'lib'))\n";

/// How long an interpreter may take to answer; a shim's first start can be slow.
const PATIENCE: Duration = Duration::from_secs(10);

/// Where distributions put it.
const USUAL_PLACES: [&str; 2] = ["/usr/bin/python3", "/usr/local/bin/python3"];

/// Name of the driver in the sandbox's working directory.
const DRIVER_NAME: &str = "vosim-driver";

/// The driver itself.
const DRIVER: &str = include_str!("driver.py");

/// An interpreter that can be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Python {
    /// The program itself, no shim and no link.
    pub path: PathBuf,
    /// For example `3.11.7`.
    pub version: String,
    /// What must be visible in the sandbox for it to run.
    pub mounts: Vec<PathBuf>,
    /// What was looked at before it and why it was passed over, each a full sentence.
    pub passed_over: Vec<String>,
}

/// Looks at the candidates in order and takes the first that `works` in the sandbox.
pub(super) fn find(
    configured: Option<&Path>,
    search_path: Option<&OsStr>,
    mut works: impl FnMut(&Python) -> Result<(), String>,
) -> Result<Python, String> {
    let mut passed_over = Vec::new();
    let mut seen = Vec::new();
    for candidate in candidates(configured, search_path) {
        let found = match ask(&candidate) {
            Ok(found) if seen.contains(&found.path) => continue,
            Ok(found) => found,
            Err(reason) => {
                passed_over.push(format!("{} was passed over: {reason}.", candidate.display()));
                continue;
            }
        };
        seen.push(found.path.clone());
        match works(&found) {
            Ok(()) => return Ok(Python { passed_over, ..found }),
            Err(reason) => {
                passed_over.push(format!("{} was passed over: {reason}.", found.path.display()));
            }
        }
    }
    let why = if passed_over.is_empty() { String::new() } else { passed_over.join(" ") + " " };
    Err(format!(
        "No Python {}.{} or newer was found. {why}Install the package `python3`, or name one as \
         `python` in the configuration.",
        OLDEST.0, OLDEST.1
    ))
}

fn candidates(configured: Option<&Path>, search_path: Option<&OsStr>) -> Vec<PathBuf> {
    let listed = search_path.map(std::env::split_paths).into_iter().flatten();
    let listed = listed.filter(|dir| dir.is_absolute()).map(|dir| dir.join("python3"));
    let mut candidates: Vec<PathBuf> = configured.map(Path::to_path_buf).into_iter().collect();
    candidates.extend(listed.chain(USUAL_PLACES.map(PathBuf::from)).filter(|path| path.is_file()));
    candidates
}

/// Asks an interpreter, or a shim, who it really is.
fn ask(candidate: &Path) -> Result<Python, String> {
    let answer = run(candidate)?;
    let lines: Vec<&str> = answer.lines().collect();
    let [executable, prefix, version, implementation, multiarch, libdir] = lines[..] else {
        return Err("it does not answer as a Python does".to_owned());
    };
    if implementation != "cpython" {
        return Err(format!("it is {implementation}, not CPython"));
    }
    let number = parse_version(version).ok_or("its version cannot be read")?;
    if number < OLDEST {
        return Err(format!("it is {version}, older than {}.{}", OLDEST.0, OLDEST.1));
    }
    let path = std::fs::canonicalize(executable)
        .map_err(|error| format!("its program `{executable}` cannot be opened: {error}"))?;
    let mounts = mounts(Path::new(prefix), number, multiarch, libdir);
    Ok(Python { path, version: version.to_owned(), mounts, passed_over: Vec::new() })
}

fn parse_version(text: &str) -> Option<(u32, u32)> {
    let mut parts = text.split('.').map(str::parse);
    Some((parts.next()?.ok()?, parts.next()?.ok()?))
}

fn run(candidate: &Path) -> Result<String, String> {
    let mut child = Command::new(candidate)
        .args(["-I", "-S", "-c", QUESTION])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .map_err(|error| format!("it cannot be started: {error}"))?;
    let stdout = child.stdout.take().ok_or("its output cannot be read")?;
    let answer = read_within(stdout, PATIENCE);
    if answer.is_none() {
        drop(child.kill());
    }
    let status = child.wait().map_err(|error| format!("it cannot be waited for: {error}"))?;
    match answer {
        Some(answer) if status.success() => Ok(answer),
        Some(_) => Err(format!("it ended with {status}")),
        None => Err(format!("it did not answer within {} s", PATIENCE.as_secs())),
    }
}

/// A few lines from a pipe; None when they do not come in time.
fn read_within(
    mut pipe: impl std::io::Read + std::os::fd::AsFd,
    patience: Duration,
) -> Option<String> {
    use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
    let deadline = Instant::now() + patience;
    let mut text = Vec::new();
    let mut chunk = [0; 4096];
    while text.len() < 64 * 1024 {
        let left = deadline.saturating_duration_since(Instant::now());
        let mut fds = [PollFd::new(pipe.as_fd(), PollFlags::POLLIN)];
        if poll(&mut fds, PollTimeout::try_from(left).ok()?).ok()? == 0 {
            return None;
        }
        match pipe.read(&mut chunk).ok()? {
            0 => return String::from_utf8(text).ok(),
            count => text.extend_from_slice(&chunk[..count]),
        }
    }
    None
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

impl Python {
    /// The request that starts the driver; the limits are the caller's affair.
    pub(super) fn request(&self) -> RunSpec {
        let program = self.path.to_string_lossy().into_owned();
        let words = ["-I", "-S", "-B", DRIVER_NAME].map(str::to_owned);
        let env = [("MALLOC_ARENA_MAX", "1"), ("LC_ALL", "C.UTF-8"), ("HOME", "/work")];
        let mounts = self.mounts.iter().cloned().map(|path| Mount { path, writable: false });
        RunSpec {
            version: VERSION,
            argv: std::iter::once(program).chain(words).collect(),
            env: env.map(|(name, value)| (name.to_owned(), value.to_owned())).into(),
            files: [(DRIVER_NAME.to_owned(), DRIVER.to_owned())].into(),
            mounts: mounts.collect(),
            stdin: None,
            channel: true,
            limits: Limits::submission(),
            require_level: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt as _;

    fn script(dir: &Path, name: &str, text: &str) -> PathBuf {
        let path = dir.join(name);
        std::fs::write(&path, text).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
        path
    }

    #[test]
    fn a_shim_is_asked_once_for_the_real_program() {
        let dir = tempfile::tempdir().unwrap();
        script(dir.path(), "python3", "#!/bin/sh\nexec /usr/bin/python3 \"$@\"\n");
        let found = find(None, Some(dir.path().as_os_str()), |_| Ok(())).unwrap();
        assert_eq!(found.path, std::fs::canonicalize("/usr/bin/python3").unwrap());
        assert!(found.mounts.iter().any(|path| path.ends_with("python3.11") || path.exists()));
    }

    #[test]
    fn what_is_passed_over_is_named_with_its_reason() {
        let dir = tempfile::tempdir().unwrap();
        let old =
            script(dir.path(), "old", "#!/bin/sh\nprintf '/x\\n/\\n3.8.1\\ncpython\\n\\nlib\\n'\n");
        let found = find(Some(&old), None, |_| Ok(())).unwrap();
        assert_eq!(found.passed_over.len(), 1);
        assert!(found.passed_over[0].contains("3.8.1, older than 3.11"), "{:?}", found.passed_over);
    }

    #[test]
    fn without_any_the_package_is_named() {
        let error = find(None, None, |_| Err("it does not start in the sandbox".to_owned()));
        let error = error.unwrap_err();
        assert!(error.contains("`python3`") && error.contains("in the sandbox"), "{error}");
    }
}
