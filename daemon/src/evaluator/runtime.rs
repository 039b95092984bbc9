//! Finds the runtime that candidates' code runs with: once, and the real one. A version manager's
//! shim in PATH costs a tenth of a second a run and does not exist inside the sandbox, so it is
//! only asked where its program is (DESIGN 7).

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use vosim_protocol::trouble::{Location, cause};
use vosim_protocol::v1::problem::Language;
use vosim_sandbox_spec::{Limits, Mount, Network, RunSpec, VERSION};

use super::asked::Questioned;
use super::cancel::Cancel;
use super::languages::{Profile, parse_version, profile};
use crate::runtime_dir::{check_started, trouble};

/// How long a runtime may take to answer; a shim's first start can be slow.
const PATIENCE: Duration = Duration::from_secs(10);

/// Most bytes of its answer, which is a few lines.
const ANSWER_MAX_BYTES: usize = 64 * 1024;

/// Most bytes of a driver's faster form, some ten times what it takes.
const PACKED_MAX_BYTES: u64 = 2 << 20;

/// A runtime that can be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Runtime {
    /// What it runs.
    pub language: Language,
    /// The program itself, no shim and no link.
    pub path: PathBuf,
    /// For example `3.11.7`.
    pub version: String,
    /// What must be visible in the sandbox for it to run.
    pub mounts: Vec<PathBuf>,
    /// What was looked at before it and why it was passed over, each a full sentence.
    pub passed_over: Vec<String>,
    /// The driver in a form that starts faster; without it the text is used.
    pub packed: Option<String>,
}

/// None of the candidates can be used.
#[derive(Debug, thiserror::Error)]
#[error("{told}")]
pub(super) struct NoRuntime {
    /// Why not, and what helps.
    pub(super) told: String,
    /// There is one, and something that can be mended keeps it from being used.
    pub(super) is_there: bool,
}

/// Why a candidate is not used.
#[derive(Debug, thiserror::Error)]
enum Unfit {
    /// It is not what is looked for; another one has to be installed.
    #[error("{0}")]
    Other(String),
    /// It may be what is looked for, and something that can be mended keeps it from being asked.
    #[error("{0}")]
    Mendable(String),
}

impl From<String> for Unfit {
    fn from(reason: String) -> Self {
        Self::Other(reason)
    }
}

/// Looks at the candidates in order and takes the first that `works` in the sandbox.
pub(super) fn find(
    profile: &Profile,
    configured: Option<&Path>,
    search_path: Option<&OsStr>,
    cancel: &Cancel,
    mut works: impl FnMut(&Runtime) -> Result<(), String>,
) -> Result<Runtime, NoRuntime> {
    let mut passed_over = Vec::new();
    let mut seen = Vec::new();
    let mut is_there = false;
    // One program bears several names; what is wrong with it is told once.
    let mut told = BTreeSet::new();
    for candidate in candidates(profile, configured, search_path) {
        let found = match ask(profile, &candidate, cancel) {
            Ok(found) if seen.contains(&found.path) => continue,
            Ok(found) => found,
            Err(unfit) => {
                is_there |= matches!(unfit, Unfit::Mendable(_));
                let reason = unfit.to_string();
                let real = std::fs::canonicalize(&candidate).unwrap_or_else(|_| candidate.clone());
                if told.insert((real, reason.clone())) {
                    passed_over.push(format!("{} was passed over: {reason}.", candidate.display()));
                }
                continue;
            }
        };
        seen.push(found.path.clone());
        match works(&found) {
            Ok(()) => return Ok(Runtime { passed_over, ..found }),
            Err(reason) => {
                passed_over.push(format!("{} was passed over: {reason}.", found.path.display()));
            }
        }
    }
    let why = if passed_over.is_empty() { String::new() } else { passed_over.join(" ") + " " };
    // Where one is there, a second one may fail as it does.
    is_there |= !seen.is_empty();
    let (met, remedy, one) = match is_there {
        false => ("was found", profile.remedy, "one"),
        true => ("can be used", "Mend that", "another one"),
    };
    let sentence = format!(
        "No {} {} or newer {met}. {why}{remedy}, or name {one} as `{}` in the configuration.",
        profile.name,
        profile.oldest_words(),
        profile.setting
    );
    Err(NoRuntime { told: sentence, is_there })
}

/// The programs that are asked in turn, as far as they are there.
pub(super) fn candidates(
    profile: &Profile,
    configured: Option<&Path>,
    search_path: Option<&OsStr>,
) -> Vec<PathBuf> {
    let listed = search_path.map(std::env::split_paths).into_iter().flatten();
    let listed = listed
        .filter(|dir| dir.is_absolute())
        .flat_map(|dir| profile.programs.iter().map(move |name| dir.join(name)));
    let usual = profile.usual_places.iter().map(PathBuf::from);
    let mut candidates: Vec<PathBuf> = configured.map(Path::to_path_buf).into_iter().collect();
    candidates.extend(listed.chain(usual).filter(|path| path.is_file()));
    candidates
}

