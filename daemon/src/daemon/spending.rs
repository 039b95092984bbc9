//! [`UnderWay`]: what requests to servers of models may use up that are being answered just now.
//!
//! The day's sum is kept in the store and knows only of those that have ended. A request is let through
//! by both together: two at the same time must not cross a cap that each of them alone would keep.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use vosim_engine::parts::budget::{self, Estimate};
use vosim_protocol::v1::agent::{Price, Spent, Usage};

/// The requests that are under way.
#[derive(Debug, Default)]
pub(super) struct UnderWay(Rc<RefCell<Asked>>);

#[derive(Debug, Default)]
struct Asked {
    last: u64,
    estimates: BTreeMap<u64, (Estimate, Option<Price>)>,
}

/// What one of them may use up; given back when this is dropped.
#[derive(Debug)]
pub(crate) struct Reserved {
    asked: Rc<RefCell<Asked>>,
    number: u64,
}

impl UnderWay {
    /// Notes one that is about to be made.
    pub(super) fn reserve(&self, estimate: Estimate, price: Option<Price>) -> Reserved {
        let mut asked = self.0.borrow_mut();
        asked.last += 1;
        let number = asked.last;
        asked.estimates.insert(number, (estimate, price));
        Reserved { asked: Rc::clone(&self.0), number }
    }

    /// What will be used up if each of them takes what it may.
    pub(super) fn after(&self, spent: Spent) -> Spent {
        let asked = self.0.borrow();
        asked.estimates.values().fold(spent, |spent, (Estimate { prompt, completion }, price)| {
            let usage = Usage { prompt: *prompt, completion: *completion, estimated: true };
            budget::after(spent, usage, *price)
        })
    }
}

impl Drop for Reserved {
    fn drop(&mut self) {
        self.asked.borrow_mut().estimates.remove(&self.number);
    }
}

#[cfg(test)]
mod tests {
    use vosim_protocol::v1::agent::{Cap, Caps, Per};

    use super::*;

    #[test]
    fn what_is_under_way_counts_until_it_has_ended_one_way_or_another() {
        let (under_way, spent) = (UnderWay::default(), Spent { calls: 8, ..Spent::default() });
        let call = Estimate { prompt: 600, completion: 400 };
        let caps = Caps { calls: Some(10), ..Caps::default() };
        let crossed = || {
            let spent = under_way.after(spent);
            budget::crossing(Per::Day, &caps, &spent, call, None).map(|crossing| crossing.cap)
        };
        let first = under_way.reserve(call, None);
        assert_eq!((crossed(), under_way.after(spent).prompt), (None, 600));
        let second = under_way.reserve(call, None);
        assert_eq!(crossed(), Some(Cap::Calls));
        drop(first);
        assert_eq!(crossed(), None);
        drop(second);
        assert_eq!(under_way.after(spent), spent);
    }
}
