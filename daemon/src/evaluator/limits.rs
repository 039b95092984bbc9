//! Whether somebody's own input is one that the statement allows: by the limits that it states, and as far as
//! the problem's own inputs tell:
//! of which sort a value is, on which side of zero it lies, which letters a text has, what is never
//! empty, what holds for whole lists and what never falls from call to call. A size is too large where
//! neither an input nor the statement names one so large.

use std::collections::{BTreeMap, BTreeSet};

use vosim_protocol::Json;
use vosim_protocol::v1::problem::{Interface, Op, Problem, Suite, read_answer, read_calls};

use super::shrink::domain::Domain;

/// More different signs than these in texts of a place mean that any may stand there.
const SIGNS_MAX: usize = 6;
/// How a statement says that a number may be zero.
const FROM_ZERO: [&str; 3] = ["from 0", "between 0", " 0 to "];

/// What inputs of a problem look like.
pub(super) struct InputLimits<'a> {
    problem: &'a Problem,
    places: BTreeMap<String, Values>,
    /// The largest number of the statement.
    largest: i64,
    /// The least number that may be named where no input is below zero: 0 where the statement says so.
    least: i64,
    /// What holds for whole lists, and from call to call.
    rules: Domain,
}

/// What values of one place look like.
#[derive(Debug)]
struct Values {
    sorts: BTreeSet<Sort>,
    least: i64,
    most: i64,
    letters: BTreeSet<Letter>,
    /// True where a text or list of the place is empty.
    empty: bool,
}

impl Default for Values {
    fn default() -> Self {
        let (sorts, letters) = (BTreeSet::new(), BTreeSet::new());
        Self { sorts, least: i64::MAX, most: i64::MIN, letters, empty: false }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Sort {
    Nothing,
    Truth,
    Whole,
    Fraction,
    Text,
    List,
    Object,
}

/// Letters that are alike; a sign is only like itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Letter {
    Small,
    Capital,
    Digit,
    Other(char),
}

impl<'a> InputLimits<'a> {
    /// Learned from all cases of a problem, also from those that may not be shown.
    pub(super) fn of(problem: &'a Problem, suite: &Suite) -> Self {
        let cases = suite.cases.iter().flat_map(|case| [&case.ops, &case.twin]);
        let known: Vec<_> = cases.chain(problem.runs.iter().map(|run| &run.ops)).collect();
        let from_zero = FROM_ZERO.iter().any(|words| problem.statement.contains(words));
        let least = if from_zero { 0 } else { 1 };
        let mut places = BTreeMap::new();
        known.iter().copied().flatten().for_each(|op| learn(&mut places, op));
        let rules = Domain::of(&problem.interface, known.iter().map(|ops| ops.as_slice()));
        Self { problem, places, largest: largest(&problem.statement), least, rules }
    }

    /// The first call that goes beyond them, counted from 1, and the words of the statement that say so.
    pub(super) fn passed_at(&self, ops: &[Op]) -> Option<(u32, Option<String>)> {
        let number = |at: usize| u32::try_from(at + 1).unwrap_or(u32::MAX);
        let learned = self.learned_passed_at(ops);
        match (self.problem.beyond(ops), learned) {
            // What is said outright tells more than what was learned.
            (Some((at, limit)), learned) if learned.is_none_or(|other| at <= other) => {
                Some((number(at), Some(limit.text.clone())))
            }
            (_, learned) => learned.map(|at| (number(at), None)),
        }
    }

    /// Whether no call goes beyond them.
    pub(super) fn keep(&self, ops: &[Op]) -> bool {
        let interface = &self.problem.interface;
        self.problem.beyond(ops).is_none()
            && ops.iter().all(|op| op.back_to(interface).is_some() || self.allow(op))
            && self.rules.keeps_rules(interface, ops)
    }

    /// The first call that goes beyond what the problem's own inputs look like.
    fn learned_passed_at(&self, ops: &[Op]) -> Option<usize> {
        let interface = &self.problem.interface;
        let beyond = |at: &usize| {
            let op = &ops[*at];
            op.back_to(interface).is_none() && !self.allow(op)
                || !self.rules.keeps_rules(interface, &ops[..=*at])
        };
        (0..ops.len()).find(beyond)
    }

    fn allow(&self, op: &Op) -> bool {
        let mut asked = BTreeMap::new();
        learn(&mut asked, op);
        asked.iter().all(|(place, values)| {
            // What no input shows, such as what a list holds that is always empty, is not known.
            self.places.get(place).is_none_or(|known| self.contain(known, values))
        })
    }

