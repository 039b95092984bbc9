//! Judges a submission against the session's suite.

use vosim_protocol::v1::effect::Evaluate;
use vosim_protocol::v1::evaluation::Evaluation;

use crate::effects::{CarryOut, Done, Run};

impl CarryOut for Evaluate {
    async fn carry_out(self, run: &Run) -> Result<Done<Box<Evaluation>>, String> {
        let judging =
            run.judging(self.code, self.file_path, self.language, Some(self.suite)).await?;
        run.judge(judging).await.map(Done::from)
    }
}
