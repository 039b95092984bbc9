//! What makes vectors of texts, and how two vectors are compared.

use std::fmt;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD_NO_PAD;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use thiserror::Error;

/// Makes vectors of texts that lie the closer together the more the texts have in common.
pub trait Embedder: fmt::Debug + Send {
    /// Names the embedder with all that decides about its vectors, so that no others are ever
    /// compared with them.
    fn id(&self) -> &EmbedderId;

    /// Returns a vector for each text, in their order.
    fn embed(&mut self, texts: &[&str]) -> Result<Vec<Vector>, EmbedFault>;

    /// What is known of its scores; an embedder that says nothing is measured before it is used.
    fn scale(&self) -> Option<Scale> {
        None
    }
}

/// The name of an embedder, such as `hashed-1`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct EmbedderId(pub String);

impl fmt::Display for EmbedderId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Why there are no vectors.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct EmbedFault(pub String);

/// A direction: whole numbers from -127 to 127, so that a comparison gives the same everywhere.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Vector {
    numbers: Vec<i8>,
    /// The square of its length.
    square: i32,
}

impl Vector {
    /// Makes a vector of what was counted.
    #[expect(clippy::cast_possible_truncation, reason = "none is greater than the greatest")]
    pub(super) fn from_counts(counts: &[i32]) -> Self {
        let greatest = counts.iter().map(|count| i64::from(count.unsigned_abs())).max();
        let greatest = greatest.unwrap_or(0).max(1);
        Self::new(counts.iter().map(|count| (i64::from(*count) * 127 / greatest) as i8).collect())
    }

    /// Makes a vector of numbers of any size; None where they give no direction.
    #[expect(clippy::cast_possible_truncation, reason = "none is greater than the greatest")]
    pub fn from_floats(numbers: &[f32]) -> Option<Self> {
        let greatest = numbers.iter().fold(0.0_f32, |greatest, number| greatest.max(number.abs()));
        let good = greatest.is_normal() && numbers.iter().all(|number| number.is_finite());
        let whole = |number: &f32| (number / greatest * 127.0).round() as i8;
        good.then(|| Self::new(numbers.iter().map(whole).collect()))
    }

    fn new(numbers: Vec<i8>) -> Self {
        let square = dot(&numbers, &numbers);
        Self { numbers, square }
    }

    /// The cosine of the angle between two directions; 0 for what cannot be compared.
    pub(super) fn cosine(&self, other: &Self) -> f64 {
        if self.numbers.len() != other.numbers.len() {
            return 0.0;
        }
        let lengths = (f64::from(self.square) * f64::from(other.square)).sqrt();
        let dot = f64::from(dot(&self.numbers, &other.numbers));
        if lengths > 0.0 { dot / lengths } else { 0.0 }
    }
}

fn dot(a: &[i8], b: &[i8]) -> i32 {
    let products = a.iter().zip(b).map(|(a, b)| i32::from(*a) * i32::from(*b));
    products.fold(0, i32::saturating_add)
}

impl Serialize for Vector {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let bytes: Vec<_> = self.numbers.iter().map(|number| number.cast_unsigned()).collect();
        serializer.serialize_str(&STANDARD_NO_PAD.encode(bytes))
    }
}

impl<'de> Deserialize<'de> for Vector {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let bytes = STANDARD_NO_PAD.decode(text).map_err(de::Error::custom)?;
        Ok(Self::new(bytes.into_iter().map(u8::cast_signed).collect()))
    }
}

/// What is compared; the specification has a threshold for each.
#[derive(Clone, Copy, Debug)]
pub(super) enum Subject {
    Failures,
    Tasks,
}

/// Where the cosines of an embedder stand for the thresholds of 002 5.2: below each of them lie
/// nineteen of twenty pairs that have nothing to do with each other.
///
/// So a score of 0.6 for failures, and of 0.7 for tasks, means the same with every embedder.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Scale {
    /// The cosine that is a score of 0.6 between failures.
    pub failures: f64,
    /// The cosine that is a score of 0.7 between tasks.
    pub tasks: f64,
}

