//! Plays back what has happened: what is told when, at which speed, from where to where.
//!
//! A playback knows no clock, no terminal and no events, only when each of them happened; a
//! [`Pacer`] waits, and hears the keys that are pressed meanwhile.

mod pace;

use std::ops::Range;
use std::str::FromStr;
use std::time::Duration;

use vosim_protocol::{ErrorCode, EventId};

use crate::errors::{Failure, usage_error, user_error};
use crate::render::look::minutes;

pub(crate) use pace::{NoPace, RealTime};

/// Longest wait between two events; one that would take longer is cut.
const WAIT_MAX: Duration = Duration::from_secs(5);
/// What is left of a wait that was cut.
const WAIT_CUT: Duration = Duration::from_secs(1);
/// How far one key moves, at least to the next event.
const STEP: Duration = Duration::from_secs(10);
/// Slowest and fastest speed that waits.
const SPEEDS: std::ops::RangeInclusive<f64> = 0.1..=1000.0;

/// How many times as fast as it happened.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Speed {
    Times(f64),
    /// Without waiting.
    Max,
}

impl FromStr for Speed {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if text == "max" {
            return Ok(Self::Max);
        }
        let times = text.parse::<f64>().ok().filter(|times| SPEEDS.contains(times));
        times.map(Self::Times).ok_or("expected a number from 0.1 to 1000, or max")
    }
}

impl Speed {
    fn of(self, distance: Duration) -> Duration {
        match self {
            Self::Times(times) => distance.div_f64(times),
            Self::Max => Duration::ZERO,
        }
    }
}

/// A place in a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// An event.
    Event(EventId),
    /// So long after the first event.
    At(Duration),
}

impl FromStr for Place {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        const USAGE: &str = "expected an event's number, or minutes and seconds like 07:30";
        let number = |text: &str| match text.bytes().all(|byte| byte.is_ascii_digit()) {
            true => text.parse::<u32>().map_err(|_| USAGE),
            false => Err(USAGE),
        };
        match text.split_once(':') {
            None => Ok(Self::Event(EventId(number(text)?.into()))),
            Some((minutes, seconds)) => match (number(minutes)?, number(seconds)?) {
                (_, 60..) => Err(USAGE),
                (minutes, seconds) => {
                    let seconds = u64::from(minutes) * 60 + u64::from(seconds);
                    Ok(Self::At(Duration::from_secs(seconds)))
                }
            },
        }
    }
}

impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Event(id) => write!(f, "event {id}"),
            Self::At(at) => f.write_str(&minutes(at.as_secs())),
        }
    }
}

/// What there is to be played: when each event happened, counted from the first.
#[derive(Debug)]
pub(crate) struct Tape {
    events: Vec<(EventId, Duration)>,
}

impl Tape {
    /// Events in their order; a time that falls, as no log of ours has it, counts as no time.
    pub(crate) fn new(events: impl Iterator<Item = (EventId, Duration)>) -> Self {
        let mut last = Duration::ZERO;
        let events = events.map(|(id, at)| {
            last = last.max(at);
            (id, last)
        });
        Self { events: events.collect() }
    }

    /// When the last event happened.
    pub(crate) fn end(&self) -> Duration {
        self.events.last().map_or(Duration::ZERO, |(_, at)| *at)
    }

    /// The events between two places; a time beyond the end is as good as the end.
    pub(crate) fn range(
        &self,
        from: Option<Place>,
        until: Option<Place>,
    ) -> Result<Range<usize>, Failure> {
        let last = self.events.last().map_or(EventId::ZERO, |(id, _)| *id);
        for place in [from, until].into_iter().flatten() {
            if let Place::Event(event) = place
                && (event == EventId::ZERO || event > last)
            {
                let message = format!("there is no event {event}; there are 1 to {last}");
                return Err(user_error(ErrorCode::UnknownEvent, message)
                    .hint("See the events with: vosimctl replay --speed max"));
            }
        }
        let start = from.map_or(0, |from| {
            self.first(|id, at| match from {
                Place::Event(event) => id >= event,
                Place::At(from) => at >= from,
            })
        });
        let end = until.map_or(self.events.len(), |until| {
            self.first(|id, at| match until {
                Place::Event(event) => id > event,
                // All that bears this minute and second.
                Place::At(until) => at.as_secs() > until.as_secs(),
            })
        });
        let shown_by = "See what happens when with: vosimctl replay --speed max";
        match (from, until) {
            (Some(from), _) if start == self.events.len() => {
                let end = minutes(self.end().as_secs());
                Err(usage_error(format!(
                    "nothing happens from {from} on: the session ends at {end}"
                ))
                .hint(shown_by))
            }
            (Some(from @ Place::At(a)), Some(until @ Place::At(b))) if start >= end && a <= b => {
                Err(usage_error(format!("nothing happens between {from} and {until}"))
                    .hint(shown_by))
            }
            (Some(from), Some(until)) if start >= end => {
                Err(usage_error(format!("--until, {until}, lies before --from, {from}"))
                    .hint("Name the earlier place first: --from 05:00 --until 10:00"))
            }
            _ => Ok(start..end),
        }
    }

