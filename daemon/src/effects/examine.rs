//! Runs a candidate's examples with the reference and the planted programs.

use std::sync::Arc;

use vosim_protocol::v1::effect::{Examine, Examined};
use vosim_protocol::v1::guide::Guide;

use crate::content;
use crate::effects::{CarryOut, Done, Run};
use crate::evaluator::{CancelGuard, Refusal};

impl CarryOut for Examine {
    async fn carry_out(self, run: &Run) -> Result<Done<Examined>, String> {
        let Self { runs, reference_only } = self;
        let exercise = run.daemon.exercise(run.kind, run.spec, None).await?;
        let guide = run.guide().await?;
        for (number, ops) in (1..).zip(&runs) {
            let checked = content::check_ops(&exercise.problem.interface, ops);
            let of_one = |why: String| match runs.len() {
                1 => why,
                _ => format!("example {number}: {why}"),
            };
            checked.map_err(of_one)?;
        }
        let _turn = run.daemon.turns.run().await;
        let (_guard, cancel) =
            CancelGuard::new().map_err(|error| vosim_protocol::trouble::cause(&error))?;
        let evaluator = Arc::clone(&run.daemon.evaluator);
        let examined = run.daemon.blocking(move |_| {
            let planted = if reference_only { &[][..] } else { &guide.planted };
            let reference = &guide.reference;
            let (problem, suite) = (&exercise.problem, &exercise.suite);
            evaluator.examine(problem, suite, reference, planted, &runs, &cancel)
        });
        examined.await.map(Done::from).map_err(|refusal: Refusal| refusal.to_string())
    }
}

impl Run {
    /// What guides through the session's problem.
    pub(super) async fn guide(&self) -> Result<Guide, String> {
        let guide = self.daemon.guide(self.kind, self.spec).await?;
        guide.ok_or_else(|| format!("{} has no guide", self.kind.with_article()))
    }
}
