//! What the sandbox is asked for: the program that runs the tests, the line that it begins with, and the
//! bounds of 002 6.4.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use serde_json::json;
use vosim_protocol::v1::agent::{RunBounds, RunCaps};
use vosim_sandbox_spec::{Content, Limits, Mount};

use super::suite::{Suite, TestLanguage};

/// The program that runs tests, in the run's own folder.
const PYTHON_RUNNER: (&str, &str) = ("vosim-tests", include_str!("python/runner.py"));
const NODE_RUNNER: (&str, &str) = ("vosim-tests.cjs", include_str!("javascript/runner.cjs"));

/// How long the tests may take for one change of the program.
const CHANGE_LASTS: Duration = Duration::from_secs(10);

/// Where a run takes place.
#[derive(Clone, Copy, Debug)]
pub struct GradedPlace<'a> {
    /// The real path of the workspace, the only folder that the run may change.
    pub workspace: &'a Path,
    /// The folder with pytest and hypothesis; JavaScript needs none.
    pub environment: Option<&'a Path>,
    /// What it may use up.
    pub run: RunCaps,
}

/// What is added to the command of a language's runtime.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GradedPlan {
    /// The language whose runtime it is.
    pub language: TestLanguage,
    /// The words behind the runtime's own.
    pub words: Vec<String>,
    /// Files for the run's own folder.
    pub files: BTreeMap<String, Content>,
    /// Parts of the machine that it sees beside the runtime.
    pub mounts: Vec<Mount>,
    /// What is said first on its channel.
    pub opening: Vec<u8>,
    /// Its bounds.
    pub limits: Limits,
}

/// One processor, and what a person may raise: usually five minutes, 1 GiB, 100 processes (002 6.4).
pub fn limits(run: RunCaps) -> Limits {
    let RunBounds { memory_mib, minutes, processes } = run.in_force();
    Limits {
        cpu_ms: minutes * 60_000,
        wall_ms: minutes * 60_000,
        // A fifth of it, since what waits longer comes to nothing.
        idle_ms: minutes * 12_000,
        memory: memory_mib << 20,
        output_keep: 32 * 1024,
        processes: u32::try_from(processes).unwrap_or(u32::MAX),
        open_files: 256,
        file_size: 64 << 20,
        one_core: true,
        ..Limits::submission()
    }
}

impl Suite {
    /// The run of these tests. The word begins everything that is believed of it; it must be new and
    /// not to be guessed.
    pub fn plan(&self, place: GradedPlace<'_>, word: &str) -> GradedPlan {
        self.planned(place, word, None, (CHANGE_LASTS, false))
    }

    /// A run of these tests for each of these texts in the place of one file.
    pub fn plan_changes(
        &self,
        place: GradedPlace<'_>,
        word: &str,
        path: &str,
        texts: &[String],
    ) -> GradedPlan {
        self.planned(place, word, Some((path, texts)), (CHANGE_LASTS, false))
    }

    /// Does the same, and asks how each test ended, within so much time for each text.
    pub fn plan_tries(
        &self,
        place: GradedPlace<'_>,
        word: &str,
        (path, texts): (&str, &[String]),
        lasts: Duration,
    ) -> GradedPlan {
        self.planned(place, word, Some((path, texts)), (lasts, true))
    }

    fn planned(
        &self,
        place: GradedPlace<'_>,
        word: &str,
        changes: Option<(&str, &[String])>,
        (lasts, each_test): (Duration, bool),
    ) -> GradedPlan {
        let tests = self.files.iter().map(|it| json!({ "path": it.path, "text": it.text }));
        let changes = changes.into_iter().flat_map(|(path, texts)| {
            texts.iter().map(move |text| json!({ "path": path, "text": text }))
        });
        let order = json!({
            "word": word,
            "workspace": place.workspace,
            "environment": place.environment,
            "tests": tests.collect::<Vec<_>>(),
            "changes": changes.collect::<Vec<_>>(),
            "change_secs": lasts.as_secs_f64(),
            "each_test": each_test,
            // Once, beside changes that tell how strong the tests are.
            "cover": !each_test,
        });
        let (name, text) = match self.language {
            TestLanguage::Python => PYTHON_RUNNER,
            TestLanguage::Javascript => NODE_RUNNER,
        };
        let mount = |path: &Path, writable| Mount { path: path.to_owned(), writable };
        let environment = place.environment.map(|path| mount(path, false));
        GradedPlan {
            language: self.language,
            words: vec![name.to_owned()],
            files: [(name.to_owned(), text.to_owned().into())].into(),
            mounts: environment.into_iter().chain([mount(place.workspace, true)]).collect(),
            opening: format!("{order}\n").into_bytes(),
            limits: limits(place.run),
        }
    }
}
