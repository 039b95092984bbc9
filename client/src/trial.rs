//! A run of the visible cases and of the user's own, which is no submission.

use std::time::Duration;

use vosim_protocol::v1::evaluation::Evaluation;
use vosim_protocol::v1::problem::CaseInfo;
use vosim_protocol::v1::service::{
    OwnCase, PROGRESS, ProblemShow, ProblemShowParams, ProblemTest, ProblemTestParams,
    ProgressNotice,
};

use crate::client::Client;
use crate::code_file::CodeFile;
use crate::connection::Notice;
use crate::errors::Failure;
use crate::follow::read;

/// Longer than any run's own limits, with some time to wait for its turn.
const RUN: Duration = Duration::from_secs(120);

/// What a file is tried against.
#[derive(Clone, Debug)]
pub(crate) struct Trial {
    /// None for the session's own.
    pub(crate) problem: Option<String>,
    /// None for the current one.
    pub(crate) session: Option<String>,
    pub(crate) cases: Vec<OwnCase>,
}

/// What became of it.
#[derive(Clone, Debug)]
pub(crate) struct Tried {
    pub(crate) evaluation: Evaluation,
    /// What the problem's cases are about.
    pub(crate) infos: Vec<CaseInfo>,
}

impl Trial {
    /// Runs the cases until the outcome is no longer wanted; then there is none.
    pub(crate) fn run(
        &self,
        client: &mut Client,
        file: CodeFile,
        mut on_progress: impl FnMut(ProgressNotice),
        wanted: impl FnMut() -> bool,
    ) -> Result<Option<Tried>, Failure> {
        let Self { problem, session, cases } = self.clone();
        let card = ProblemShowParams { problem: problem.clone(), session: session.clone() };
        let CodeFile { path: file_path, code, language, .. } = file;
        let params = ProblemTestParams { problem, session, file_path, code, language, cases };
        let on_notice = |notice: &Notice| {
            if notice.method == PROGRESS
                && let Ok(progress) = read(notice)
            {
                on_progress(progress);
            }
        };
        let Some(evaluation) = client.call_while::<ProblemTest>(&params, RUN, on_notice, wanted)?
        else {
            return Ok(None);
        };
        let infos = client.call::<ProblemShow>(&card)?.cases;
        Ok(Some(Tried { evaluation, infos }))
    }
}
