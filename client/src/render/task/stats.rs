//! Figures over all tasks: the queries of 002 10.2.

use std::collections::BTreeMap;

use serde::Serialize;
use vosim_protocol::v1::task::{IterationSums, State, View};

use super::cost;
use crate::render::look::{Look, Tone};
use crate::render::page::Page;
use crate::render::text::{count, duration, thousands};

/// Figures over all tasks.
#[derive(Debug, Default, PartialEq, Serialize)]
pub(crate) struct Stats {
    /// By language: how many tasks succeeded, and after how many iterations.
    pub(crate) languages: BTreeMap<&'static str, Language>,
    /// Tasks that were begun.
    pub(crate) tasks: usize,
    /// Iterations of all of them.
    pub(crate) iterations: u32,
    /// Milliseconds of an iteration, on average.
    pub(crate) iteration_ms: u64,
    /// Tokens of an iteration, on average.
    pub(crate) iteration_tokens: u64,
    /// Tests that passed of all that ran, in hundredths.
    pub(crate) pass_percent: Option<u64>,
    /// Times that the memory had something to say of all that it was asked, in hundredths.
    pub(crate) memory_percent: Option<u64>,
    /// Times that a person was asked, of a task, on average, in hundredths.
    pub(crate) approvals_hundredths: u64,
    /// Each task with what it used up.
    pub(crate) costs: Vec<Cost>,
}

/// The tasks of one language.
#[derive(Debug, Default, PartialEq, Serialize)]
pub(crate) struct Language {
    pub(crate) tasks: usize,
    pub(crate) succeeded: usize,
    /// Iterations to success: average and standard deviation, in hundredths.
    pub(crate) average_hundredths: Option<u64>,
    pub(crate) deviation_hundredths: Option<u64>,
}

/// What one task used up.
#[derive(Debug, PartialEq, Serialize)]
pub(crate) struct Cost {
    pub(crate) session_id: String,
    pub(crate) tokens: u64,
    /// Absent where nobody knows it.
    pub(crate) cost_micros: Option<u64>,
}

impl Stats {
    pub(crate) fn of(tasks: &[View]) -> Self {
        let sums = tasks.iter().map(View::sums).fold(IterationSums::default(), IterationSums::and);
        let number = u64::from(sums.iterations).max(1);
        let percent = |part: u64, of: u64| (of > 0).then(|| part * 100 / of);
        let languages = vosim_protocol::v1::agent::TaskLanguage::ALL.map(|language| {
            let of: Vec<_> = tasks.iter().filter(|view| view.language == language).collect();
            (language.name(), Language::of(&of))
        });
        Self {
            languages: languages.into_iter().filter(|(_, of)| of.tasks > 0).collect(),
            tasks: tasks.len(),
            iterations: sums.iterations,
            iteration_ms: sums.duration_ms / number,
            iteration_tokens: (sums.prompt + sums.completion) / number,
            pass_percent: percent(sums.passed, sums.passed + sums.failed),
            memory_percent: percent(sums.memory_hits, sums.memory_asked),
            approvals_hundredths: sums.approvals * 100 / (tasks.len() as u64).max(1),
            costs: tasks.iter().map(Cost::of).collect(),
        }
    }
}

impl Language {
    fn of(tasks: &[&View]) -> Self {
        let succeeded: Vec<u64> = tasks
            .iter()
            .filter(|view| view.state == State::Success)
            .map(|view| u64::from(view.iteration))
            .collect();
        let number = succeeded.len() as u64;
        let average = (number > 0).then(|| succeeded.iter().sum::<u64>() * 100 / number);
        // Of a sample: it needs two.
        let deviation = average.filter(|_| number > 1).map(|average| {
            let squares = succeeded.iter().map(|one| (one * 100).abs_diff(average).pow(2));
            (squares.sum::<u64>() / (number - 1)).isqrt()
        });
        Self {
            tasks: tasks.len(),
            succeeded: succeeded.len(),
            average_hundredths: average,
            deviation_hundredths: deviation,
        }
    }
}

impl Cost {
    fn of(view: &View) -> Self {
        let spent = &view.spent;
        Self {
            session_id: view.session_id.to_string(),
            tokens: spent.prompt + spent.completion,
            cost_micros: (spent.unpriced == 0).then_some(spent.cost_micros),
        }
    }
}

fn hundredths(number: u64) -> String {
    format!("{}.{:02}", number / 100, number % 100)
}

pub(crate) fn screen(stats: &Stats, look: &Look) -> String {
    let mut page = Page::new(look);
    if stats.tasks == 0 {
        page.say(Tone::Plain, "There are no tasks. Start one with: vosimctl task run");
        return page.finish();
    }
    page.say(Tone::Strong, "Iterations to success, by language");
    for (language, of) in &stats.languages {
        let Language { tasks, succeeded, average_hundredths, deviation_hundredths } = of;
        let average = average_hundredths.map_or("none".to_owned(), hundredths);
        let deviation = deviation_hundredths.map(|one| format!(", deviation {}", hundredths(one)));
        let deviation = deviation.unwrap_or_default();
        page.item(
            Tone::Plain,
            &format!(
                "{language}: {succeeded} of {} succeeded; average {average}{deviation}",
                count(*tasks as u64, "task")
            ),
        );
    }
    page.say(Tone::Strong, "Each iteration, on average");
    let (time, tokens) = (duration(stats.iteration_ms / 1_000), thousands(stats.iteration_tokens));
    page.item(
        Tone::Plain,
        &format!("{time} and {tokens} tokens, over {}", count(stats.iterations, "iteration")),
    );
    let percent =
        |value: Option<u64>| value.map_or("none yet".to_owned(), |one| format!("{one} %"));
    page.item(Tone::Plain, &format!("tests passed: {}", percent(stats.pass_percent)));
    page.item(
        Tone::Plain,
        &format!("memory had something to say: {}", percent(stats.memory_percent)),
    );
    page.say(Tone::Strong, "Each task");
    page.item(
        Tone::Plain,
        &format!("a person was asked {} times, on average", hundredths(stats.approvals_hundredths)),
    );
    for Cost { session_id, tokens, cost_micros } in &stats.costs {
        let (id, tokens) = (session_id.get(..8).unwrap_or(session_id), thousands(*tokens));
        page.item(
            Tone::Plain,
            &format!("{id}: {tokens} tokens, {}", cost(*cost_micros, *tokens != *"0")),
        );
    }
    page.finish()
}