impl Scale {
    /// The score of a cosine; rounded down, so that none reaches a threshold that lies below it.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a number from 0 to 100"
    )]
    pub(super) fn score(&self, cosine: f64, subject: Subject) -> Score {
        let at_threshold = match subject {
            Subject::Failures => self.failures,
            Subject::Tasks => self.tasks,
        };
        let (bar, threshold) = (at_threshold.clamp(0.01, 0.99), f64::from(subject.threshold().0));
        let score = if cosine < bar {
            cosine / bar * threshold
        } else {
            threshold + (cosine - bar) / (1.0 - bar) * (100.0 - threshold)
        };
        // The same text may lie a little below 1.
        Score((score + 1e-6).clamp(0.0, 100.0) as u8)
    }
}

impl Subject {
    /// What is at least this similar is worth telling (002 5.2).
    pub(super) fn threshold(self) -> Score {
        match self {
            Self::Failures => Score(60),
            Self::Tasks => Score(70),
        }
    }
}

/// How similar two texts are, in hundredths: 100 is the same text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Score(pub u8);

impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{:02}", self.0 / 100, self.0 % 100)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directions_are_compared_and_lengths_are_not() {
        let of = |counts: &[i32]| Vector::from_counts(counts);
        assert_eq!(of(&[1, 0, 2]), of(&[500, 0, 1_000]));
        assert!(of(&[1, 1]).cosine(&of(&[1, -1])).abs() < 1e-9);
        assert!((of(&[3, 4]).cosine(&of(&[-3, -4])) + 1.0).abs() < 1e-9);
        assert!(of(&[]).cosine(&of(&[])).abs() < 1e-9);
        assert!(of(&[0, 0]).cosine(&of(&[1, 0])).abs() < 1e-9);
        assert!(of(&[1]).cosine(&of(&[1, 0])).abs() < 1e-9, "of another size");
        assert_eq!(of(&[i32::MIN, i32::MAX]), Vector::new(vec![-127, 126]));
    }

    #[test]
    fn numbers_without_a_direction_make_no_vector() {
        assert_eq!(Vector::from_floats(&[0.5, -1.0]), Some(Vector::new(vec![64, -127])));
        for bad in [&[][..], &[0.0], &[f32::NAN, 1.0], &[f32::INFINITY], &[1.0, f32::NEG_INFINITY]]
        {
            assert_eq!(Vector::from_floats(bad), None, "{bad:?}");
        }
    }

    #[test]
    fn a_vector_is_kept_as_text() {
        let vector = Vector::new(vec![-127, 0, 1, 127]);
        let text = serde_json::to_string(&vector).unwrap();
        assert_eq!(text, "\"gQABfw\"");
        assert_eq!(serde_json::from_str::<Vector>(&text).unwrap(), vector);
        assert!(serde_json::from_str::<Vector>("\"?\"").is_err());
    }

    #[test]
    fn a_threshold_is_where_the_scale_puts_it() {
        let scale = Scale { failures: 0.2, tasks: 0.5 };
        let of = |cosine| scale.score(cosine, Subject::Failures).0;
        assert_eq!([of(-1.0), of(0.0), of(0.1), of(0.199)], [0, 0, 30, 59]);
        assert_eq!([of(0.2), of(0.6), of(1.0 - 1e-12)], [60, 80, 100]);
        assert_eq!(scale.score(0.5, Subject::Tasks), Score(70));
        // A scale from a damaged place divides by no zero.
        let scale = Scale { failures: 0.0, tasks: 1.0 };
        assert_eq!(scale.score(0.0, Subject::Failures), Score(0));
        assert_eq!(scale.score(1.0, Subject::Tasks), Score(100));
        assert_eq!(Score(7).to_string(), "0.07");
    }
}
