//! Runs of the tests in a workspace: what `vosim_agent::graded` plans, carried out in the sandbox (002
//! 6.4). The evaluator lends its interpreters and its way to talk with a program; it judges nothing here.

use std::path::{Path, PathBuf};
use std::time::Duration;

use vosim_agent::graded::{
    GradedPlace, GradedPlan, GradedRun, Strength, Suite, TestLanguage, Tried, changes,
};
use vosim_protocol::v1::agent::RunCaps;
use vosim_protocol::v1::problem::Language;
use vosim_sandbox_spec::{Network, RunReport, RunSpec, Verdict};

use super::Evaluator;
use super::cancel::Cancel;
use super::driver_process::Process;
use super::runner::{Refusal, sound};

/// Where pytest and hypothesis are, from the folder with the programs on.
const ENVIRONMENT: &str = "../lib/vosim/pytest";

/// The public certificates of a machine, which the sandbox shows to a run with a network.
const CERTIFICATES: &str = "/etc/ssl/certs";

/// Most that a run may say of its tests, bytes.
const SAID_MAX_BYTES: usize = 32 << 20;

/// Most changes of a program by which its tests are tried.
const CHANGES_MAX: usize = 12;

impl Evaluator {
    /// The folder with pytest and hypothesis.
    ///
    /// # Errors
    /// A sentence, where it was not installed.
    pub fn test_environment(&self) -> Result<PathBuf, String> {
        let helper = self.sandbox();
        let place = helper.parent().map(|dir| dir.join(ENVIRONMENT));
        let real = place.and_then(|place| place.canonicalize().ok());
        real.filter(|place| place.join("pytest").is_dir()).ok_or_else(|| {
            "pytest was not installed beside vosim; `make` fetches it, `make install` puts it there"
                .to_owned()
        })
    }

    /// Runs tests that are fixed, in a workspace given by its real path, with the network that its user has
    /// approved for this run; beside what came of them is the report of the run, with what it printed.
    ///
    /// # Errors
    /// If it was cancelled, there is no interpreter, or the sandbox failed.
    pub fn graded(
        &self,
        suite: &Suite,
        workspace: &Path,
        (run, network): (RunCaps, Network),
        cancel: &Cancel,
    ) -> Result<(GradedRun, RunReport), Refusal> {
        let word = word();
        let environment = self.environment_of(suite)?;
        let place = GradedPlace { workspace, environment: environment.as_deref(), run };
        let online = (network == Network::Outside).then_some(workspace);
        let (said, report) = self.carried_out(suite.plan(place, &word), online, cancel)?;
        Ok((suite.heard(&word, &said, &report), report))
    }

    /// Tries whether these tests notice small changes of one file, whose text is given.
    ///
    /// # Errors
    /// If it was cancelled, there is no interpreter, or the sandbox failed.
    pub fn strength(
        &self,
        suite: &Suite,
        workspace: &Path,
        (path, text): (&str, &str),
        run: RunCaps,
        cancel: &Cancel,
    ) -> Result<Strength, Refusal> {
        let changes = changes(suite.language(), text, CHANGES_MAX);
        if changes.is_empty() {
            return Ok(Strength::of(&[], &[]));
        }
        let word = word();
        let environment = self.environment_of(suite)?;
        let place = GradedPlace { workspace, environment: environment.as_deref(), run };
        let texts: Vec<String> = changes.iter().map(|change| change.text.clone()).collect();
        let plan = suite.plan_changes(place, &word, path, &texts);
        let (said, _) = self.carried_out(plan, None, cancel)?;
        let noticed = suite.heard_changes(&word, &said, changes.len());
        let covered = suite.heard_coverage(&word, &said);
        Ok(Strength { covered, ..Strength::of(&changes, &noticed) })
    }

