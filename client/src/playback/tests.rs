//! What is told in which order, and what is waited for: the clock is a list of waits.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::fmt::Write as _;

use super::*;

/// A tape of events at these seconds, numbered from 1.
fn tape(seconds: &[f64]) -> Tape {
    let ids = (1..).map(EventId);
    Tape::new(ids.zip(seconds.iter().map(|at| Duration::from_secs_f64(*at))))
}

/// Notes for how long it is to wait; keys come at certain waits.
struct Script<'t> {
    told: &'t RefCell<String>,
    /// By the number of the wait, counted from 1: a key, when so many seconds of it are left.
    keys: VecDeque<(u32, Key, f64)>,
    waits: u32,
}

impl Pacer for Script<'_> {
    fn wait(&mut self, within: Option<Duration>) -> Result<Waited, Failure> {
        self.waits += 1;
        let key = self.keys.pop_front_if(|(wait, _, _)| *wait == self.waits);
        match (key, within) {
            (Some((_, key, left)), _) => {
                write!(self.told.borrow_mut(), "{key:?} ").unwrap();
                Ok(Waited::Key(key, Duration::from_secs_f64(left)))
            }
            (None, Some(within)) => {
                if within > Duration::ZERO {
                    write!(self.told.borrow_mut(), "{within:?} ").unwrap();
                }
                Ok(Waited::TimeIsUp)
            }
            (None, None) => Err(Failure::Interrupted),
        }
    }
}

/// What is played: waits, and in brackets what is told.
fn played(seconds: &[f64], speed: &str, keys: &[(u32, Key, f64)]) -> String {
    part(seconds, 0..seconds.len(), speed, keys)
}

fn part(seconds: &[f64], range: Range<usize>, speed: &str, keys: &[(u32, Key, f64)]) -> String {
    let told = RefCell::new(String::new());
    let mut pacer = Script { told: &told, keys: keys.iter().copied().collect(), waits: 0 };
    let ended = play(&tape(seconds), range, speed.parse().unwrap(), &mut pacer, |scene| {
        let text = match scene {
            Scene::Event(place) => format!("[{}] ", place + 1),
            Scene::Later(distance) => format!("[{distance:?} later] "),
            Scene::Back(at) => format!("[back to {at:?}] "),
            Scene::Paused => "[paused] ".to_owned(),
            Scene::Resumed => "[on] ".to_owned(),
        };
        told.borrow_mut().push_str(&text);
        Ok(())
    });
    let end = if ended.is_err() { "interrupted" } else { "end" };
    told.into_inner() + end
}

#[test]
fn it_takes_as_long_as_it_took_divided_by_the_speed() {
    let seconds = [0.0, 0.0, 1.5, 3.5];
    assert_eq!(played(&seconds, "1", &[]), "[1] [2] 1.5s [3] 2s [4] end");
    assert_eq!(played(&seconds, "0.5", &[]), "[1] [2] 3s [3] 4s [4] end");
    assert_eq!(played(&seconds, "1000", &[]), "[1] [2] 1.5ms [3] 2ms [4] end");
    assert_eq!(played(&seconds, "max", &[]), "[1] [2] [3] [4] end");
}

#[test]
fn a_long_wait_is_cut_and_told_by_its_true_length() {
    let seconds = [0.0, 5.0, 197.0];
    assert_eq!(played(&seconds, "1", &[]), "[1] 5s [2] [192s later] 1s [3] end");
    assert_eq!(played(&seconds, "0.9", &[]), "[1] [5s later] 1s [2] [192s later] 1s [3] end");
    assert_eq!(played(&seconds, "64", &[]), "[1] 78.125ms [2] 3s [3] end");
    assert_eq!(played(&seconds, "max", &[]), "[1] [2] [3] end");
}

#[test]
fn a_part_begins_at_once_and_says_nothing_of_what_is_behind_it() {
    let seconds = [0.0, 2.0, 100.0, 103.0, 900.0];
    assert_eq!(part(&seconds, 2..4, "1", &[]), "[3] 3s [4] end");
    assert_eq!(part(&seconds, 1..2, "1", &[]), "[2] end");
}

#[test]
fn a_pause_stands_still_and_goes_on_with_the_rest_of_the_wait() {
    let keys = [(2, Key::Pause, 1.25), (3, Key::Pause, 99.0)];
    assert_eq!(
        played(&[0.0, 2.0, 3.0], "1", &keys),
        "[1] Pause [paused] Pause [on] 1.25s [2] 1s [3] end"
    );
    // Only a key or Ctrl-C ends it.
    assert_eq!(played(&[0.0, 2.0], "1", &keys[..1]), "[1] Pause [paused] interrupted");
    let keys = [(2, Key::Pause, 1.0), (3, Key::Quit, 1.0)];
    assert_eq!(played(&[0.0, 2.0], "1", &keys), "[1] Pause [paused] Quit end");
}

