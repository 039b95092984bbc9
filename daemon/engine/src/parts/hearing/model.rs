//! The weights, and what a message comes to by them.

use std::collections::{BTreeMap, BTreeSet};

use vosim_protocol::v1::coverage::Coverage;
use vosim_protocol::v1::problem::Interface;

use super::features::{AskedFor, BUCKETS, Feature, Names, Reading, Way};
use super::spelling::Vocabulary;

/// What a file of weights begins with.
const MAGIC: &[u8] = b"vosim hearing 1\n";
/// What a line of the words that statements share begins with.
const COMMON: &str = "common";
/// What a line of the words that were learned begins with.
const KNOWN: &str = "known";
/// The last line before the weights.
const LAST: &[u8] = b"weights\n";
/// Most phrases that are named for or against a dimension.
const TELLING: usize = 3;

/// From which score on a dimension is touched and covered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Thresholds {
    /// At least so much: partly covered.
    pub touched: i64,
    /// At least so much: covered, where it was asked for.
    pub asked: i64,
    /// The same where a prompt asked for it among others.
    pub prompted: i64,
    /// The same where another was asked for.
    pub beside: i64,
}

impl Thresholds {
    fn level(self, score: i64, way: Way) -> Coverage {
        let covered = match way {
            Way::Asked => self.asked,
            Way::Prompted => self.prompted,
            Way::Beside => self.beside,
        };
        if score >= covered {
            Coverage::Covered
        } else if score >= self.touched {
            Coverage::PartiallyCovered
        } else {
            Coverage::NotCovered
        }
    }
}

/// The weights that were learned.
#[derive(Clone, PartialEq, Eq)]
pub struct Model {
    thresholds: BTreeMap<String, Thresholds>,
    /// The words that statements share, without their endings.
    common: BTreeSet<String>,
    known: Vocabulary,
    /// Of each weight the root, with its sign: small weights differ by less than large ones, and one
    /// byte holds them all.
    roots: Vec<i8>,
}

/// The largest weight.
pub const WEIGHT_MAX: i32 = 127 * 127;

/// What one message comes to for one dimension.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Weighed {
    /// How far it covers the dimension by itself.
    pub level: Coverage,
    /// The sum of all weights, as the thresholds count.
    pub score: i64,
    /// The phrases that spoke most for it, strongest first.
    pub spoke_for: Vec<String>,
    /// The phrases that spoke most against it, strongest first.
    pub against: Vec<String>,
}

/// Why bytes are no weights.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("these are no weights of a hearing model: {0}")]
pub struct Unreadable(&'static str);

impl std::fmt::Debug for Model {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Model").field("thresholds", &self.thresholds).finish_non_exhaustive()
    }
}

impl Model {
    /// A model of weights, one for each place, each the square of one of these with its sign.
    ///
    /// # Errors
    /// There are not [`BUCKETS`] of them.
    pub fn new(
        thresholds: BTreeMap<String, Thresholds>,
        common: BTreeSet<String>,
        known: Vocabulary,
        roots: Vec<i8>,
    ) -> Result<Self, Unreadable> {
        if roots.len() != BUCKETS {
            return Err(Unreadable("the number of weights is another"));
        }
        Ok(Self { thresholds, common, known, roots })
    }

