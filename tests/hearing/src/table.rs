//! How well answers are heard, as a table.

use std::collections::BTreeMap;

use vosim_engine::parts::hearing::{Model, Way};
use vosim_protocol::v1::coverage::Coverage;

use crate::answers::{Cell, Corpus};
use crate::learn;

/// Of answers that do not cover, the share that may be heard as if they did, percent.
const FALSELY_MAX: f64 = 3.0;
/// By how much the thresholds are raised at a time, and how often at most.
const RAISE: i64 = 50_000;
const RAISES_MAX: i64 = 1_000;

/// What was graded and what was heard of the dimensions that were asked for.
#[derive(Default)]
struct Heard {
    pairs: Vec<(u8, u8, String)>,
}

impl Heard {
    fn share(&self, heard: u8, of: impl Fn(&(u8, u8, String)) -> bool) -> f64 {
        let all: Vec<_> = self.pairs.iter().filter(|pair| of(pair)).collect();
        let hits = all.iter().filter(|pair| pair.1 == heard).count();
        100.0 * hits as f64 / all.len().max(1) as f64
    }

    /// Agreement beyond chance, by the square of the difference.
    fn kappa(&self) -> f64 {
        let count = self.pairs.len().max(1) as f64;
        let (mut graded, mut heard) = ([0.0; 3], [0.0; 3]);
        let mut observed = 0.0;
        for (grade, level, _) in &self.pairs {
            graded[usize::from(*grade)] += 1.0 / count;
            heard[usize::from(*level)] += 1.0 / count;
            observed += f64::from(grade.abs_diff(*level)).powi(2) / count;
        }
        let pairs = (0..3_u8).flat_map(|grade| (0..3_u8).map(move |level| (grade, level)));
        let chance = pairs.map(|(grade, level)| {
            f64::from(grade.abs_diff(level)).powi(2)
                * graded[usize::from(grade)]
                * heard[usize::from(level)]
        });
        1.0 - observed / chance.sum::<f64>()
    }

    fn line(&self, name: &str) -> String {
        let full = |pair: &(u8, u8, String)| pair.0 == 2;
        let manner = |name: &'static str| move |pair: &(u8, u8, String)| pair.2 == name;
        let empty = |pair: &(u8, u8, String)| pair.2 == "stuffing" || pair.2 == "negation";
        format!(
            "{name:<24}{:>6}{:>9.1}{:>8.1}{:>7.1}{:>11.1}{:>10.1}{:>8.1}{:>8.1}{:>8.2}\n",
            self.pairs.len(),
            self.share(2, full),
            self.share(1, full),
            self.share(0, full),
            self.share(2, |pair| pair.0 < 2),
            self.share(2, manner("other")),
            self.share(2, empty),
            self.share(1, empty),
            self.kappa()
        )
    }
}

const HEAD: [&str; 3] = [
    "                                a full answer is heard     heard as covered although",
    "                                                    as    it does    other   stuffed or negated",
    "                       answers  covered  partly   none  not cover dimension covered  partly   kappa",
];

/// Some of what is not learned from.
type Group = fn(&Corpus, &Cell) -> bool;

/// The table of what is not learned from, with a line for each dimension and voice.
pub(crate) fn table(corpus: &Corpus, model: &Model) -> anyhow::Result<String> {
    let held: Vec<_> = corpus.cells.iter().filter(|it| it.asked && corpus.is_held(it)).collect();
    let mut text = HEAD.join("\n") + "\n";
    let groups: [(&str, Group); 4] = [
        ("not learned from", |_, _| true),
        ("voices", Corpus::is_held_voice),
        ("problems", Corpus::is_held_problem),
        ("voices and problems", |c, it| c.is_held_voice(it) && c.is_held_problem(it)),
    ];
    for (name, group) in groups {
        let cells = held.iter().copied().filter(|cell| group(corpus, cell));
        text.push_str(&heard(corpus, model, cells)?.line(name));
    }
    let all = || corpus.cells.iter().filter(|it| corpus.is_held(it));
    let prompted = all().filter(|it| it.way == Way::Prompted);
    text.push_str(&heard(corpus, model, prompted)?.line("all that a prompt asks"));
    let beside = all().filter(|it| it.way == Way::Beside);
    text.push_str(&heard(corpus, model, beside)?.line("what was not asked for"));
    let voices = held.iter().copied().filter(|cell| corpus.is_held_voice(cell));
    let mut lines: BTreeMap<String, Vec<&Cell>> = BTreeMap::new();
    for cell in voices {
        lines.entry(format!("  {}", corpus.dimensions[cell.dimension])).or_default().push(cell);
        let voice = corpus.answers[cell.answer].voice();
        lines.entry(format!("  voice {voice}")).or_default().push(cell);
    }
    for (name, cells) in lines {
        text.push_str(&heard(corpus, model, cells.into_iter())?.line(&name));
    }
    Ok(text)
}

/// What is left of full answers where the thresholds are raised until no more is heard falsely than may be.
pub(crate) fn strict(corpus: &Corpus, model: &Model) -> anyhow::Result<String> {
    let held: Vec<_> = corpus.cells.iter().filter(|it| it.asked && corpus.is_held(it)).collect();
    for raises in 0..=RAISES_MAX {
        let found = heard(corpus, &model.stricter(raises * RAISE), held.iter().copied())?;
        if found.share(2, |pair| pair.0 < 2) <= FALSELY_MAX {
            let told = format!("at {FALSELY_MAX} % falsely");
            return Ok(format!("\nby thresholds that are raised for it\n{}", found.line(&told)));
        }
    }
    anyhow::bail!("no threshold keeps what is heard falsely below {FALSELY_MAX} %")
}

/// What a model hears of the voices that are held back, by the share of the answers that it has learned.
pub(crate) fn curve(corpus: &Corpus, learned: &[&Cell]) -> anyhow::Result<String> {
    let mut text = String::from("\nby how many of the voices are learned from\n");
    let mut voices: Vec<_> = learned.iter().map(|it| corpus.answers[it.answer].voice()).collect();
    voices.sort_unstable();
    voices.dedup();
    for parts in 1..=3 {
        let kept = &voices[..voices.len() * parts / 4];
        let part = learned.iter().copied();
        let part: Vec<_> =
            part.filter(|it| kept.contains(&corpus.answers[it.answer].voice())).collect();
        let model = learn::learn(corpus, &part)?;
        let held = corpus.cells.iter().filter(|it| it.asked && corpus.is_held_voice(it));
        text.push_str(&heard(corpus, &model, held)?.line(&format!("{} voices", kept.len())));
    }
    Ok(text)
}

fn heard<'c>(
    corpus: &Corpus,
    model: &Model,
    cells: impl Iterator<Item = &'c Cell>,
) -> anyhow::Result<Heard> {
    let mut heard = Heard::default();
    for cell in cells {
        let answer = &corpus.answers[cell.answer];
        let dimension = &corpus.dimensions[cell.dimension];
        let level = match model.level(dimension, cell.way, &cell.features) {
            Some(Coverage::Covered) => 2,
            Some(Coverage::PartiallyCovered) => 1,
            Some(Coverage::NotCovered) | None => 0,
        };
        heard.pairs.push((cell.grade, level, answer.manner.clone()));
    }
    Ok(heard)
}
