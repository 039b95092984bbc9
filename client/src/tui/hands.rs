//! Whose the keyboard is: the screen's, or that of an editor which it has lent the terminal to.

use std::sync::{Condvar, Mutex, PoisonError};

/// The keyboard, which one reads at a time.
#[derive(Debug, Default)]
pub(crate) struct Hands {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    lent: bool,
    reading: bool,
}

impl Hands {
    /// Reads for the screen, which must not take long; waits while the keyboard is lent.
    pub(crate) fn on<T>(&self, read: impl FnOnce() -> T) -> T {
        self.change(|state| !state.lent, |state| state.reading = true);
        let event = read();
        self.change(|_| true, |state| state.reading = false);
        event
    }

    /// Lends the keyboard for as long as somebody needs it.
    pub(crate) fn off<T>(&self, lent: impl FnOnce() -> T) -> T {
        self.change(|_| true, |state| state.lent = true);
        self.change(|state| !state.reading, |_| {});
        let done = lent();
        self.change(|_| true, |state| state.lent = false);
        done
    }

    fn change(&self, when: impl Fn(&State) -> bool, change: impl FnOnce(&mut State)) {
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let waited = self.changed.wait_while(state, |state| !when(state));
        change(&mut waited.unwrap_or_else(PoisonError::into_inner));
        self.changed.notify_all();
    }
}