    /// Reads what [`Model::to_bytes`] has written.
    ///
    /// # Errors
    /// The bytes are something else.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Unreadable> {
        let rest = bytes.strip_prefix(MAGIC).ok_or(Unreadable("they begin with something else"))?;
        let head = rest.len().checked_sub(BUCKETS).ok_or(Unreadable("some are missing"))?;
        let (head, roots) = rest.split_at(head);
        let head = head.strip_suffix(LAST).ok_or(Unreadable("some are missing"))?;
        let head = std::str::from_utf8(head).map_err(|_| Unreadable("the head is no text"))?;
        let mut common = BTreeSet::new();
        let mut known = Vocabulary::default();
        let mut thresholds = BTreeMap::new();
        for line in head.lines() {
            let mut parts = line.split(' ');
            let name = parts.next().unwrap_or_default();
            if name == COMMON {
                common.extend(parts.map(str::to_owned));
                continue;
            }
            if name == KNOWN {
                known = Vocabulary::new(parts.map(str::to_owned));
                continue;
            }
            let mut number = || parts.next().and_then(|number| number.parse().ok());
            let (Some(touched), Some(asked), Some(prompted), Some(beside)) =
                (number(), number(), number(), number())
            else {
                return Err(Unreadable("a threshold is none"));
            };
            let found = Thresholds { touched, asked, prompted, beside };
            thresholds.insert(name.to_owned(), found);
        }
        Self::new(thresholds, common, known, roots.iter().map(|byte| byte.cast_signed()).collect())
    }

    /// The model as a file: a line for each dimension, one for the words that statements share, one for
    /// those that were learned, then a byte for each weight.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        for (dimension, of) in &self.thresholds {
            let Thresholds { touched, asked, prompted, beside } = of;
            let line = format!("{dimension} {touched} {asked} {prompted} {beside}\n");
            bytes.extend(line.into_bytes());
        }
        bytes.extend(COMMON.bytes());
        bytes.extend(self.common.iter().flat_map(|word| format!(" {word}").into_bytes()));
        bytes.push(b'\n');
        bytes.extend(KNOWN.bytes());
        bytes.extend(self.known.words().iter().flat_map(|word| format!(" {word}").into_bytes()));
        bytes.push(b'\n');
        bytes.extend(LAST);
        bytes.extend(self.roots.iter().map(|root| root.cast_unsigned()));
        bytes
    }

    /// The same weights, by which a dimension is covered only from so much more on.
    pub fn stricter(&self, by: i64) -> Self {
        let raised = |of: &Thresholds| Thresholds {
            touched: of.touched,
            asked: of.asked + by,
            prompted: of.prompted + by,
            beside: of.beside + by,
        };
        let thresholds = self.thresholds.iter().map(|(id, of)| (id.clone(), raised(of))).collect();
        Self { thresholds, ..self.clone() }
    }

    /// The names of a problem, as this model tells them from other words.
    pub fn names(&self, interface: &Interface, statement: &str) -> Names {
        Names::new(interface, statement, &self.common)
    }

    /// Reads a message.
    pub fn read(&self, text: &str, asked: AskedFor<'_>, names: &Names) -> Reading {
        Reading::new(text, asked, names, &self.known)
    }

    /// Whether a dimension was learned.
    pub fn knows(&self, dimension: &str) -> bool {
        self.thresholds.contains_key(dimension)
    }

    /// Weighs a message for one dimension, whose signal groups it hits; none where the dimension was not
    /// learned.
    pub fn weigh(
        &self,
        message: &Reading,
        dimension: &str,
        asked: AskedFor<'_>,
        groups: &BTreeSet<u8>,
    ) -> Option<Weighed> {
        let thresholds = self.thresholds.get(dimension)?;
        let mut score = self.sum(&message.manner(dimension, asked, groups));
        let mut said: Vec<_> = message
            .phrases(dimension, asked)
            .into_iter()
            .map(|(phrase, features)| (self.sum(&features), phrase))
            .collect();
        score += said.iter().map(|(weight, _)| weight).sum::<i64>();
        // The strongest first; of equals, the one that was said first.
        said.sort_by_key(|(weight, _)| -weight);
        let spoke_for = said.iter().take_while(|(weight, _)| *weight > 0);
        let against = said.iter().rev().take_while(|(weight, _)| *weight < 0);
        Some(Weighed {
            level: thresholds.level(score, asked.way(dimension)),
            score,
            spoke_for: named(spoke_for.map(|(_, phrase)| *phrase)),
            against: named(against.map(|(_, phrase)| *phrase)),
        })
    }

    /// How far features cover a dimension; none where it was not learned.
    pub fn level(&self, dimension: &str, way: Way, features: &[Feature]) -> Option<Coverage> {
        self.thresholds.get(dimension).map(|it| it.level(self.sum(features), way))
    }

    fn sum(&self, features: &[Feature]) -> i64 {
        let weight = |place: u32| {
            let root = usize::try_from(place).ok().and_then(|place| self.roots.get(place));
            let root = i64::from(root.copied().unwrap_or(0));
            root * root.abs()
        };
        features.iter().map(|it| weight(it.place) * i64::from(it.value)).sum()
    }
}

/// The first few phrases, leaving out those that lie in one that was named already.
fn named<'a>(phrases: impl Iterator<Item = &'a str>) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for phrase in phrases {
        if found.len() == TELLING {
            break;
        }
        if !found.iter().any(|other| other.contains(phrase) || phrase.contains(other.as_str())) {
            found.push(phrase.to_owned());
        }
    }
    found
}
