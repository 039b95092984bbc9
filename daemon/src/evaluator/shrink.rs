//! Makes a run on which two programs differ as short as it will go, and tells it call by call (003:
//! VERIFY).
//!
//! Many shorter runs are tried in one process of each program; the two never share one. What is kept is
//! the smallest on which they still differ, until nothing smaller does. A program that remembers what ran
//! before may differ only in that company: a run that does not fail by itself is joined with earlier ones,
//! and every shorter one is then tried in a process of its own. Nothing depends on time unless there is
//! too little of it, which the trace says.

pub(super) mod domain;
pub(super) mod moves;

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use vosim_engine::parts::verdict::limit_sentence;
use vosim_protocol::v1::effect::{Trace, TracedCall};
use vosim_protocol::v1::evaluation::Detail;
use vosim_protocol::v1::problem::{CaseInfo, DrawnInputs, Interface, Language, Op, Problem, Suite};
use vosim_protocol::{Hash, Json};
use vosim_sandbox_spec::Limits;

use super::cancel::Cancel;
use super::draw::answers_are_wanted;
use super::frames::Loaded;
use super::outcome::{End, RunOutcome};
use super::runner::{Calls, Refusal};
use super::submission::Submission;
use super::{Evaluator, judge, words};

use domain::Domain;
use moves::{Size, size, smaller};

/// Most processes of one search.
const PROCESSES_MAX: u32 = 400;
/// Longest search.
const WALL_MAX: Duration = Duration::from_secs(12);
/// What the runs of one process may compute and take, milliseconds.
const CPU_MS: u64 = 2_000;
const WALL_MS: u64 = 5_000;
const IDLE_MS: u64 = 1_000;
/// Most runs of one process, and most calls and parts of arguments in them.
const RUNS_MAX: usize = 300;
const PARTS_MAX: usize = 60_000;
/// Earlier runs that a run is joined with one by one, nearest first.
const COMPANY_MAX: usize = 12;
/// Seeds that are drawn where no public run fails, and the longest drawn run that is tried, calls.
const DRAWN_SEEDS: usize = 3;
const DRAWN_CALLS_MAX: usize = 2_500;
/// How often the run that was found is made once more, where the machine is too busy for it.
const CONFIRMATIONS: usize = 3;
/// Most calls that a trace shows, and most bytes of a run that it keeps.
const CALLS_SHOWN: usize = 40;
const KEPT_BYTES: usize = 8 * 1024;

/// One of two programs that are compared.
#[derive(Clone, Copy, Debug)]
pub struct Contender<'a> {
    /// The bytes.
    pub code: &'a [u8],
    /// Its author's name for the file.
    pub file_path: &'a str,
    /// The language.
    pub language: Language,
}

impl<'a> Contender<'a> {
    fn submission(self, problem: &'a Problem, suite: &'a Suite) -> Submission<'a> {
        let Contender { code, file_path, language } = self;
        Submission { problem, suite, code, file_path, language }
    }
}

/// Two programs, and runs of the problem.
#[derive(Clone, Copy, Debug)]
pub struct Differing<'a> {
    /// The problem.
    pub problem: &'a Problem,
    /// The program whose mistake is looked for.
    pub program: Contender<'a>,
    /// The program that gives the right answers.
    pub right: Contender<'a>,
    /// The runs that may be shown, in the order in which they are judged: what inputs look like, and
    /// what else may fail.
    pub known: &'a [Vec<Op>],
    /// How inputs are drawn. Those that are drawn for this session are never taken.
    pub draw: Option<&'a DrawnInputs>,
    /// Whether calls can be made through the problem's interface.
    pub check: fn(&Interface, &[Op]) -> Result<(), String>,
}

/// The calls of a case as far as they may be shown: its own, or those of its twin.
pub fn public_run<'a>(problem: &Problem, suite: &'a Suite, name: &str) -> Option<&'a [Op]> {
    let info = problem.cases.iter().find(|info| info.name == name)?;
    let data = suite.cases.iter().find(|data| data.name == name)?;
    Some(if info.visible { &data.ops } else { &data.twin })
}

