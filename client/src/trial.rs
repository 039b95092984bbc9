//! A run of the visible cases and of the user's own, which is no submission.

use std::os::fd::BorrowedFd;
use std::time::Duration;

use vosim_protocol::v1::attempt::KeptCase;
use vosim_protocol::v1::evaluation::Evaluation;
use vosim_protocol::v1::service::{
    OwnCase, PROGRESS, ProblemCard, ProblemShow, ProblemShowParams, ProblemTest, ProblemTestParams,
    ProgressNotice, View, ViewParams,
};
use vosim_protocol::{Kind, Role};

use crate::any_view::AnyView;
use crate::client::Client;
use crate::code_file::CodeFile;
use crate::connection::{ASK_EVERY, Notice};
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

impl Trial {
    /// Runs the cases.
    pub(crate) fn run(
        &self,
        client: &mut Client,
        file: CodeFile,
        on_progress: impl FnMut(ProgressNotice),
    ) -> Result<Evaluation, Failure> {
        let always = (None, || Some(ASK_EVERY));
        self.run_while(client, file, on_progress, always)?.ok_or_else(Failure::lost)
    }

    /// The same until the outcome is no longer wanted ([`Client::call_while`]); then there is none.
    pub(crate) fn run_while(
        &self,
        client: &mut Client,
        file: CodeFile,
        mut on_progress: impl FnMut(ProgressNotice),
        wanted: (Option<BorrowedFd<'_>>, impl FnMut() -> Option<Duration>),
    ) -> Result<Option<Evaluation>, Failure> {
        let Self { problem, session, cases } = self.clone();
        let CodeFile { path: file_path, code, language, .. } = file;
        let params = ProblemTestParams { problem, session, file_path, code, language, cases };
        let on_notice = |notice: &Notice| {
            if notice.method == PROGRESS
                && let Ok(progress) = read(notice)
            {
                on_progress(progress);
            }
        };
        client.call_while::<ProblemTest>(&params, RUN, on_notice, wanted)
    }

    /// The same with the cases that are kept in its session, if it is an attempt.
    pub(crate) fn with_kept(
        mut self,
        client: &mut Client,
        card: &ProblemCard,
    ) -> Result<Self, Failure> {
        if card.kind != Some(Kind::Attempt) {
            return Ok(self);
        }
        let params = ViewParams { session: self.session.clone(), role: Role::Candidate };
        let found = client.call::<View>(&params)?;
        let AnyView::Attempt(view) = AnyView::read(&found)? else { return Ok(self) };
        let named = |(case, number): (KeptCase, u32)| {
            let name = format!("kept case {number}");
            OwnCase { name, ops: case.ops, by_reference: true }
        };
        self.cases.splice(0..0, view.own_cases.into_iter().zip(1..).map(named));
        Ok(self)
    }

    /// The problem that its file is tried against.
    pub(crate) fn card(&self, client: &mut Client) -> Result<ProblemCard, Failure> {
        let Self { problem, session, .. } = self.clone();
        client.call::<ProblemShow>(&ProblemShowParams { problem, session })
    }
}