    fn contain(&self, known: &Values, values: &Values) -> bool {
        let whole = values.sorts.contains(&Sort::Whole);
        let signs = known.letters.iter().filter(|letter| matches!(letter, Letter::Other(_)));
        let letters_are_free = signs.count() > SIGNS_MAX;
        // Only zero is an edge that inputs are sure to show; another least value may be chance.
        let side = match known.least {
            ..0 => values.least >= known.least.min(-self.largest),
            0 => values.least >= 0,
            1.. => values.least >= self.least,
        };
        values.sorts.is_subset(&known.sorts)
            && (!whole || side && values.most <= known.most.max(self.largest))
            && (letters_are_free || values.letters.is_subset(&known.letters))
            && (known.empty || !values.empty)
    }
}

fn learn(places: &mut BTreeMap<String, Values>, op: &Op) {
    for (at, value) in op.args.iter().enumerate() {
        take(places, &format!("{}.{at}", op.call), value);
    }
}

fn take(places: &mut BTreeMap<String, Values>, place: &str, value: &Json) {
    let values = places.entry(place.to_owned()).or_default();
    let sort = match value {
        Json::Null => Sort::Nothing,
        Json::Bool(_) => Sort::Truth,
        Json::Number(number) => match number.as_i64() {
            Some(number) => {
                values.least = values.least.min(number);
                values.most = values.most.max(number);
                Sort::Whole
            }
            None => Sort::Fraction,
        },
        Json::String(text) => {
            values.empty |= text.is_empty();
            values.letters.extend(text.chars().map(letter));
            Sort::Text
        }
        Json::Array(items) => {
            values.empty |= items.is_empty();
            Sort::List
        }
        Json::Object(_) => Sort::Object,
    };
    values.sorts.insert(sort);
    if let Json::Array(items) = value {
        items.iter().for_each(|item| take(places, &format!("{place}[]"), item));
    }
}

fn letter(c: char) -> Letter {
    match c {
        c if c.is_lowercase() => Letter::Small,
        c if c.is_uppercase() => Letter::Capital,
        c if c.is_numeric() => Letter::Digit,
        c => Letter::Other(c),
    }
}

/// The largest number in a text, in which commas may part thousands.
fn largest(text: &str) -> i64 {
    let plain = text.replace(',', "");
    let numbers = plain.split(|c: char| !c.is_ascii_digit());
    numbers.filter_map(|number| number.parse().ok()).max().unwrap_or(0)
}

/// Whether the statement or a visible case shows these calls already, all of them in a row.
pub(super) fn is_shown(problem: &Problem, suite: &Suite, ops: &[Op]) -> bool {
    let visible = problem.cases.iter().zip(&suite.cases).filter(|(info, _)| info.visible);
    let mut in_case = visible.map(|(_, case)| case.ops.as_slice());
    // A table of the statement has one call between each two backticks.
    let written = between_backticks(&problem.statement).filter_map(|part| read_calls(part).ok());
    let written: Vec<Op> = written.flatten().collect();
    let same = |one: &Op, other: &Op| one.call == other.call && one.args == other.args;
    let starts = |all: &[Op]| {
        all.len() >= ops.len() && all.iter().zip(ops).all(|(one, other)| same(one, other))
    };
    let within = |all: &[Op]| (0..all.len()).any(|at| starts(&all[at..]));
    within(&written) || in_case.any(within) || ops.iter().all(|op| in_table(problem, op))
}

/// Whether a table of the statement shows a call of a function by its values alone: a row has them below
/// the names of the parameters. What has no column stands between backticks: "The book is `[4, 2]`".
fn in_table(problem: &Problem, op: &Op) -> bool {
    let Interface::Function(function) = &problem.interface else { return false };
    let is = |text: &str, arg: &Json| match arg {
        Json::String(own) => text == own,
        _ => read_answer(text).as_ref() == Some(arg),
    };
    let rows: Vec<_> = problem.statement.lines().map(cells).collect();
    let is_rule = |row: &Vec<&str>| row.first().is_some_and(|cell| cell.starts_with("---"));
    let mut header: &[&str] = &[];
    for (at, row) in rows.iter().enumerate() {
        if row.is_empty() {
            header = &[];
        }
        if rows.get(at + 1).is_some_and(is_rule) {
            header = row;
            continue;
        }
        let named = function.params.iter().any(|param| header.contains(&param.name.as_str()));
        let shows = |(place, arg): (usize, &Json)| {
            let param = function.params.get(place).map(|param| param.name.as_str());
            match header.iter().position(|name| Some(*name) == param) {
                Some(column) => row.get(column).is_some_and(|cell| is(cell, arg)),
                None => between_backticks(&problem.statement).any(|text| is(text, arg)),
            }
        };
        if named && op.args.iter().enumerate().all(shows) {
            return true;
        }
    }
    false
}

/// The cells of a row of a table, without their backticks; none for a line that is no row.
fn cells(line: &str) -> Vec<&str> {
    let Some(row) = line.trim().strip_prefix('|') else { return Vec::new() };
    let row = row.strip_suffix('|').unwrap_or(row);
    row.split('|').map(|cell| cell.trim().trim_matches('`')).collect()
}

fn between_backticks(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::content::catalog;

    #[test]
    fn each_problem_says_which_of_its_limits_an_input_goes_beyond() {
        let beyond = [
            ("beacon_ring", "signals([1], 20001)==[0]", "`reach` is between"),
            ("beacon_ring", "signals([-1], 1)==[0]", "Heights are"),
            ("boat_register", "Register() first(\"a\", 1001)==[]", "`most` is"),
            ("boat_register", "Register() add(\"\")==True", "A name has 1 to 30 letters."),
            ("chair_keeper", "Keeper(1001) free(0)==1001", "`chairs` is between"),
            ("chair_keeper", "Keeper(2) leave(0, 0)==False", "`chair` is a whole number"),
            ("circus_plan", "plan([\"abcdefghijklm\"], [])==[]", "A name is a string"),
            ("circus_plan", "plan([\"a\"], [[\"a\"]])==[\"a\"]", "each pair is"),
            ("cold_store", "SettingBook() note(\"a\", 0, 31)", "Degrees are from -60 to 30."),
            ("cue_sheet", "first_slip(\"\u{e9}\")==-1", "All are printable"),
            ("gift_boxes", "pack_jars([1], 5, 4)==[0,1]", "`low` is never larger"),
            ("gift_boxes", "pack_jars([0], 1, 4)==[0,1]", "`prices` holds"),
            ("island_cables", "Coast(1001) groups()==1001", "`count` is from"),
            ("island_cables", "Coast(2) size(2001)==0", "Numbers given to"),
            ("loan_desk", "LoanDesk(0) lend(1,1)==-1", "`limit` is between 1 and 1,000"),
            ("loan_desk", "LoanDesk(1) holder(0)==0", "Tools and people"),
            ("lru_cache", "LRUCache(5000) get(1)==-1", "`capacity` is between"),
            ("lru_cache", "LRUCache(0) get(1)==-1", "`capacity` is between"),
            ("lru_cache", "LRUCache(2) put(1,-1) get(1)==-1", "No stored value is `-1`."),
            ("middle_reading", "Station(1001) send()==null", "`room` is between"),
            ("moor_walk", "moor_walk([])==-1", "A map has 1 to 100 rows"),
            ("pass_costs", "pass_costs([1],[[1,1,1]],1)==0", "`free_every` is 0 or from 2 to 10."),
            ("pass_costs", "pass_costs([1],[[1,1,0]],0)==0", "A pass has 1 to 1,000 days"),
            ("price_board", "PriceBoard(1) write(0,1)==0", "Stalls are"),
            ("price_board", "PriceBoard(1001) read(1)==0", "`depth` is between"),
            ("rate_gate", "RateGate(0,5) free(1,1)==0", "`limit` is between"),
            ("rate_gate", "RateGate(1,0) free(1,1)==1", "`window` is between"),
            ("tank_book", "count_spans([1],1,0)==1", "`least` is between 1 and 20,000."),
            ("tower_peak", "fullest([[0,1,2]])==[1,0]", "each visit is"),
            ("tower_peak", "fullest([[0,1000000001]])==[1,0]", "Seconds are"),
        ];
        for (id, run, limit) in beyond {
            let package = catalog().list().find(|one| one.problem.id.as_str() == id).unwrap();
            let ops = read_calls(run).unwrap();
            let passed = InputLimits::of(&package.problem, &package.suite()).passed_at(&ops);
            let said = passed.unwrap_or_else(|| panic!("{id}: {run}")).1;
            assert!(said.as_ref().is_some_and(|said| said.starts_with(limit)), "{run}: {said:?}");
        }
        for package in catalog().list() {
            assert!(!package.problem.limits.is_empty(), "{}", package.problem.id);
        }
    }

    #[test]
    fn what_a_statement_or_a_visible_case_shows_is_known_however_it_is_written() {
        let shown = |id: &str, run: &str| {
            let package = catalog().list().find(|one| one.problem.id.as_str() == id).unwrap();
            is_shown(&package.problem, &package.suite(), &read_calls(run).unwrap())
        };
        for (id, run) in [
            ("lru_cache", "LRUCache(2) put(5, 50) put(8, 80) get(5)==50"),
            ("gift_boxes", "pack_jars([5, 5, 5], 10, 10)==[1, 1]"),
            // By the values alone, in a table; the book of the third stands above it.
            ("cue_sheet", "first_slip('+k+m \"Go!\"')==2"),
            ("beacon_ring", "signals([4, 2, 6, 3], 1)==[0, 1, 0, 1]"),
            ("tank_book", "count_spans([4, -4, 6, '-', 2, 0], 6, 2)==1"),
            // Not the first call of its case.
            ("cue_sheet", "first_slip('+r+b')==2"),
        ] {
            assert!(shown(id, run), "{id}: {run}");
        }
        for (id, run) in [
            ("lru_cache", "LRUCache(2) put(5, 50) put(8, 81)"),
            ("cue_sheet", "first_slip('text')==-1"),
            ("cue_sheet", "first_slip('+k+m \"Go\"')==2"),
            ("beacon_ring", "signals([4, 2, 6, 3], 2)==[2, 1, 0, 1]"),
            // Each value is in the table, but not in one row.
            ("tank_book", "count_spans([4, -4, 6, '-', 2, 0], 8, 2)==0"),
            ("tank_book", "count_spans([4, -4, 6], 6, 1)==2"),
        ] {
            assert!(!shown(id, run), "{id}: {run}");
        }
    }

    #[test]
    fn what_a_statement_does_not_allow_is_noticed_and_what_it_allows_is_not() {
        let beyond = [
            ("loan_desk", "LoanDesk(1) lend(\"a\", null)==1", 2),
            ("loan_desk", "LoanDesk(0) lend(1,1)==-1", 1),
            ("loan_desk", "LoanDesk(1) lend(1,-4)==1", 2),
            ("boat_register", "Register() add(\"\")==True", 2),
            ("tower_peak", "fullest([[-1, 4]])==[1,0]", 1),
            ("rate_gate", "RateGate(2,5) enter(1,7)==true free(1,6)==1", 3),
            ("chair_keeper", "Keeper(3) take(5, 9)==1 take(6, 9)==2 free(4)==1", 4),
            ("pass_costs", "pass_costs([4,2],[[1,1,1]],0)==2", 1),
            ("circus_plan", "plan([\"a\", \"a\"], [])==[\"a\"]", 1),
            ("moor_walk", "moor_walk([\"A.\", \"..H\"])==3", 1),
            ("moor_walk", "moor_walk([\"A.H\", \"..H\"])==2", 1),
            ("gift_boxes", "pack_jars([5,3],1,9)==[1,0]", 1),
        ];
        let within = [
            ("loan_desk", "LoanDesk(7) lend(999,1)==1"),
            ("chair_keeper", "Keeper(3) take(0, 9)==1"),
            ("boat_register", "Register() add(\"x\")==True count(\"\")==1"),
            ("cue_sheet", "first_slip(\"# $ @ %\")==-1"),
            ("tower_peak", "fullest([[0, 4], [8, 2]])==[2,2]"),
            ("lru_cache", "LRUCache(2) put(-9,-9) get(-9)==-9"),
            (
                "rate_gate",
                "RateGate(2,5) enter(9,7)==true enter(1,7)==true RateGate(1,1) enter(1,1)==true",
            ),
            ("pass_costs", "pass_costs([4,4,9],[[3,1,1],[1,1,1]],0)==3"),
            ("tower_peak", "fullest([[7, 9], [2, 5]])==[1,2]"),
            ("moor_walk", "moor_walk([\"A.o\", \"..H\"])==3"),
            ("circus_plan", "plan([\"b\", \"a\"], [[\"a\", \"a\"], [\"a\", \"a\"]])==[\"b\"]"),
        ];
        let passed_at = |id: &str, run: &str| {
            let package = catalog().list().find(|one| one.problem.id.as_str() == id).unwrap();
            let ops = read_calls(run).unwrap();
            let (problem, suite) = (&package.problem, package.suite());
            let limits = InputLimits::of(problem, &suite);
            let passed = limits.passed_at(&ops);
            assert_eq!(limits.keep(&ops), passed.is_none(), "{id}: {run}");
            passed
        };
        for (id, run, call) in beyond {
            assert_eq!(passed_at(id, run).map(|(at, _)| at), Some(call), "{id}: {run}");
        }
        for (id, run) in within {
            assert_eq!(passed_at(id, run), None, "{id}: {run}");
        }
    }
}