/// All runs of a problem that may be shown, in the order in which they are judged.
pub fn public_runs(problem: &Problem, suite: &Suite) -> Vec<Vec<Op>> {
    let cases = |visible: bool| problem.cases.iter().filter(move |info| info.visible == visible);
    let of = |info: &CaseInfo| public_run(problem, suite, &info.name).map(<[Op]>::to_vec);
    let small = problem.runs.iter().map(|run| run.ops.clone());
    let all = cases(true).filter_map(of).chain(small).chain(cases(false).filter_map(of));
    all.filter(|ops| !ops.is_empty()).collect()
}

impl Evaluator {
    /// The shortest run on which both differ, made of this one or, where it does not fail, of another
    /// known one; none where no run that may be shown fails.
    pub fn shrink(
        &self,
        differing: Differing<'_>,
        run: &[Op],
        cancel: &Cancel,
    ) -> Result<Option<Trace>, Refusal> {
        let bare = |ops: &[Op]| -> Vec<Op> {
            ops.iter().map(|op| Op { expect: None, ..op.clone() }).collect()
        };
        let run = bare(run);
        let known: Vec<_> = differing.known.iter().map(|ops| bare(ops)).collect();
        let all = known.iter().chain([&run]).map(Vec::as_slice);
        let domain = Domain::of(&differing.problem.interface, all);
        let mut search =
            Search::new(self, Differing { known: &known, ..differing }, domain, cancel);
        let Some((found, made_of)) = search.search(&run)? else { return Ok(None) };
        search.trace(found, made_of)
    }

    /// What the generator gives for these seeds, each run with its seed, smallest first.
    pub(super) fn drawn_runs(
        &self,
        differing: Differing<'_>,
        seeds: &[u64],
        cancel: &Cancel,
    ) -> Result<Vec<(u64, Vec<Op>)>, Refusal> {
        let Differing { problem, draw, check, .. } = differing;
        let Some(draw) = draw else { return Ok(Vec::new()) };
        let drawn = self.generate(&draw.generator, seeds, problem, cancel)?;
        let mut runs = Vec::new();
        for (seed, inputs) in seeds.iter().zip(drawn) {
            let fit = inputs.into_values().filter(|ops| {
                ops.len() <= DRAWN_CALLS_MAX && check(&problem.interface, ops).is_ok()
            });
            runs.extend(fit.map(|ops| (*seed, ops)));
        }
        // A call with many values is no small run.
        runs.sort_by_key(|(_, ops)| {
            let (calls, parts, values): Size = size(ops);
            (calls + parts, values)
        });
        Ok(runs)
    }

    /// That both programs can be called at all.
    ///
    /// # Errors
    ///
    /// The reason why one cannot, beside what keeps any program from being run.
    pub(super) fn loads(
        &self,
        differing: Differing<'_>,
        run: &[Op],
        cancel: &Cancel,
    ) -> Result<(), Refusal> {
        let mut search = Search::new(self, differing, Domain::default(), cancel);
        let nothing = Suite { cases: Vec::new() };
        for program in [differing.program, differing.right] {
            let outcome = search.process(program, &[&run.to_vec()])?;
            let submission = program.submission(differing.problem, &nothing);
            if let Some(why) = judge::unusable(&submission, &outcome, &search.limits) {
                let file = program.file_path;
                return Err(Refusal::Unusable(format!("{file} cannot be called: {why}")));
            }
        }
        Ok(())
    }

    /// The first of these runs on which both differ, as far as they are reached by then.
    pub(super) fn compare(
        &self,
        differing: Differing<'_>,
        runs: &[Vec<Op>],
        until: Instant,
        cancel: &Cancel,
    ) -> Result<Compared, Refusal> {
        let mut search = Search::new(self, differing, Domain::default(), cancel);
        search.until = search.until.min(until);
        let right = search.right_answers(runs)?;
        let failing = search.failing_of(runs, &right)?;
        let skipped = right.iter().filter(|answers| answers.is_none()).count();
        Ok(Compared { differs: failing.first().map(|(at, _)| *at), skipped })
    }
}

