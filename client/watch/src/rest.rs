//! Whether a file that is looked at again and again has come to rest with new bytes.
//!
//! Pure: signs, looks and times go in, news come out.

use std::time::{Duration, Instant};

use vosim_protocol::Hash;
use vosim_protocol::v1::effect::Obstacle;

use crate::bell::Sign;
use crate::look::{Found, Stamp};

/// How long nothing may be done to a file that its writer has closed: some tools save twice in a row.
pub(crate) const SETTLED: Duration = Duration::from_millis(5);
/// The same for a file of whose writer nothing is known.
pub(crate) const STILL: Duration = Duration::from_millis(250);
/// The same for what an editor does for a moment: a file that is missing, or empty, or still held
/// open by whoever writes into it.
pub(crate) const PATIENCE: Duration = Duration::from_secs(2);

/// How often a file is looked at of which the kernel tells nothing.
pub(crate) const LOOK_EVERY: Duration = Duration::from_millis(400);
/// The same where the kernel tells: a link in the middle or a folder above may have been exchanged,
/// and a disk in a network may be changed elsewhere.
pub(crate) const LOOK_NOW_AND_THEN: Duration = Duration::from_secs(1);

/// What has become of a watched file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum News {
    /// It was saved, or is back after it was lost: it holds other bytes than those known, or can be
    /// taken again, and has come to rest.
    Saved(Vec<u8>, Stamp),
    /// It can no longer be taken; told once, until it can be taken again.
    Lost(Obstacle),
}

#[derive(Debug)]
pub(crate) struct Rest {
    /// What the file held when it was taken last.
    known: Option<Hash>,
    /// Why it cannot be taken; has been told.
    told: Option<Obstacle>,
    /// The stamp under which it needs no further look.
    left: Option<Stamp>,
    /// What the last look found, and since when looks have found that.
    seen: Option<(Seen, Instant)>,
    /// When the kernel told something last.
    touched: Option<Instant>,
    writer: Writer,
}

/// What a look found, as far as looks are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Seen {
    Bytes { hash: Hash, stamp: Stamp },
    Nothing { why: Obstacle, stamp: Option<Stamp> },
}

/// What the kernel has told of whoever writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Writer {
    Unknown,
    Open,
    Done,
}

impl Rest {
    pub(crate) fn new(known: Option<Hash>) -> Self {
        let (told, left, seen, touched) = (None, None, None, None);
        Self { known, told, left, seen, touched, writer: Writer::Unknown }
    }

    /// Takes it for told why the file cannot be taken.
    pub(crate) fn told(&mut self, told: Option<Obstacle>) {
        self.told = told;
    }

    /// The stamp under which the file needs no further look.
    pub(crate) fn left(&self) -> Option<Stamp> {
        self.left
    }

    pub(crate) fn sign(&mut self, sign: Sign, now: Instant) {
        // A disk's clock may be so coarse that two saves bear one stamp.
        (self.left, self.touched) = (None, Some(now));
        match sign {
            Sign::Written => self.writer = Writer::Open,
            Sign::Closed => self.writer = Writer::Done,
            Sign::Touched => {}
        }
    }

    /// How long after a sign a look is worth while: whoever writes a long file tells of each piece.
    pub(crate) fn pause(&self) -> Duration {
        match self.writer {
            Writer::Open => STILL,
            Writer::Unknown | Writer::Done => Duration::ZERO,
        }
    }

    pub(crate) fn take(&mut self, found: Found, now: Instant) -> Option<News> {
        let (seen, news) = match found {
            Found::Untouched => return None,
            Found::Changing => {
                self.seen = None;
                return None;
            }
            Found::Bytes(bytes, stamp) => {
                (Seen::Bytes { hash: Hash::of(&bytes), stamp }, News::Saved(bytes, stamp))
            }
            Found::TooLarge(stamp) => {
                let why = Obstacle::TooLarge;
                (Seen::Nothing { why, stamp: Some(stamp) }, News::Lost(why))
            }
            Found::Nothing(why) => (Seen::Nothing { why, stamp: None }, News::Lost(why)),
        };
        let since = self.seen.filter(|(before, _)| *before == seen).map_or(now, |(_, since)| since);
        self.seen = Some((seen, since));
        let still = self.still(since, now);
        let is_known = self.is_known(seen);
        if !is_known && still < self.wanted(seen) {
            return None;
        }
        match seen {
            // What can be taken again is no longer lost.
            Seen::Bytes { hash, .. } => (self.known, self.told) = (Some(hash), None),
            Seen::Nothing { why, .. } => self.told = Some(why),
        }
        if still >= PATIENCE {
            self.left = seen.stamp();
        }
        if is_known {
            return None;
        }
        self.writer = Writer::Unknown;
        Some(news)
    }

    /// How long after a look the next one is due.
    pub(crate) fn due(&self, now: Instant, armed: bool) -> Duration {
        let at_rest = if armed { LOOK_NOW_AND_THEN } else { LOOK_EVERY };
        match self.seen {
            // It was being changed while it was read.
            None => SETTLED,
            Some((seen, _)) if self.is_known(seen) => at_rest,
            Some((seen, since)) => {
                let left = self.wanted(seen).saturating_sub(self.still(since, now));
                left.clamp(Duration::from_millis(1), LOOK_EVERY)
            }
        }
    }

    /// How long nothing has happened to what the looks find.
    fn still(&self, since: Instant, now: Instant) -> Duration {
        let since = self.touched.map_or(since, |touched| touched.max(since));
        now.saturating_duration_since(since)
    }

    fn is_known(&self, seen: Seen) -> bool {
        match seen {
            // What was lost is told when it is back, also with the bytes that it had.
            Seen::Bytes { hash, .. } => self.told.is_none() && self.known == Some(hash),
            Seen::Nothing { why, .. } => self.told == Some(why),
        }
    }

    /// How long that must have been found before it counts.
    fn wanted(&self, seen: Seen) -> Duration {
        let for_a_moment = match seen {
            Seen::Bytes { stamp, .. } => stamp.is_empty(),
            Seen::Nothing { why, .. } => why == Obstacle::Missing,
        };
        match self.writer {
            Writer::Open => PATIENCE,
            Writer::Unknown | Writer::Done if for_a_moment => PATIENCE,
            Writer::Unknown => STILL,
            Writer::Done => SETTLED,
        }
    }
}

impl Seen {
    fn stamp(self) -> Option<Stamp> {
        match self {
            Self::Bytes { stamp, .. } => Some(stamp),
            Self::Nothing { stamp, .. } => stamp,
        }
    }
}
