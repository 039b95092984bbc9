//! Draws the hidden inputs of a session.

use vosim_protocol::v1::effect::{Draw, Drawn};
use vosim_protocol::v1::problem::DrawnInputs;
use vosim_protocol::{Blob, Hash};

use crate::effects::{CarryOut, Done, Run};

impl CarryOut for Draw {
    async fn carry_out(self, run: &Run) -> Result<Done<Drawn>, String> {
        let Self {} = self;
        let draw = run.drawn_inputs().await?.ok_or("the problem has no generator")?;
        let exercise = run.daemon.exercise(run.kind, run.spec, None).await?;
        let (_, suite) = run.daemon.draw(draw, exercise).await?;
        Ok(Done { outcome: Drawn { suite: Hash::of(&suite) }, blobs: vec![Blob(suite)] })
    }
}

impl Run {
    /// How hidden inputs are drawn; none where the problem has no generator.
    pub(super) async fn drawn_inputs(&self) -> Result<Option<DrawnInputs>, String> {
        self.daemon.drawn_inputs(self.kind, self.spec).await
    }
}