/// What came of comparing two programs on runs.
#[derive(Clone, Copy, Debug)]
pub(super) struct Compared {
    /// The place of the first run on which they differ.
    pub(super) differs: Option<usize>,
    /// Runs with which the right program did not come to an end.
    pub(super) skipped: usize,
}

/// Seeds of inputs that are drawn for nobody.
pub(super) fn seeds(draw: Option<&DrawnInputs>) -> impl Iterator<Item = u64> + use<> {
    let taken = draw.map(|draw| draw.seed);
    (1..).filter(move |seed| Some(*seed) != taken)
}

/// A search under way.
struct Search<'a> {
    evaluator: &'a Evaluator,
    differing: Differing<'a>,
    domain: Domain,
    limits: Limits,
    cancel: &'a Cancel,
    /// Whether each run has a process of its own.
    alone: bool,
    processes: u32,
    until: Instant,
    tried: u32,
    /// Runs that were tried.
    seen: BTreeSet<Hash>,
}

impl<'a> Search<'a> {
    fn new(
        evaluator: &'a Evaluator,
        differing: Differing<'a>,
        domain: Domain,
        cancel: &'a Cancel,
    ) -> Self {
        let most = &evaluator.limits;
        let cpu_ms = CPU_MS.min(most.cpu_ms).min(differing.problem.cpu_ms);
        let (wall_ms, idle_ms) = (WALL_MS.min(most.wall_ms), IDLE_MS.min(most.idle_ms));
        Self {
            evaluator,
            differing,
            domain,
            limits: Limits { cpu_ms, wall_ms, idle_ms, ..most.clone() },
            cancel,
            alone: false,
            processes: 0,
            until: Instant::now() + WALL_MAX,
            tried: 0,
            seen: BTreeSet::new(),
        }
    }

    /// The smallest run that was found, and how many calls the one had of which it was made.
    fn search(&mut self, run: &[Op]) -> Result<Option<(Vec<Op>, usize)>, Refusal> {
        let mut starts = vec![run.to_vec()];
        starts.extend(self.differing.known.iter().filter(|known| *known != run).cloned());
        let failing = self.failing(&starts)?;
        let chosen = match failing.iter().find(|(at, _)| *at == 0) {
            Some(found) => Some(found),
            None => failing.iter().min_by_key(|(_, run)| size(run)),
        };
        if let Some((at, short)) = chosen {
            let made_of = starts[*at].len();
            let found = self.descend(short.clone())?;
            self.alone = true;
            // By itself as well as after other runs.
            if !self.failing(std::slice::from_ref(&found))?.is_empty() {
                return Ok(Some((found, made_of)));
            }
        }
        self.alone = true;
        self.seen.clear();
        let at = chosen.map_or(0, |(at, _)| *at);
        if let Some(start) = self.in_company(&starts[at])? {
            let made_of = start.len();
            return Ok(Some((self.descend(start)?, made_of)));
        }
        self.of_drawn_runs()
    }

    /// The same of a run that is drawn anew, since none that is known fails.
    fn of_drawn_runs(&mut self) -> Result<Option<(Vec<Op>, usize)>, Refusal> {
        if self.is_spent() {
            return Ok(None);
        }
        self.alone = false;
        let seeds: Vec<_> = seeds(self.differing.draw).take(DRAWN_SEEDS).collect();
        let drawn = self.evaluator.drawn_runs(self.differing, &seeds, self.cancel)?;
        let runs: Vec<_> = drawn.into_iter().map(|(_, ops)| ops).collect();
        let failing = self.failing(&runs)?;
        let Some((at, short)) = failing.into_iter().min_by_key(|(_, run)| size(run)) else {
            return Ok(None);
        };
        self.domain.learn(&self.differing.problem.interface, &runs[at]);
        let found = self.descend(short)?;
        self.alone = true;
        let by_itself = !self.failing(std::slice::from_ref(&found))?.is_empty();
        Ok(by_itself.then(|| (found, runs[at].len())))
    }