#[test]
fn forward_tells_ten_seconds_at_once_and_at_least_one_event() {
    let seconds = [0.0, 3.0, 10.0, 12.0, 80.0, 81.0];
    let forward = |waits: &[u32]| {
        let keys: Vec<_> = waits.iter().map(|wait| (*wait, Key::Forward, 1.0)).collect();
        played(&seconds, "1", &keys)
    };
    assert_eq!(forward(&[2]), "[1] Forward [2] [3] 2s [4] [68s later] 1s [5] 1s [6] end");
    assert_eq!(
        forward(&[2, 3, 4]),
        "[1] Forward [2] [3] Forward [4] [68s later] Forward [5] 1s [6] end"
    );
    assert_eq!(forward(&[1]), "Forward [1] [2] [3] 2s [4] [68s later] 1s [5] 1s [6] end");
}

#[test]
fn back_goes_ten_seconds_and_at_least_to_an_event_before() {
    let seconds = [0.0, 30.0, 34.0, 38.0, 42.0, 42.0];
    let back = |wait, more: &[u32]| {
        let mut keys = vec![(wait, Key::Back, 1.0)];
        keys.extend(more.iter().map(|wait| (*wait, Key::Back, 1.0)));
        keys.push((wait + 6, Key::Quit, 0.0));
        let told = played(&seconds, "1", &keys);
        told[told.find("Back").unwrap()..].to_owned()
    };
    assert_eq!(back(4, &[]), "Back [back to 30s] [2] 4s [3] 4s [4] 4s [5] [6] end");
    assert_eq!(back(5, &[]), "Back [back to 30s] [2] 4s [3] 4s [4] 4s [5] [6] end");
    // In the middle of what happened at once it gets away from there.
    assert_eq!(
        back(6, &[7]),
        "Back [back to 34s] Back [back to 0ns] [1] [30s later] 1s [2] 4s [3] 4s [4] Quit end"
    );
    // Nothing lies before the beginning.
    assert_eq!(
        back(1, &[2]),
        "Back [back to 0ns] Back [back to 0ns] [1] [30s later] 1s [2] 4s [3] 4s [4] Quit end"
    );
    let keys = [(2, Key::Back, 0.0)];
    assert_eq!(part(&seconds, 2..4, "1", &keys), "[3] Back [back to 34s] [3] 4s [4] end");
}

#[test]
fn a_speed_is_a_number_within_reason_or_max() {
    for (good, speed) in [("1", 1.0), ("0.1", 0.1), ("1000", 1000.0), ("2.5", 2.5), ("1e2", 100.0)]
    {
        assert_eq!(good.parse(), Ok(Speed::Times(speed)));
    }
    assert_eq!("max".parse(), Ok(Speed::Max));
    for bad in ["0", "-1", "-0", "NaN", "inf", "1e300", "1000.1", "0.09", "", "fast", "MAX", "2x"] {
        assert!(bad.parse::<Speed>().is_err(), "{bad}");
    }
}

#[test]
fn a_place_is_an_event_or_minutes_and_seconds() {
    let at = |secs| Ok(Place::At(Duration::from_secs(secs)));
    assert_eq!("12".parse(), Ok(Place::Event(EventId(12))));
    assert_eq!("07:30".parse(), at(450));
    assert_eq!("7:5".parse(), at(425));
    assert_eq!("123:00".parse(), at(7380));
    for bad in
        ["", ":", "1:", ":1", "1:60", "1:2:3", "-1", "+1", "-1:00", "1.5", "x", "99999999999"]
    {
        assert!(bad.parse::<Place>().is_err(), "{bad}");
    }
}

#[test]
fn a_range_begins_and_ends_where_it_is_told() {
    let tape = tape(&[0.0, 61.2, 61.9, 120.0]);
    let range = |from: &str, until: &str| {
        let place = |text: &str| (!text.is_empty()).then(|| text.parse().unwrap());
        match tape.range(place(from), place(until)) {
            Ok(range) => format!("{range:?}"),
            Err(fault) => fault.to_string(),
        }
    };
    assert_eq!(range("", ""), "0..4");
    assert_eq!(range("2", "3"), "1..3");
    assert_eq!(range("4", "4"), "3..4");
    assert_eq!(range("01:01", "01:01"), "1..3", "what bears this time");
    assert_eq!(range("00:01", "99:00"), "1..4");
    assert_eq!(range("", "00:30"), "0..1");
    assert_eq!(range("2", "01:01"), "1..3");
    assert_eq!(range("5", ""), "there is no event 5; there are 1 to 4");
    assert_eq!(range("0", ""), "there is no event 0; there are 1 to 4");
    assert_eq!(range("", "5"), "there is no event 5; there are 1 to 4");
    assert_eq!(range("02:01", ""), "nothing happens from 02:01 on: the session ends at 02:00");
    assert_eq!(range("3", "2"), "--until, event 2, lies before --from, event 3");
    assert_eq!(range("02:00", "01:00"), "--until, 01:00, lies before --from, 02:00");
    assert_eq!(range("00:10", "00:20"), "nothing happens between 00:10 and 00:20");
}

#[test]
fn a_time_that_falls_is_no_wait() {
    assert_eq!(played(&[0.0, 3.0, 1.0, 4.0], "1", &[]), "[1] 3s [2] [3] 1s [4] end");
}
