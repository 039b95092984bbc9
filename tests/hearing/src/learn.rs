//! Learning: one ordinal model for all dimensions, by a quasi-Newton descent (L-BFGS).
//!
//! Each cell has to lie on the right side of its dimension's two thresholds, with a margin of one; what
//! it lacks is squared. Only sums, products, quotients and square roots of numbers in a fixed order are
//! used, which every machine rounds alike: the weights are the same everywhere.

#![expect(
    clippy::cast_possible_truncation,
    reason = "weights and thresholds are brought to whole numbers of a range that is known"
)]

use std::collections::BTreeMap;

use vosim_engine::parts::hearing::{BUCKETS, Model, Thresholds, WEIGHT_MAX, Way};

use crate::answers::{Cell, Corpus};

/// How strongly weights are held near zero.
const RIDGE: f64 = 8.0;
/// How much more than others an answer counts that does not cover, where it is to lie below covering.
const FALSELY: f64 = 8.0;
/// Most steps of the descent.
const STEPS: usize = 60;
/// Steps that the descent remembers.
const MEMORY: usize = 8;
/// Parts of the learned voices, each heard in turn by what the others teach, to set the thresholds.
const PARTS: usize = 3;
/// Of answers that do not cover, at most so many may be heard as if they did, per thousand: where the
/// dimension was asked for, where a prompt asked for it among others, and where another was asked for,
/// of which there are several with each answer.
const FALSE_COVERS: [(Way, usize); 3] = [(Way::Asked, 17), (Way::Prompted, 15), (Way::Beside, 30)];
/// So many answers say where a threshold lies.
const FEW: usize = 50;
/// The value of a feature that is simply there.
const ONE: f64 = 1024.0;

/// Weights and thresholds, before they become whole numbers.
pub(crate) struct Learned {
    weights: Vec<f64>,
    /// Touched and covered, for each dimension.
    thresholds: Vec<[f64; 2]>,
}

/// Learns from cells, and sets what covering asks beyond its threshold by what voices left out in turn come
/// to.
pub(crate) fn learn(corpus: &Corpus, cells: &[&Cell]) -> anyhow::Result<Model> {
    let mut voices: Vec<_> = cells.iter().map(|it| corpus.answers[it.answer].voice()).collect();
    voices.sort_unstable();
    voices.dedup();
    let part = |cell: &Cell| {
        let voice = corpus.answers[cell.answer].voice();
        voices.iter().position(|it| *it == voice).unwrap_or(0) % PARTS
    };
    let dimensions = corpus.dimensions.len();
    let mut beyond = vec![[const { Vec::new() }; 3]; dimensions];
    for left in 0..PARTS {
        let rest: Vec<_> = cells.iter().copied().filter(|cell| part(cell) != left).collect();
        let learned = descend(&rest, dimensions);
        for cell in cells.iter().filter(|it| part(it) == left && it.grade < 2) {
            let score = learned.score(cell) - learned.thresholds[cell.dimension][1];
            let ways = FALSE_COVERS.iter().zip(&mut beyond[cell.dimension]);
            ways.filter(|((way, _), _)| *way == cell.way).for_each(|(_, all)| all.push(score));
        }
    }
    let of_all = margins(std::array::from_fn(|way| {
        beyond.iter().flat_map(|of_one| of_one[way].iter().copied()).collect()
    }));
    // A few answers that score high move a dimension's own margin much.
    let halfway = |own: [f64; 3]| std::array::from_fn(|way| f64::midpoint(own[way], of_all[way]));
    let margins: Vec<_> = beyond.into_iter().map(|of_one| halfway(margins(of_one))).collect();
    descend(cells, dimensions).model(corpus, &margins)
}

/// What only so many of the answers that do not cover come to, in each way; where there are too few of
/// them to say, the same as where it was asked for.
fn margins(beyond: [Vec<f64>; 3]) -> [f64; 3] {
    let mut asked = 0.0;
    let mut found = [0.0; 3];
    for ((found, mut all), (way, thousandth)) in found.iter_mut().zip(beyond).zip(FALSE_COVERS) {
        all.sort_by(f64::total_cmp);
        let kept = all.len().saturating_sub(1 + all.len() * thousandth / 1000);
        let margin = all.get(kept).copied().filter(|_| all.len() >= FEW);
        *found = margin.unwrap_or(asked);
        if way == Way::Asked {
            asked = *found;
        }
    }
    found
}

impl Learned {
    fn score(&self, cell: &Cell) -> f64 {
        cell.features.iter().map(|it| self.weights[it.place as usize] * value(it.value)).sum()
    }