    /// A run joined with those before it, so that it fails in a process of its own.
    fn in_company(&mut self, run: &[Op]) -> Result<Option<Vec<Op>>, Refusal> {
        let before = self.differing.known.iter().take_while(|known| *known != run);
        let before: Vec<_> = before.filter(|known| known.len() <= RUNS_MAX).collect();
        let nearest = before.iter().rev().take(COMPANY_MAX);
        let mut joined: Vec<_> = nearest.map(|known| [known.as_slice(), run].concat()).collect();
        joined.insert(0, run.to_vec());
        joined.insert(1, [run, run].concat());
        joined.push(before.into_iter().flatten().chain(run).cloned().collect());
        for run in joined {
            if self.is_spent() {
                break;
            }
            if (self.differing.check)(&self.differing.problem.interface, &run).is_err() {
                continue;
            }
            if let Some((_, failing)) = self.failing(&[run])?.pop() {
                return Ok(Some(failing));
            }
        }
        Ok(None)
    }

    /// Takes something smaller that fails for as long as there is something.
    fn descend(&mut self, mut now: Vec<Op>) -> Result<Vec<Op>, Refusal> {
        while let Some(better) = self.better(&now)? {
            now = better;
        }
        Ok(now)
    }

    fn better(&mut self, now: &[Op]) -> Result<Option<Vec<Op>>, Refusal> {
        let interface = &self.differing.problem.interface;
        let mut runs = smaller(interface, &self.domain, now);
        runs.retain(|run| {
            !self.seen.contains(&hash(run))
                && (self.differing.check)(interface, run).is_ok()
                && self.domain.fits(interface, run)
        });
        runs.dedup();
        let mut rest = runs.as_slice();
        while !rest.is_empty() && !self.is_spent() {
            let (slice, later) = rest.split_at(self.as_many_as_fit(rest));
            rest = later;
            self.seen.extend(slice.iter().map(|run| hash(run)));
            let failing = self.failing(slice)?;
            let best = failing.into_iter().map(|(_, run)| run).min_by_key(|run| size(run));
            if best.is_some() {
                return Ok(best);
            }
        }
        Ok(None)
    }

    fn as_many_as_fit(&self, runs: &[Vec<Op>]) -> usize {
        if self.alone {
            return 1;
        }
        let mut room = PARTS_MAX;
        let fit = runs.iter().take(RUNS_MAX).take_while(|run| {
            let (calls, parts, _): Size = size(run);
            let left = room.checked_sub(calls + parts);
            room = left.unwrap_or(0);
            left.is_some()
        });
        fit.count().max(1)
    }

    fn is_spent(&self) -> bool {
        self.processes >= PROCESSES_MAX || Instant::now() >= self.until
    }

    /// Those of the runs on which the programs differ, by their place, each up to the call on which
    /// they do.
    fn failing(&mut self, runs: &[Vec<Op>]) -> Result<Vec<(usize, Vec<Op>)>, Refusal> {
        self.tried = self.tried.saturating_add(u32::try_from(runs.len()).unwrap_or(u32::MAX));
        let right = self.right_answers(runs)?;
        self.failing_of(runs, &right)
    }

    /// The same where the right answers are known.
    fn failing_of(
        &mut self,
        runs: &[Vec<Op>],
        right: &[Option<Vec<Json>>],
    ) -> Result<Vec<(usize, Vec<Op>)>, Refusal> {
        let valid: Vec<_> = (0..runs.len()).filter(|at| right[*at].is_some()).collect();
        let ends = self.ends(self.differing.program, runs, &valid)?;
        let mut failing = Vec::new();
        for (at, end) in ends {
            let Some(right) = &right[at] else { continue };
            if let Some(call) = self.differs(&runs[at], right, &end) {
                failing.push((at, runs[at][..=call].to_vec()));
            }
        }
        Ok(failing)
    }

    /// What the right program answers; none for a run that it does not go through with.
    fn right_answers(&mut self, runs: &[Vec<Op>]) -> Result<Vec<Option<Vec<Json>>>, Refusal> {
        let all: Vec<_> = (0..runs.len()).collect();
        let ends = self.ends(self.differing.right, runs, &all)?;
        let interface = &self.differing.problem.interface;
        let mut answers = vec![None; runs.len()];
        for (at, end) in ends {
            let End::Returned(values) = end else { continue };
            let wanted = |(op, value): (&Op, super::Value)| {
                if answers_are_wanted(interface, &op.call) {
                    value.into_json()
                } else {
                    Some(Json::Null)
                }
            };
            answers[at] = runs[at].iter().zip(values).map(wanted).collect();
        }
        Ok(answers)
    }

