//! Makes a failing run as short as it will go.

use std::sync::Arc;

use vosim_protocol::v1::effect::{Shrink, Trace};
use vosim_protocol::v1::problem::Language;

use crate::content;
use crate::effects::{CarryOut, Done, Run};
use crate::evaluator::{CancelGuard, Contender, Differing, Refusal, public_run, public_runs};

impl CarryOut for Shrink {
    async fn carry_out(self, run: &Run) -> Result<Done<Box<Trace>>, String> {
        let Self { code, file_path, language, case, own } = self;
        let exercise = run.daemon.exercise(run.kind, run.spec, None).await?;
        let guide = run.guide().await?;
        let draw = run.drawn_inputs().await?;
        let code = run.code(code).await?;
        let _turn = run.daemon.turns.run().await;
        let (_guard, cancel) = CancelGuard::new().map_err(|refusal| refusal.to_string())?;
        let evaluator = Arc::clone(&run.daemon.evaluator);
        let shrunk = run.daemon.blocking(move |_| {
            let (problem, suite) = (&exercise.problem, &exercise.suite);
            let of_case = public_run(problem, suite, &case);
            let failing = if own.is_empty() { of_case.unwrap_or_default() } else { own.as_slice() };
            let reference = guide.reference.as_bytes();
            let differing = Differing {
                problem,
                program: Contender { code: &code, file_path: &file_path, language },
                right: Contender {
                    code: reference,
                    file_path: "reference.py",
                    language: Language::Python,
                },
                known: &public_runs(problem, suite),
                draw: draw.as_ref(),
                check: content::check_ops,
            };
            evaluator.shrink(differing, failing, &cancel)
        });
        let shrunk = shrunk.await.map_err(|refusal: Refusal| refusal.to_string())?;
        let trace = shrunk.ok_or("no run was found that may be shown and fails by itself")?;
        Ok(Box::new(trace).into())
    }
}
