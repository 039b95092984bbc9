//! What the inputs of a problem may be, as its statement says it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::op::Op;
use crate::wire::Json;

/// A limit of the statement: what holds for values at some places of the calls.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StatedLimit {
    /// The places: `put.1` is the second argument of `put`, `f.0[]` each item of a list, `f.0[][2]` the third
    /// one of each.
    pub at: Vec<String>,
    /// The least and the greatest whole number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub numbers: Option<[i64; 2]>,
    /// The least and the greatest length of a list or text, items or characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sizes: Option<[usize; 2]>,
    /// The first and the last character that a text may have, by their code points.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub letters: Option<[char; 2]>,
    /// Numbers that it never is.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub except: Vec<i64>,
    /// The argument of the same call that it never exceeds, counted from 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub up_to: Option<usize>,
    /// The words of the statement that say so.
    pub text: String,
}

/// A place of values in the calls, taken apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValuePlace<'a> {
    /// The call.
    pub call: &'a str,
    /// The argument, counted from 0.
    pub argument: usize,
    /// Which item of a list, one step after the other; all where none is named.
    steps: Vec<Option<usize>>,
}

impl<'a> ValuePlace<'a> {
    /// Reads `call.argument`, with `[]` or `[n]` behind it for each list that is entered.
    pub fn read(text: &'a str) -> Option<Self> {
        let (call, rest) = text.split_once('.')?;
        let end = rest.find('[').unwrap_or(rest.len());
        let (argument, mut rest) = rest.split_at(end);
        let mut steps = Vec::new();
        while !rest.is_empty() {
            let (item, after) = rest.strip_prefix('[')?.split_once(']')?;
            steps.push(if item.is_empty() { None } else { Some(item.parse().ok()?) });
            rest = after;
        }
        Some(Self { call, argument: argument.parse().ok()?, steps })
    }

    /// Whether it names the value that this way leads to, item by item, from an argument of a call.
    pub fn is_at(&self, call: &str, argument: usize, way: &[usize]) -> bool {
        let fits = |(step, at): (&Option<usize>, &usize)| step.is_none_or(|step| step == *at);
        (self.call, self.argument, self.steps.len()) == (call, argument, way.len())
            && self.steps.iter().zip(way).all(fits)
    }
}

impl StatedLimit {
    /// Whether a call keeps it. Values of another sort than it speaks of keep it.
    pub fn allows(&self, op: &Op) -> bool {
        let places = self.at.iter().filter_map(|at| ValuePlace::read(at));
        places.filter(|place| place.call == op.call).all(|place| {
            let value = op.args.get(place.argument);
            value.is_none_or(|value| self.allows_at(&place.steps, value, op))
        })
    }

    fn allows_at(&self, steps: &[Option<usize>], value: &Json, op: &Op) -> bool {
        let Some((step, further)) = steps.split_first() else {
            return self.allows_value(value, op);
        };
        let Json::Array(items) = value else { return true };
        match step {
            None => items.iter().all(|item| self.allows_at(further, item, op)),
            Some(at) => items.get(*at).is_none_or(|item| self.allows_at(further, item, op)),
        }
    }

    fn allows_value(&self, value: &Json, op: &Op) -> bool {
        let size =
            |length: usize| self.sizes.is_none_or(|[least, most]| (least..=most).contains(&length));
        match value {
            Json::Number(number) => match number.as_i64() {
                Some(number) => self.allows_number(number, op),
                // Beyond 64 bits, or a fraction.
                None => self.numbers.is_none(),
            },
            Json::String(text) => {
                let letter =
                    |c: char| self.letters.is_none_or(|[first, last]| (first..=last).contains(&c));
                size(text.chars().count()) && text.chars().all(letter)
            }
            Json::Array(items) => size(items.len()),
            Json::Null | Json::Bool(_) | Json::Object(_) => true,
        }
    }

    fn allows_number(&self, number: i64, op: &Op) -> bool {
        let bound = self.up_to.and_then(|at| op.args.get(at)).and_then(Json::as_i64);
        self.numbers.is_none_or(|[least, most]| (least..=most).contains(&number))
            && !self.except.contains(&number)
            && bound.is_none_or(|bound| number <= bound)
    }
}

#[cfg(test)]
mod tests {
    use super::super::written::read_calls;
    use super::*;

    fn limit(at: &str) -> StatedLimit {
        StatedLimit { at: vec![at.to_owned()], ..StatedLimit::default() }
    }

    #[test]
    fn a_limit_holds_at_its_own_place_and_for_values_of_its_own_sort() {
        let numbers = |at| StatedLimit { numbers: Some([1, 9]), ..limit(at) };
        let sizes = |at| StatedLimit { sizes: Some([1, 2]), ..limit(at) };
        let letters = StatedLimit { letters: Some(['a', 'z']), ..limit("f.0") };
        let except = StatedLimit { except: vec![-1], ..limit("f.1") };
        let up_to = StatedLimit { up_to: Some(1), ..limit("f.0") };
        for (limit, call, allowed) in [
            (numbers("f.0"), "f(9, 10)", true),
            (numbers("f.0"), "f(10, 9)", false),
            (numbers("f.0"), "f(0, 9)", false),
            (numbers("f.0"), "f(1.5)", false),
            (numbers("f.0"), "f(99999999999999999999)", false),
            (numbers("f.0"), "g(10)", true),
            (numbers("f.0"), "f(True)", true),
            (numbers("f.0"), "f([10])", true),
            (numbers("f.0[]"), "f([9, 10])", false),
            (numbers("f.0[][1]"), "f([[10, 9], [10]])", true),
            (numbers("f.0[][1]"), "f([[9, 9], [9, 10]])", false),
            (sizes("f.0"), "f('ab')", true),
            (sizes("f.0"), "f('äöü')", false),
            (sizes("f.0"), "f([])", false),
            (letters.clone(), "f('az')", true),
            (letters, "f('aZ')", false),
            (except.clone(), "f(-1, -2)", true),
            (except, "f(0, -1)", false),
            (up_to.clone(), "f(3, 3)", true),
            (up_to, "f(4, 3)", false),
        ] {
            let ops = read_calls(call).unwrap();
            assert_eq!(limit.allows(&ops[0]), allowed, "{limit:?}: {call}");
        }
    }

    #[test]
    fn a_place_names_a_call_an_argument_and_the_items_of_lists() {
        let place = ValuePlace::read("f.2[][0]").unwrap();
        assert_eq!((place.call, place.argument), ("f", 2));
        assert_eq!(place.steps, [None, Some(0)]);
        for (call, argument, way, at) in [
            ("f", 2, &[0, 0][..], true),
            ("f", 2, &[7, 0][..], true),
            ("f", 2, &[0, 1][..], false),
            ("f", 2, &[0][..], false),
            ("f", 1, &[0, 0][..], false),
            ("g", 2, &[0, 0][..], false),
        ] {
            assert_eq!(place.is_at(call, argument, way), at, "{call}.{argument}{way:?}");
        }
        for bad in ["f", "f.", "f.x", "f.0[", "f.0]", "f.0[x]", "f.0 []"] {
            assert_eq!(ValuePlace::read(bad), None, "{bad}");
        }
    }
}