    /// How the runs of these places end with a program; those after one that does not come to its end
    /// are left out. One process is made even when the time is up, so that what was found is confirmed.
    fn ends(
        &mut self,
        program: Contender<'_>,
        runs: &[Vec<Op>],
        places: &[usize],
    ) -> Result<Vec<(usize, End)>, Refusal> {
        let mut ends = Vec::new();
        let mut rest = places;
        while !rest.is_empty() && (rest.len() == places.len() || !self.is_spent()) {
            let these: Vec<_> = rest.iter().map(|at| &runs[*at]).collect();
            let outcome = self.process(program, &these)?;
            let stopped = outcome.cases.iter().position(|ran| matches!(ran.end, End::Limit(_)));
            let upto = stopped.unwrap_or(rest.len());
            let mut cases = outcome.cases.into_iter();
            let done = cases.by_ref().take(upto);
            ends.extend(rest.iter().copied().zip(done).map(|(at, ran)| (at, ran.end)));
            let Some(stopped) = stopped else { break };
            if stopped == 0 {
                // It had the process to itself until then.
                ends.extend(cases.next().map(|ran| (rest[0], ran.end)));
                break;
            }
            rest = &rest[stopped..];
        }
        Ok(ends)
    }

    fn process(
        &mut self,
        program: Contender<'_>,
        runs: &[&Vec<Op>],
    ) -> Result<RunOutcome, Refusal> {
        self.processes += 1;
        let nothing = Suite { cases: Vec::new() };
        let submission = program.submission(self.differing.problem, &nothing);
        let calls: Vec<_> = runs.iter().map(|ops| Calls { name: "run", ops }).collect();
        let limits = &self.limits;
        let mut outcome = self.evaluator.run_within(&submission, &calls, limits, self.cancel)?;
        let cpu = outcome.cpu;
        for ran in &mut outcome.cases {
            if is_starved(&ran.end, cpu, limits) {
                ran.end = End::NotRun;
            }
        }
        Ok(outcome)
    }

    /// The call on which an end differs from the right answers.
    fn differs(&self, run: &[Op], right: &[Json], end: &End) -> Option<usize> {
        let language = self.differing.program.language;
        let interface = &self.differing.problem.interface;
        let wrong = |values: &[super::Value]| {
            let mut all = run.iter().zip(values.iter().zip(right));
            all.position(|(op, (value, right))| {
                answers_are_wanted(interface, &op.call)
                    && op.back_to(interface).is_none()
                    && !value.is(right, language)
            })
        };
        match end {
            End::Returned(values) => wrong(values),
            End::Raised(values, _) => Some(wrong(values).unwrap_or(values.len())),
            End::Limit(_) | End::Signal(_) | End::Exit(_) | End::Nonsense => {
                run.len().checked_sub(1)
            }
            End::NotRun => None,
        }
    }