    /// Runs these tests for each of these texts in the place of one file, within so much time for each.
    ///
    /// # Errors
    /// If it was cancelled, there is no interpreter, or the sandbox failed.
    pub fn tries(
        &self,
        suite: &Suite,
        workspace: &Path,
        (path, texts): (&str, &[String]),
        lasts: Duration,
        cancel: &Cancel,
    ) -> Result<Vec<Tried>, Refusal> {
        let word = word();
        let environment = self.environment_of(suite)?;
        let run = RunCaps::default();
        let place = GradedPlace { workspace, environment: environment.as_deref(), run };
        let plan = suite.plan_tries(place, &word, (path, texts), lasts);
        let (said, _) = self.carried_out(plan, None, cancel)?;
        Ok(suite.heard_tries(&word, &said, texts.len()))
    }

    /// Why a run in this language could not have a network that was approved (DECISIONS 50); None where it could.
    pub fn no_network(&self, language: TestLanguage, cancel: &Cancel) -> Option<String> {
        let runtime = match self.runtime(runtime_of(language)) {
            Ok(runtime) => runtime,
            Err(refusal) => return Some(refusal.to_string()),
        };
        let spec = RunSpec { network: Network::Outside, ..runtime.trial() };
        match self.report_of(&spec, cancel) {
            Ok(report) if report.verdict == Verdict::Ok => None,
            Ok(report) => {
                Some(report.error.unwrap_or_else(|| "its trial did not end well".to_owned()))
            }
            Err(unreported) => Some(unreported.why),
        }
    }

    fn environment_of(&self, suite: &Suite) -> Result<Option<PathBuf>, Refusal> {
        match suite.language() {
            TestLanguage::Python => self.test_environment().map(Some).map_err(Refusal::Interpreter),
            TestLanguage::Javascript => Ok(None),
        }
    }

    /// Carries a plan out; `online` is the workspace of a run with a network.
    fn carried_out(
        &self,
        plan: GradedPlan,
        online: Option<&Path>,
        cancel: &Cancel,
    ) -> Result<(Vec<u8>, RunReport), Refusal> {
        let runtime = self.runtime(runtime_of(plan.language))?;
        let words: Vec<&str> = plan.words.iter().map(String::as_str).collect();
        let mut spec = runtime.command(&plan.limits, &words);
        spec.files = plan.files;
        spec.mounts.extend(plan.mounts);
        spec.channel = true;
        if let Some(workspace) = online {
            spec.network = Network::Outside;
            spec.env.extend(told_of_network(workspace));
        }
        let mut process = Process::start(&self.sandbox(), self.user(), &spec)
            .map_err(|error| Refusal::Sandbox(vosim_protocol::trouble::cause(&error)))?;
        process.post(plan.opening);
        let said = process.everything(SAID_MAX_BYTES, cancel);
        let report = sound(process.report(cancel), cancel)?;
        // Of one that says too much nothing is believed.
        Ok((said.unwrap_or_else(|| b"\n".to_vec()), report))
    }
}

const fn runtime_of(language: TestLanguage) -> Language {
    match language {
        TestLanguage::Python => Language::Python,
        TestLanguage::Javascript => Language::Javascript,
    }
}

/// What a run with a network is told of it: where certificates are, since the folder with OpenSSL's settings is
/// not shown, and that installs go into the workspace (DECISIONS 50), to folders that are not taken for its code.
fn told_of_network(workspace: &Path) -> impl Iterator<Item = (String, String)> {
    let inside = |name: &str| workspace.join(name).to_string_lossy().into_owned();
    let told = [
        ("SSL_CERT_DIR", CERTIFICATES.to_owned()),
        ("PIP_TARGET", inside("site-packages")),
        ("PIP_NO_CACHE_DIR", "1".to_owned()),
        ("npm_config_prefix", inside("node_modules")),
        ("npm_config_cache", "/tmp/npm".to_owned()),
    ];
    told.into_iter().map(|(name, value)| (name.to_owned(), value))
}

/// From the operating system's random numbers.
fn word() -> String {
    uuid::Uuid::new_v4().simple().to_string()
}

#[cfg(test)]
pub(super) mod tests;
