//! Measures how the time per operation grows.

use std::sync::Arc;
use std::time::Duration;

use vosim_protocol::v1::effect::Probe;
use vosim_protocol::v1::evaluation::GrowthPoint;

use crate::effects::{CarryOut, Done, Run};
use crate::evaluator::CancelGuard;

/// How long after a verdict the time per call is measured: until then the verdict is told, and
/// whoever draws it has the machine.
const PAUSE: Duration = Duration::from_millis(50);

impl CarryOut for Probe {
    async fn carry_out(self, run: &Run) -> Result<Done<Vec<GrowthPoint>>, String> {
        tokio::time::sleep(PAUSE).await;
        let judging = run.judging(self.code, self.file_path, self.language, None).await?;
        let _turn = run.daemon.turns.run().await;
        let (_guard, cancel) =
            CancelGuard::new().map_err(|error| vosim_protocol::trouble::cause(&error))?;
        let evaluator = Arc::clone(&run.daemon.evaluator);
        let probed = run.daemon.blocking(move |_| evaluator.probe(&judging.submission(), &cancel));
        let points = probed.await.map_err(|refusal| refusal.to_string())?;
        let points =
            points.ok_or("the code did not go through with the measurement in a few seconds")?;
        Ok(points.into())
    }
}