    /// The run call by call, each program once more by itself; none where the machine had no time for it.
    fn trace(&mut self, run: Vec<Op>, made_of: usize) -> Result<Option<Trace>, Refusal> {
        let cut_short = self.is_spent();
        let language = self.differing.program.language;
        let interface = &self.differing.problem.interface;
        let right = self.right_answers(std::slice::from_ref(&run))?.pop().flatten();
        let right = right.unwrap_or_default();
        let Some(end) = self.confirmed(&run)? else { return Ok(None) };
        let instead = self.instead(&end);
        let values = match end {
            End::Returned(values) | End::Raised(values, _) => values,
            // What came before the call that did not return.
            End::Limit(_) | End::Signal(_) | End::Exit(_) | End::Nonsense | End::NotRun => {
                match self.end_of(&run[..run.len().saturating_sub(1)])? {
                    End::Returned(values) => values,
                    _ => Vec::new(),
                }
            }
        };
        let last = run.len().saturating_sub(1);
        let calls = run.iter().enumerate().map(|(at, op)| {
            let wanted = answers_are_wanted(interface, &op.call) && op.back_to(interface).is_none();
            let expected = right.get(at).filter(|_| wanted);
            let value = values.get(at).filter(|_| wanted).map(|value| value.show(language));
            let actual = value.or_else(|| instead.clone().filter(|_| at == last));
            TracedCall {
                call: words::call(op, language),
                expected: expected.map(|json| words::cut(&super::value::show_json(json, language))),
                actual: actual.map(|text| words::cut(&text)),
                differs: at == last,
            }
        });
        let calls: Vec<_> = calls.collect();
        let omitted = calls.len().saturating_sub(CALLS_SHOWN);
        let ops = run.iter().enumerate().map(|(at, op)| {
            let wanted = answers_are_wanted(interface, &op.call) && op.back_to(interface).is_none();
            Op { expect: right.get(at).filter(|_| wanted).cloned(), ..op.clone() }
        });
        let mut ops: Vec<_> = ops.collect();
        if spelled(&ops).len() > KEPT_BYTES {
            ops.clear();
        }
        let number = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
        Ok(Some(Trace {
            calls: calls.into_iter().skip(omitted).collect(),
            omitted: number(omitted),
            ops,
            made_of: number(made_of),
            tried: self.tried,
            cut_short,
        }))
    }

    /// How the run ends by itself, with some patience.
    fn confirmed(&mut self, run: &[Op]) -> Result<Option<End>, Refusal> {
        for _ in 0..CONFIRMATIONS {
            match self.end_of(run)? {
                End::NotRun => {}
                end => return Ok(Some(end)),
            }
        }
        Ok(None)
    }

    fn end_of(&mut self, run: &[Op]) -> Result<End, Refusal> {
        if run.is_empty() {
            return Ok(End::Returned(Vec::new()));
        }
        let mut outcome = self.process(self.differing.program, &[&run.to_vec()])?;
        let loaded = matches!(outcome.load, Some(Loaded::Ok));
        let end = outcome.cases.pop().map(|ran| ran.end).filter(|_| loaded);
        Ok(end.unwrap_or(End::NotRun))
    }

    /// What happened in place of an answer.
    fn instead(&self, end: &End) -> Option<String> {
        let file = std::path::Path::new(self.differing.program.file_path);
        let file = file.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        Some(match end {
            End::Returned(_) | End::NotRun => return None,
            End::Raised(_, raised) => words::exception(raised, file),
            End::Limit(detail) => {
                limit_sentence(*detail, &words::limit_value(*detail, &self.limits))
            }
            End::Signal(number) => words::signal(*number),
            End::Exit(status) => format!("left with status {status}"),
            End::Nonsense => limit_sentence(Detail::Exit, ""),
        })
    }
}

/// Whether a program was ended by the clock while it hardly came to compute: the machine was busy, and
/// nothing follows for the program.
fn is_starved(end: &End, cpu: Duration, limits: &Limits) -> bool {
    matches!(end, End::Limit(Detail::Wall)) && cpu < Duration::from_millis(limits.cpu_ms / 2)
}

fn hash(run: &[Op]) -> Hash {
    Hash::of(spelled(run).as_bytes())
}

fn spelled(run: &[Op]) -> String {
    serde_json::to_string(run).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_clock_is_no_evidence_where_there_was_hardly_any_computing() {
        let limits = Limits { cpu_ms: 2_000, ..Limits::submission() };
        let (little, much) = (Duration::from_millis(90), Duration::from_millis(1_500));
        for (end, cpu, starved) in [
            (End::Limit(Detail::Wall), little, true),
            (End::Limit(Detail::Wall), much, false),
            (End::Limit(Detail::Idle), little, false),
            (End::Limit(Detail::Time), little, false),
            (End::Returned(Vec::new()), little, false),
        ] {
            assert_eq!(is_starved(&end, cpu, &limits), starved, "{end:?} after {cpu:?}");
        }
    }
}