/// Asks a runtime, or a shim, who it really is.
fn ask(profile: &Profile, candidate: &Path, cancel: &Cancel) -> Result<Runtime, Unfit> {
    check_started(candidate).map_err(|why| Unfit::Mendable(why.to_string()))?;
    let said = run(profile, candidate, cancel)?;
    let answer = (profile.read)(&said.lines().collect::<Vec<_>>())?;
    let number =
        parse_version(&answer.version).ok_or_else(|| "its version cannot be read".to_owned())?;
    if !profile.takes(number) {
        let reason = format!("it is {}, older than {}", answer.version, profile.oldest_words());
        return Err(Unfit::Other(reason));
    }
    let path = std::fs::canonicalize(&answer.program).map_err(|error| {
        format!("its program `{}` cannot be opened: {}", answer.program, cause(&error))
    })?;
    Ok(Runtime {
        language: profile.language,
        path,
        version: answer.version,
        mounts: answer.mounts,
        passed_over: Vec::new(),
        packed: None,
    })
}

fn run(profile: &Profile, candidate: &Path, cancel: &Cancel) -> Result<String, Unfit> {
    let mut question = Command::new(candidate);
    question.args(profile.question).env_remove(profile.unset);
    let asked = Questioned::start(&mut question).map_err(|error| unstarted(candidate, &error))?;
    let answer = asked.answer(PATIENCE, ANSWER_MAX_BYTES, cancel);
    let (answer, status) = answer.map_err(|error| cause(&error))?;
    if !status.success() {
        return Err(Unfit::Other(format!("it ended with {status}")));
    }
    String::from_utf8(answer).map_err(|_| Unfit::Other("its answer is no text".to_owned()))
}

/// What is there and may not be started may be the right one.
fn unstarted(candidate: &Path, error: &std::io::Error) -> Unfit {
    let reason = format!("it cannot be started: {}", trouble(error, candidate, Location::Program));
    match error.kind() {
        std::io::ErrorKind::PermissionDenied => Unfit::Mendable(reason),
        _ => Unfit::Other(reason),
    }
}

