//! Runs of the tests in a workspace: what `vosim_agent::graded` plans, carried out in the sandbox (002
//! 6.4). The evaluator lends its interpreters and its way to talk with a program; it judges nothing here.

use std::path::{Path, PathBuf};
use std::time::Duration;

use vosim_agent::graded::{
    GradedPlace, GradedPlan, GradedRun, Strength, Suite, TestLanguage, Tried, changes,
};
use vosim_protocol::v1::agent::RunCaps;
use vosim_protocol::v1::problem::Language;
use vosim_sandbox_spec::RunReport;

use super::Evaluator;
use super::cancel::Cancel;
use super::driver_process::Process;
use super::runner::{Refusal, sound};

/// Where pytest and hypothesis are, from the folder with the programs on.
const ENVIRONMENT: &str = "../lib/vosim/pytest";

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

    /// Runs tests that are fixed, in a workspace given by its real path; beside what came of them is the
    /// report of the run, with what it printed.
    ///
    /// # Errors
    /// If it was cancelled, there is no interpreter, or the sandbox failed.
    pub fn graded(
        &self,
        suite: &Suite,
        workspace: &Path,
        run: RunCaps,
        cancel: &Cancel,
    ) -> Result<(GradedRun, RunReport), Refusal> {
        let word = word();
        let environment = self.environment_of(suite)?;
        let place = GradedPlace { workspace, environment: environment.as_deref(), run };
        let (said, report) = self.carried_out(suite.plan(place, &word), cancel)?;
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
        let (said, _) = self.carried_out(plan, cancel)?;
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
        let (said, _) = self.carried_out(plan, cancel)?;
        Ok(suite.heard_tries(&word, &said, texts.len()))
    }

    fn environment_of(&self, suite: &Suite) -> Result<Option<PathBuf>, Refusal> {
        match suite.language() {
            TestLanguage::Python => self.test_environment().map(Some).map_err(Refusal::Interpreter),
            TestLanguage::Javascript => Ok(None),
        }
    }

    fn carried_out(
        &self,
        plan: GradedPlan,
        cancel: &Cancel,
    ) -> Result<(Vec<u8>, RunReport), Refusal> {
        let language = match plan.language {
            TestLanguage::Python => Language::Python,
            TestLanguage::Javascript => Language::Javascript,
        };
        let runtime = self.runtime(language)?;
        let words: Vec<&str> = plan.words.iter().map(String::as_str).collect();
        let mut spec = runtime.command(&plan.limits, &words);
        spec.files = plan.files;
        spec.mounts.extend(plan.mounts);
        spec.channel = true;
        let mut process = Process::start(&self.sandbox(), self.user(), &spec)
            .map_err(|error| Refusal::Sandbox(vosim_protocol::trouble::cause(&error)))?;
        process.post(plan.opening);
        let said = process.everything(SAID_MAX_BYTES, cancel);
        let report = sound(process.report(cancel), cancel)?;
        // Of one that says too much nothing is believed.
        Ok((said.unwrap_or_else(|| b"\n".to_vec()), report))
    }
}

/// From the operating system's random numbers.
fn word() -> String {
    uuid::Uuid::new_v4().simple().to_string()
}

#[cfg(test)]
pub(super) mod tests;
