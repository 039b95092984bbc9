//! Draws the hidden inputs of a session.

use std::sync::Arc;

use vosim_engine::kinds;
use vosim_protocol::v1::effect::{Draw, Drawn};
use vosim_protocol::v1::problem::DrawnInputs;
use vosim_protocol::{Blob, Hash, Wire as _};

use crate::content;
use crate::effects::{CarryOut, Done, Run};
use crate::evaluator::CancelGuard;

impl CarryOut for Draw {
    async fn carry_out(self, run: &Run) -> Result<Done<Drawn>, String> {
        let Self {} = self;
        let daemon = &run.daemon;
        let draw = run.drawn_inputs().await?.ok_or("the problem has no generator")?;
        let exercise = daemon.exercise(run.kind, run.spec, None).await?;
        let _turn = daemon.turns.run().await;
        let (_guard, cancel) =
            CancelGuard::new().map_err(|error| vosim_protocol::trouble::cause(&error))?;
        let evaluator = Arc::clone(&daemon.evaluator);
        let suite = daemon.blocking(move |_| {
            let suite = exercise.suite.clone();
            let check = content::check_ops;
            let suite = evaluator.draw(&draw, &exercise.problem, suite, check, &cancel)?;
            Ok(suite.to_line())
        });
        let suite =
            suite.await.map_err(|refusal: crate::evaluator::Refusal| refusal.to_string())?;
        Ok(Done { outcome: Drawn { suite: Hash::of(&suite) }, blobs: vec![Blob(suite)] })
    }
}

impl Run {
    /// How hidden inputs are drawn; none where the problem has no generator.
    pub(super) async fn drawn_inputs(&self) -> Result<Option<DrawnInputs>, String> {
        let (kind, spec) = (self.kind, self.spec);
        let draw = self.daemon.blocking(move |store| {
            let spec = store.blob(spec).map_err(|error| error.to_string())?;
            kinds::draw(kind, &spec).map_err(|error| error.to_string())
        });
        draw.await
    }
}