    /// The place of the first event for which this holds; it must hold for all behind it, too.
    fn first(&self, holds: impl Fn(EventId, Duration) -> bool) -> usize {
        self.events.partition_point(|(id, at)| !holds(*id, *at))
    }

    fn at(&self, place: usize) -> Duration {
        self.events[place].1
    }
}

/// What is to be shown next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scene {
    /// The event at this place of the tape.
    Event(usize),
    /// For so long nothing happened, and the wait is cut.
    Later(Duration),
    /// The playback was moved back to this time.
    Back(Duration),
    /// The playback stands still until a key is pressed.
    Paused,
    /// The playback goes on.
    Resumed,
}

/// A wish of whoever watches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Key {
    Pause,
    Back,
    Forward,
    Quit,
}

/// How a wait ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Waited {
    TimeIsUp,
    /// A key came when so much was left of it.
    Key(Key, Duration),
}

/// Lets time pass.
pub(crate) trait Pacer {
    /// Waits so long, or until a key is pressed; without a time until then.
    fn wait(&mut self, within: Option<Duration>) -> Result<Waited, Failure>;
}

/// Tells the events of a range one after another, each when its time has come.
pub(crate) fn play(
    tape: &Tape,
    range: Range<usize>,
    speed: Speed,
    pacer: &mut impl Pacer,
    mut tell: impl FnMut(Scene) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let mut player = Player { tape, next: range.start, range, speed, paused: false };
    let mut left = Duration::ZERO;
    while player.next < player.range.end {
        match pacer.wait((!player.paused).then_some(left))? {
            Waited::TimeIsUp => {
                tell(Scene::Event(player.next))?;
                player.next += 1;
                left = player.wait(&mut tell)?;
            }
            Waited::Key(Key::Quit, _) => return Ok(()),
            Waited::Key(Key::Pause, rest) => {
                // While it stands still no time passes.
                left = if player.paused { left } else { rest };
                player.paused = !player.paused;
                tell(if player.paused { Scene::Paused } else { Scene::Resumed })?;
            }
            Waited::Key(Key::Back, _) => {
                tell(Scene::Back(player.back()))?;
                left = Duration::ZERO;
                player.still(&mut tell)?;
            }
            Waited::Key(Key::Forward, _) => {
                player.forward(&mut tell)?;
                left = player.wait(&mut tell)?;
                player.still(&mut tell)?;
            }
        }
    }
    Ok(())
}

struct Player<'t> {
    tape: &'t Tape,
    range: Range<usize>,
    /// The event that comes next.
    next: usize,
    speed: Speed,
    paused: bool,
}

impl Player<'_> {
    /// How long to wait for the next event; none is waited for after the last one.
    fn wait(
        &self,
        tell: &mut impl FnMut(Scene) -> Result<(), Failure>,
    ) -> Result<Duration, Failure> {
        if self.next >= self.range.end {
            return Ok(Duration::ZERO);
        }
        let distance = self.tape.at(self.next) - self.now();
        let wait = self.speed.of(distance);
        if wait <= WAIT_MAX {
            return Ok(wait);
        }
        tell(Scene::Later(distance))?;
        Ok(WAIT_CUT)
    }

    /// What moves it does not end a pause.
    fn still(&self, tell: &mut impl FnMut(Scene) -> Result<(), Failure>) -> Result<(), Failure> {
        if self.paused { tell(Scene::Paused) } else { Ok(()) }
    }

    /// When the last event happened that was told.
    fn now(&self) -> Duration {
        self.tape.at(self.next.saturating_sub(1).max(self.range.start))
    }

    /// Goes back by a step, at least to an event that happened before; answers when that was.
    fn back(&mut self) -> Duration {
        let now = self.now();
        let before = self.tape.first(|_, at| at >= now).saturating_sub(1);
        let to = self.tape.at(before).min(now.saturating_sub(STEP));
        self.next = self.tape.first(|_, at| at >= to).max(self.range.start);
        self.tape.at(self.next)
    }

    /// Tells at once what happens within a step, at least the next event.
    fn forward(
        &mut self,
        tell: &mut impl FnMut(Scene) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let to = self.tape.at(self.next).max(self.now() + STEP);
        while self.next < self.range.end && self.tape.at(self.next) <= to {
            tell(Scene::Event(self.next))?;
            self.next += 1;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
