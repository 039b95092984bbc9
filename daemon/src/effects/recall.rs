//! Asks the memory of earlier tasks. One that is slow or broken holds nothing, and says so (002 7.3).

use vosim_agent::memory::{Degraded, Failure, Lesson, Partly, Recipe};
use vosim_protocol::BlobRef;
use vosim_protocol::v1::agent::{Hit, TaskLanguage, TestError};
use vosim_protocol::v1::effect::{Memory, Recall, Recalled};
use vosim_protocol::v1::problem::Language;

use crate::effects::{CarryOut, Done, Run};

impl CarryOut for Recall {
    async fn carry_out(self, run: &Run) -> Result<Done<Recalled>, String> {
        let daemon = &run.daemon;
        let (at, desk) = (daemon.now(), daemon.memory()?);
        let trace = trace(run, self.trace).await?;
        let recalled = match (self.what, self.error) {
            (Memory::Patterns, _) | (Memory::Failures, None) => {
                let found = desk.recipes(self.task, at).await;
                let hits = found.found.into_iter().map(of_recipe).collect();
                Recalled { hits, warning: warning(&found.degraded) }
            }
            (Memory::Failures, Some(error)) => {
                let found = desk.lessons(failure(error, trace, self.language), at).await;
                let hits = found.found.into_iter().map(of_lesson).collect();
                Recalled { hits, warning: warning(&found.degraded) }
            }
        };
        Ok(recalled.into())
    }
}

/// What a memory goes on without.
pub(super) fn warning(degraded: &[Degraded]) -> Option<String> {
    degraded.first().map(ToString::to_string)
}

pub(super) fn language(language: TaskLanguage) -> Language {
    match language {
        TaskLanguage::Python => Language::Python,
        TaskLanguage::Node => Language::Javascript,
    }
}

/// How a run came to an error, as far as that was not erased.
pub(super) async fn trace(run: &Run, trace: Option<BlobRef>) -> Result<Option<String>, String> {
    let Some(trace) = trace else { return Ok(None) };
    let kept = run.code_if_kept(trace.hash).await?;
    Ok(kept.map(|bytes| String::from_utf8_lossy(&bytes).into_owned()))
}

/// An error as the memory keeps it, without the code that failed. Where nothing is known of how a run came to
/// it, the test and the place stand for that.
pub(super) fn failure(error: TestError, trace: Option<String>, of: TaskLanguage) -> Failure {
    let TestError { test, error_type, message, place } = error;
    let trace = trace.unwrap_or_else(|| format!("{test} {place}"));
    Failure { language: language(of), error_type, message, trace, code: String::new() }
}

fn of_recipe(recipe: Recipe) -> Hit {
    let names: Vec<_> = recipe.pattern.files.keys().map(String::as_str).collect();
    let mut solution = format!("{}\nFiles: {}", recipe.pattern.notes, names.join(", "));
    if let Some(Partly { passed, total }) = recipe.partly {
        // Whoever is told must not take it for one that works.
        solution.insert_str(0, &format!("That task failed: {passed} of {total} tests passed.\n"));
    }
    let (from, about) = (recipe.task, recipe.pattern.description);
    Hit { from, about, solution, similarity: recipe.score.0.into() }
}

fn of_lesson(lesson: Lesson) -> Hit {
    let Failure { error_type, message, .. } = lesson.failure;
    let about = format!("{error_type}: {message}");
    Hit { from: lesson.task, about, solution: lesson.solution, similarity: lesson.score.0.into() }
}
