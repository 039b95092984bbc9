//! Checks an invariant on runs of the reference and of the planted programs.

use std::sync::Arc;

use vosim_protocol::v1::effect::{CheckInvariant, Checked};

use crate::effects::{CarryOut, Done, Run};
use crate::evaluator::{CancelGuard, Refusal};

impl CarryOut for CheckInvariant {
    async fn carry_out(self, run: &Run) -> Result<Done<Checked>, String> {
        let Self { template, choices } = self;
        let exercise = run.daemon.exercise(run.kind, run.spec, None).await?;
        let guide = run.guide().await?;
        let _turn = run.daemon.turns.run().await;
        let (_guard, cancel) =
            CancelGuard::new().map_err(|error| vosim_protocol::trouble::cause(&error))?;
        let evaluator = Arc::clone(&run.daemon.evaluator);
        let checked = run.daemon.blocking(move |_| {
            let (problem, suite) = (&exercise.problem, &exercise.suite);
            evaluator.check_invariant(problem, suite, &guide, &template, &choices, &cancel)
        });
        checked.await.map(Done::from).map_err(|refusal: Refusal| refusal.to_string())
    }
}