    /// The model in whole numbers; a margin is what covering asks beyond its threshold, for each dimension.
    fn model(&self, corpus: &Corpus, margins: &[[f64; 3]]) -> anyhow::Result<Model> {
        let largest = self.weights.iter().map(|it| it.abs()).fold(f64::MIN_POSITIVE, f64::max);
        let unit = f64::from(WEIGHT_MAX) / largest;
        let root = |weight: f64| ((weight.abs() * unit).sqrt().round() * weight.signum()) as i8;
        let roots = self.weights.iter().map(|weight| root(*weight)).collect();
        let whole = |threshold: f64| (threshold * unit * ONE).round() as i64;
        let thresholds = corpus.dimensions.iter().zip(&self.thresholds).zip(margins);
        let thresholds = thresholds.map(|((id, [touched, covered]), margin)| {
            // Never nearer to what touches than to what covers.
            let least = (touched + covered) / 2.0;
            let [asked, prompted, beside] = margin.map(|margin| whole(least.max(covered + margin)));
            let touched = whole(*touched).min(asked).min(prompted).min(beside);
            (id.clone(), Thresholds { touched, asked, prompted, beside })
        });
        Ok(Model::new(
            thresholds.collect::<BTreeMap<_, _>>(),
            corpus.common.clone(),
            corpus.known.clone(),
            roots,
        )?)
    }
}

fn value(value: i32) -> f64 {
    f64::from(value) / ONE
}

/// What is sought: the weights, then two thresholds for each dimension.
fn descend(cells: &[&Cell], dimensions: usize) -> Learned {
    let size = BUCKETS + 2 * dimensions;
    let mut at = vec![0.0; size];
    let mut slope = vec![0.0; size];
    let mut loss = lack(&at, cells, &mut slope);
    let mut past: Vec<(Vec<f64>, Vec<f64>, f64)> = Vec::new();
    for step in 0..STEPS {
        let way = direction(&slope, &past);
        let falls = -dot(&slope, &way);
        let mut length = if step == 0 { 1.0 / dot(&slope, &slope).sqrt() } else { 1.0 };
        let mut next_slope = vec![0.0; size];
        let found = (0..20).find_map(|_| {
            let next: Vec<_> = at.iter().zip(&way).map(|(at, way)| at - length * way).collect();
            let next_loss = lack(&next, cells, &mut next_slope);
            let good = next_loss <= loss + 1e-4 * length * falls;
            length /= 2.0;
            good.then_some((next, next_loss))
        });
        let Some((next, next_loss)) = found else { break };
        let moved: Vec<_> = next.iter().zip(&at).map(|(next, at)| next - at).collect();
        let turned: Vec<_> = next_slope.iter().zip(&slope).map(|(next, at)| next - at).collect();
        let both = dot(&moved, &turned);
        if both > 1e-12 {
            past.push((moved, turned, 1.0 / both));
            if past.len() > MEMORY {
                past.remove(0);
            }
        }
        let enough = loss - next_loss < 1e-5 * loss;
        (at, slope, loss) = (next, next_slope, next_loss);
        if enough {
            break;
        }
    }
    let thresholds = at[BUCKETS..].chunks(2).map(|pair| [pair[0], pair[1]]).collect();
    at.truncate(BUCKETS);
    Learned { weights: at, thresholds }
}

/// Where to go, by the slope and what the last steps have shown of how it bends.
fn direction(slope: &[f64], past: &[(Vec<f64>, Vec<f64>, f64)]) -> Vec<f64> {
    let mut way = slope.to_vec();
    let mut parts = Vec::new();
    for (moved, turned, scale) in past.iter().rev() {
        let part = scale * dot(moved, &way);
        way.iter_mut().zip(turned).for_each(|(way, turned)| *way -= part * turned);
        parts.push(part);
    }
    if let Some((moved, turned, _)) = past.last() {
        let scale = dot(moved, turned) / dot(turned, turned);
        way.iter_mut().for_each(|way| *way *= scale);
    }
    for ((moved, turned, scale), part) in past.iter().zip(parts.iter().rev()) {
        let back = part - scale * dot(turned, &way);
        way.iter_mut().zip(moved).for_each(|(way, moved)| *way += back * moved);
    }
    way
}

/// What all cells lack, and its slope.
fn lack(at: &[f64], cells: &[&Cell], slope: &mut [f64]) -> f64 {
    let weights = &at[..BUCKETS];
    slope[..BUCKETS].iter_mut().zip(weights).for_each(|(slope, weight)| *slope = RIDGE * weight);
    slope[BUCKETS..].fill(0.0);
    let mut total = RIDGE * dot(weights, weights) / 2.0;
    for cell in cells {
        let score: f64 =
            cell.features.iter().map(|it| at[it.place as usize] * value(it.value)).sum();
        let mut pull = 0.0;
        for level in 0..2 {
            let side = if usize::from(cell.grade) > level { 1.0 } else { -1.0 };
            let place = BUCKETS + 2 * cell.dimension + level;
            let missing = 1.0 - side * (score - at[place]);
            if missing > 0.0 {
                let falsely = level == 1 && side < 0.0 && cell.way != Way::Beside;
                let counts = if falsely { FALSELY } else { 1.0 };
                total += counts * missing * missing / 2.0;
                pull -= counts * side * missing;
                slope[place] += counts * side * missing;
            }
        }
        if pull != 0.0 {
            for it in &cell.features {
                slope[it.place as usize] += pull * value(it.value);
            }
        }
    }
    total
}

fn dot(one: &[f64], other: &[f64]) -> f64 {
    one.iter().zip(other).map(|(one, other)| one * other).sum()
}