impl Runtime {
    pub(super) const fn profile(&self) -> &'static Profile {
        profile(self.language)
    }

    /// The request that starts the driver within these limits.
    pub(super) fn request(&self, limits: &Limits) -> RunSpec {
        let (name, text) = self.profile().driver;
        let mut spec = self.command(limits, &[name]);
        let text = self.packed.as_deref().unwrap_or(text);
        spec.files = [(name.to_owned(), text.to_owned().into())].into();
        spec.channel = true;
        spec
    }

    /// The request that starts the driver which tries many candidates; none where there is none.
    pub(super) fn bench(&self, limits: &Limits) -> Option<RunSpec> {
        let (name, _) = self.profile().driver;
        let text = self.profile().bench?;
        let mut spec = self.command(limits, &[name]);
        spec.files = [(name.to_owned(), text.to_owned().into())].into();
        spec.channel = true;
        Some(spec)
    }

    /// The request that has it write its driver in a form that starts faster, to its standard output.
    pub(super) fn packing(&self) -> Option<RunSpec> {
        let profile = self.profile();
        let (name, text) = profile.driver;
        let limits = Limits { output_keep: PACKED_MAX_BYTES, ..Limits::submission() };
        let mut spec = (!profile.pack.is_empty()).then(|| self.command(&limits, profile.pack))?;
        spec.files = [(name.to_owned(), text.to_owned().into())].into();
        Some(spec)
    }

    /// The request that tries it out.
    pub(super) fn trial(&self) -> RunSpec {
        self.command(&Limits::submission(), self.profile().trial)
    }

    /// The request that runs it with these words behind its own.
    pub(super) fn command(&self, limits: &Limits, last: &[&str]) -> RunSpec {
        let profile = self.profile();
        let program = self.path.to_string_lossy().into_owned();
        let mut argv = vec![program];
        argv.extend((profile.words)(limits));
        argv.extend(last.iter().map(|word| (*word).to_owned()));
        let mounts = self.mounts.iter().cloned().map(|path| Mount { path, writable: false });
        let env = profile.env.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
        RunSpec {
            version: VERSION,
            argv,
            env: env.collect(),
            files: Default::default(),
            mounts: mounts.collect(),
            stdin: None,
            channel: false,
            network: Network::None,
            limits: Limits { memory_by: profile.memory_by, ..limits.clone() },
            standby: None,
            require_level: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt as _;

    fn find(
        profile: &Profile,
        configured: Option<&Path>,
        search_path: Option<&OsStr>,
        works: impl FnMut(&Runtime) -> Result<(), String>,
    ) -> Result<Runtime, NoRuntime> {
        super::find(profile, configured, search_path, &Cancel::new().unwrap(), works)
    }

    fn ask(profile: &Profile, candidate: &Path) -> Result<Runtime, Unfit> {
        super::ask(profile, candidate, &Cancel::new().unwrap())
    }

    fn script(dir: &Path, name: &str, text: &str) -> PathBuf {
        let path = dir.join(name);
        std::fs::write(&path, text).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
        path
    }

    fn python() -> &'static Profile {
        profile(Language::Python)
    }

    #[test]
    fn a_shim_is_asked_once_for_the_real_program() {
        let dir = tempfile::tempdir().unwrap();
        script(dir.path(), "python3", "#!/bin/sh\nexec /usr/bin/python3 \"$@\"\n");
        let found = find(python(), None, Some(dir.path().as_os_str()), |_| Ok(())).unwrap();
        assert_eq!(found.path, std::fs::canonicalize("/usr/bin/python3").unwrap());
        assert!(found.mounts.iter().any(|path| path.ends_with("python3.11") || path.exists()));
    }

    #[test]
    fn what_is_passed_over_is_named_with_its_reason() {
        let dir = tempfile::tempdir().unwrap();
        let old = script(dir.path(), "old", "#!/bin/sh\nprintf '/x\\n3.8.1\\ncpython\\n\\n'\n");
        let found = find(python(), Some(&old), None, |_| Ok(())).unwrap();
        assert_eq!(found.passed_over.len(), 1);
        assert!(found.passed_over[0].contains("3.8.1, older than 3.11"), "{:?}", found.passed_over);
    }

    #[test]
    fn a_program_that_others_could_change_is_not_started() {
        let dir = tempfile::tempdir().unwrap();
        let told = dir.path().join("told");
        let text = format!("#!/bin/sh\ntouch {}\n", told.display());
        let open = script(dir.path(), "open", &text);
        std::fs::set_permissions(&open, std::fs::Permissions::from_mode(0o777)).unwrap();
        let link = dir.path().join("link");
        std::os::unix::fs::symlink(&open, &link).unwrap();
        for program in [&open, &link] {
            let why = ask(python(), program).unwrap_err();
            assert_eq!(why.to_string(), "others may write to it (mode 777)");
        }
        std::fs::set_permissions(&open, std::fs::Permissions::from_mode(0o755)).unwrap();
        std::fs::set_permissions(dir.path(), std::fs::Permissions::from_mode(0o777)).unwrap();
        assert!(ask(python(), &open).unwrap_err().to_string().starts_with("others may replace it"));
        assert!(!told.exists());
        // Whoever has one need not install another.
        let refused = |_: &Runtime| Err("it is not wanted".to_owned());
        let refusal = find(python(), Some(&open), None, refused).unwrap_err();
        let NoRuntime { told: why, is_there } = &refusal;
        assert!(is_there, "{refusal}");
        assert!(why.contains("Mend that") && !why.contains("Install"), "{why}");
    }

    #[test]
    fn one_that_may_not_be_executed_is_told_with_the_step_that_mends_it() {
        let dir = tempfile::tempdir().unwrap();
        let shut = script(dir.path(), "shut", "#!/bin/sh\n");
        std::fs::set_permissions(&shut, std::fs::Permissions::from_mode(0o644)).unwrap();
        let Err(Unfit::Mendable(why)) = ask(python(), &shut) else { panic!("it was asked") };
        let shown = shut.display();
        let told = format!("{shown} may not be executed (mode 644); chmod u+x {shown}");
        assert_eq!(why, format!("it cannot be started: {told}"));
    }

    #[test]
    fn an_old_node_is_passed_over_by_its_version() {
        let dir = tempfile::tempdir().unwrap();
        let old =
            script(dir.path(), "node", "#!/bin/sh\nprintf '/bin/sh\\nNode.js\\n16.20.2\\n'\n");
        let node = profile(Language::Javascript);
        let why = ask(node, &old).unwrap_err().to_string();
        assert_eq!(why, "it is 16.20.2, older than 18");
        let none = find(node, Some(&old), None, |_| Err("it is not wanted".to_owned()));
        let none = none.unwrap_err().to_string();
        assert!(none.starts_with("No Node.js 18 or newer "), "{none}");
        assert!(none.contains(&format!("{} was passed over: {why}.", old.display())), "{none}");
        std::os::unix::fs::symlink(&old, dir.path().join("nodejs")).unwrap();
        let path = Some(dir.path().as_os_str());
        let both = find(node, None, path, |_| Err("it is not wanted".to_owned()));
        let both = both.unwrap_err().to_string();
        assert_eq!(both.matches("it is 16.20.2").count(), 1, "{both}");
    }

    #[test]
    fn who_has_one_that_does_not_start_is_not_told_to_install_it() {
        let dir = tempfile::tempdir().unwrap();
        let there = script(dir.path(), "p", "#!/bin/sh\nprintf '/bin/sh\n3.12.1\ncpython\n\n'\n");
        let refused = |_: &Runtime| Err("it does not start in the sandbox: why".to_owned());
        let error = find(python(), Some(&there), None, refused).unwrap_err().to_string();
        assert!(error.starts_with("No Python 3.11 or newer can be used. "), "{error}");
        assert!(error.contains("in the sandbox: why. Mend that, or name another"), "{error}");
    }
}
