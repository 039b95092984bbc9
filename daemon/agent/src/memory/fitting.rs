//! Finds the scale of an embedder, and counts what it finds and what it finds wrongly.

use super::embedder::{EmbedFault, Embedder, Scale, Subject, Vector};
use super::samples::{self, Sample};

const FAILURES: &str = include_str!("../../data/memory/failures.fit");
const TASKS: &str = include_str!("../../data/memory/tasks.fit");

/// How many of a hundred pairs that have nothing to do with each other lie below a threshold.
const BELOW_PERCENT: usize = 95;

/// What an embedder finds at the thresholds of 002 5.2.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Figures {
    /// Of the pairs that belong together, the share that is found, from 0 to 1.
    pub recall: f64,
    /// Of the pairs that do not, the share that is taken for similar, from 0 to 1.
    pub false_matches: f64,
    /// Of the texts, the share whose nearest other text belongs to them, from 0 to 1.
    pub nearest_right: f64,
}

/// Fits a scale to the shipped samples.
///
/// # Errors
/// The fault of the embedder, and one where its vectors cannot tell texts apart.
pub fn fit(embedder: &mut dyn Embedder) -> Result<Scale, EmbedFault> {
    let mut bar = |samples: &[Sample]| {
        let pairs = compare(embedder, samples)?;
        let mut strange: Vec<_> = pairs.cosines(false).collect();
        strange.sort_by(f64::total_cmp);
        let bar = strange.get(strange.len() * BELOW_PERCENT / 100).copied().unwrap_or(1.0);
        match bar {
            0.01..0.99 => Ok(bar),
            _ => Err(EmbedFault(format!("texts without anything in common lie at {bar:.2}"))),
        }
    };
    Ok(Scale { failures: bar(&samples::failures(FAILURES))?, tasks: bar(&samples::tasks(TASKS))? })
}

/// Counts on samples, which are written like the shipped ones: first for failures, then for tasks.
///
/// # Errors
/// The fault of the embedder.
pub fn figures(
    embedder: &mut dyn Embedder,
    scale: Scale,
    failures: &str,
    tasks: &str,
) -> Result<[Figures; 2], EmbedFault> {
    let failures = compare(embedder, &samples::failures(failures))?;
    let tasks = compare(embedder, &samples::tasks(tasks))?;
    Ok([failures.figures(scale, Subject::Failures), tasks.figures(scale, Subject::Tasks)])
}

/// The cosine of every text that is asked for with every other that is kept.
struct Pairs {
    groups: Vec<usize>,
    cosines: Vec<Vec<f64>>,
}

fn compare(embedder: &mut dyn Embedder, samples: &[Sample]) -> Result<Pairs, EmbedFault> {
    let stored: Vec<_> = samples.iter().map(|sample| sample.stored.as_str()).collect();
    let queries: Vec<_> = samples.iter().map(|sample| sample.query.as_str()).collect();
    let stored = embedder.embed(&stored)?;
    let row = |query: &Vector| stored.iter().map(|kept| query.cosine(kept)).collect();
    let cosines = embedder.embed(&queries)?.iter().map(row).collect();
    Ok(Pairs { groups: samples.iter().map(|sample| sample.group).collect(), cosines })
}

impl Pairs {
    /// Whether a text that is asked for belongs together with each of the others, and their cosines.
    fn row(&self, asked: usize) -> impl Iterator<Item = (bool, f64)> {
        let groups = self.groups.iter().map(move |group| *group == self.groups[asked]);
        let row = groups.zip(self.cosines[asked].iter().copied()).enumerate();
        row.filter(move |(kept, _)| *kept != asked).map(|(_, pair)| pair)
    }

    /// The cosines of all pairs that do, or do not, belong together.
    fn cosines(&self, together: bool) -> impl Iterator<Item = f64> {
        let all = (0..self.groups.len()).flat_map(|asked| self.row(asked));
        all.filter(move |(belongs, _)| *belongs == together).map(|(_, cosine)| cosine)
    }

    fn figures(&self, scale: Scale, subject: Subject) -> Figures {
        let found = |cosine| scale.score(cosine, subject) >= subject.threshold();
        let nearest_is_right = |asked| {
            let nearest = self.row(asked).max_by(|(_, a), (_, b)| a.total_cmp(b));
            nearest.is_some_and(|(belongs, _)| belongs)
        };
        Figures {
            recall: share(self.cosines(true).map(found)),
            false_matches: share(self.cosines(false).map(found)),
            nearest_right: share((0..self.groups.len()).map(nearest_is_right)),
        }
    }
}

fn share(answers: impl Iterator<Item = bool>) -> f64 {
    let (mut yes, mut all) = (0.0, 0.0);
    for answer in answers {
        yes += f64::from(u8::from(answer));
        all += 1.0;
    }
    yes / f64::max(all, 1.0)
}

#[cfg(test)]
mod tests {
    use super::super::embedder::EmbedderId;
    use super::super::hashed::Hashed;
    use super::*;

    const HELD_FAILURES: &str = include_str!("../../data/memory/failures.held");
    const HELD_TASKS: &str = include_str!("../../data/memory/tasks.held");

    #[test]
    fn the_scale_of_the_default_is_what_the_samples_say() {
        let scale = fit(&mut Hashed::default()).unwrap();
        let thousandths = |cosine: f64| (cosine * 1e3).round() / 1e3;
        let fitted =
            Scale { failures: thousandths(scale.failures), tasks: thousandths(scale.tasks) };
        assert_eq!(fitted, Hashed::SCALE);
    }

    #[test]
    fn the_thresholds_hold_on_samples_that_nothing_is_fitted_to() {
        let [failures, tasks] =
            figures(&mut Hashed::default(), Hashed::SCALE, HELD_FAILURES, HELD_TASKS).unwrap();
        assert!(failures.recall > 0.8 && tasks.recall > 0.5, "{failures:?} {tasks:?}");
        assert!(failures.false_matches < 0.06 && tasks.false_matches < 0.06);
        assert!(failures.nearest_right > 0.7 && tasks.nearest_right > 0.7);
    }

    /// Says of every text the same, or nothing.
    #[derive(Debug)]
    struct Blind(EmbedderId, i32);

    impl Embedder for Blind {
        fn id(&self) -> &EmbedderId {
            &self.0
        }

        fn embed(&mut self, texts: &[&str]) -> Result<Vec<Vector>, EmbedFault> {
            Ok(vec![Vector::from_counts(&[self.1]); texts.len()])
        }
    }

    #[test]
    fn an_embedder_that_tells_nothing_apart_gets_no_scale() {
        for says in [0, 1] {
            let fault = fit(&mut Blind(EmbedderId("blind".to_owned()), says)).unwrap_err();
            assert!(fault.to_string().ends_with(&format!("lie at {says}.00")), "{fault}");
        }
    }
}
