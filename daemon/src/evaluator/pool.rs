//! Drivers that wait: isolated like any other, their driver read and what it may read ahead, nothing
//! of any submission inside.
//! Each is used once. A thread of its own fills up what was taken, so that nobody waits for it.
//!
//! An empty pool is no fault: then a driver is started as if there were no pool. It fills only
//! after the first submission of a language, and empties an hour after the last one, so that an
//! idle daemon costs nothing.

use std::collections::{BTreeMap, VecDeque};
use std::io;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use vosim_protocol::v1::problem::Language;

use super::driver_process::Process;
use super::order::{AGE_MAX, Order};

/// How long after the last submission of a language drivers are still kept for it.
const KEPT: Duration = Duration::from_secs(60 * 60);
/// How long after a submission the next driver is started: until then its verdict is made durable
/// and told, and the machine may have no more than one processor for both.
const PAUSE: Duration = Duration::from_millis(30);

/// The waiting drivers of all languages.
#[derive(Debug)]
pub(super) struct Pool {
    inner: Arc<Inner>,
    keeper: Mutex<Option<JoinHandle<()>>>,
}

#[derive(Debug)]
struct Inner {
    /// Drivers that wait for each language; at least 1.
    most: usize,
    age_max: Duration,
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    shelves: BTreeMap<Language, Shelf>,
    /// To be ended, which may take a moment, by the keeper.
    discarded: Vec<Process>,
    closed: bool,
}

/// The drivers of one language.
#[derive(Debug)]
struct Shelf {
    order: Arc<Order>,
    used: Instant,
    /// Nothing is started before.
    rests_until: Instant,
    waiting: VecDeque<(Instant, Process)>,
    /// Nothing is started for it: a submission is under way and needs the machine, or the last
    /// attempt failed. The end of a submission changes that.
    resting: bool,
}

/// What the keeper does next.
enum Chore {
    Start(Language, Arc<Order>),
    End(Vec<Process>),
    Stop(Vec<Process>),
}

impl Pool {
    /// A pool for `most` drivers of each language; nothing is started yet.
    pub(super) fn new(most: usize) -> Self {
        Self::with_age(most, AGE_MAX)
    }

    pub(super) fn with_age(most: usize, age_max: Duration) -> Self {
        let (state, changed) = (Mutex::default(), Condvar::new());
        let inner = Arc::new(Inner { most, age_max, state, changed });
        Self { inner, keeper: Mutex::default() }
    }

    /// A driver that was started by this order and still waits. What is missing then is filled up
    /// after the submission.
    pub(super) fn take(&self, language: Language, order: &Arc<Order>) -> Option<Process> {
        let mut state = self.inner.lock();
        let State { shelves, discarded, .. } = &mut *state;
        let shelf = shelves.get_mut(&language)?;
        shelf.resting = true;
        if shelf.order != *order {
            discarded.extend(shelf.waiting.drain(..).map(|(_, process)| process));
        }
        let mut found = None;
        while let Some((since, process)) = shelf.waiting.pop_front() {
            if since.elapsed() < self.inner.age_max && process.is_waiting() {
                found = Some(process);
                break;
            }
            discarded.push(process);
        }
        if !discarded.is_empty() {
            self.inner.changed.notify_one();
        }
        found
    }

    /// Has the shelf filled for the next submission.
    pub(super) fn fill(&self, language: Language, order: &Arc<Order>) {
        let mut state = self.inner.lock();
        if state.closed {
            return;
        }
        let State { shelves, discarded, .. } = &mut *state;
        let shelf = shelves.entry(language).or_insert_with(|| Shelf::new(Arc::clone(order)));
        if shelf.order != *order {
            discarded.extend(shelf.waiting.drain(..).map(|(_, process)| process));
            shelf.order = Arc::clone(order);
        }
        shelf.used = Instant::now();
        shelf.rests_until = shelf.used + PAUSE;
        shelf.resting = false;
        drop(state);
        self.inner.changed.notify_one();
        self.start_keeper();
    }

    fn start_keeper(&self) {
        let mut keeper = self.keeper.lock().unwrap_or_else(PoisonError::into_inner);
        if keeper.is_none() {
            let inner = Arc::clone(&self.inner);
            let thread = std::thread::Builder::new().name("warm".to_owned());
            match thread.spawn(move || inner.keep_filled()) {
                Ok(started) => *keeper = Some(started),
                // Then the pool stays empty and every run is a cold one.
                Err(error) => tracing::warn!(%error, "no thread for waiting interpreters"),
            }
        }
    }

    /// Ends every waiting driver and starts no more; when it returns they have gone.
    pub(super) fn close(&self) {
        self.inner.lock().closed = true;
        self.inner.changed.notify_all();
        let keeper = self.keeper.lock().unwrap_or_else(PoisonError::into_inner).take();
        if keeper.is_some_and(|keeper| keeper.join().is_err()) {
            tracing::error!("the thread for waiting interpreters crashed");
        }
    }

    /// Has one wait that a test has made.
    #[cfg(test)]
    pub(super) fn place(&self, language: Language, order: &Arc<Order>, process: Process) {
        let mut state = self.inner.lock();
        let shelf = state.shelves.entry(language).or_insert_with(|| Shelf::new(Arc::clone(order)));
        shelf.waiting.push_back((Instant::now(), process));
        drop(state);
        self.fill(language, order);
    }

    /// The helpers of those that wait for a language.
    #[cfg(test)]
    pub(super) fn helpers(&self, language: Language) -> Vec<u32> {
        let state = self.inner.lock();
        let waiting = state.shelves.get(&language).map(|shelf| &shelf.waiting);
        waiting.into_iter().flatten().map(|(_, process)| process.helper()).collect()
    }

    /// How many of them could be taken.
    #[cfg(test)]
    pub(super) fn fit(&self, language: Language) -> usize {
        let state = self.inner.lock();
        let waiting = state.shelves.get(&language).map(|shelf| &shelf.waiting);
        waiting.into_iter().flatten().filter(|(_, process)| process.is_waiting()).count()
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        self.close();
    }
}

impl Shelf {
    fn new(order: Arc<Order>) -> Self {
        let now = Instant::now();
        Self { order, used: now, rests_until: now, waiting: VecDeque::new(), resting: false }
    }

    /// Whether it lacks drivers and they are still of use.
    fn lacks(&self, most: usize, now: Instant) -> bool {
        !self.resting && self.waiting.len() < most && now < self.used + KEPT
    }

    /// When something must be done about it without anybody asking.
    fn due(&self, most: usize, age_max: Duration, now: Instant) -> Option<Instant> {
        let end = self.waiting.front().map(|(since, _)| (*since + age_max).min(self.used + KEPT));
        let start = self.lacks(most, now).then_some(self.rests_until);
        [end, start].into_iter().flatten().min()
    }

    fn outdated(&mut self, age_max: Duration, now: Instant) -> Vec<Process> {
        let unused = now >= self.used + KEPT;
        let old = |since: &Instant| unused || now >= *since + age_max;
        let count = self.waiting.iter().take_while(|(since, _)| old(since)).count();
        self.waiting.drain(..count).map(|(_, process)| process).collect()
    }
}

impl Inner {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The keeper's life.
    fn keep_filled(&self) {
        loop {
            match self.next_task() {
                Chore::Start(language, order) => self.put(language, &order, order.start()),
                Chore::End(processes) => end_all(processes),
                Chore::Stop(processes) => return end_all(processes),
            }
        }
    }

    fn next_task(&self) -> Chore {
        let mut state = self.lock();
        loop {
            let now = Instant::now();
            let State { shelves, discarded, closed } = &mut *state;
            let mut ended = std::mem::take(discarded);
            if *closed {
                let shelves = std::mem::take(shelves).into_values();
                ended.extend(shelves.flat_map(|shelf| shelf.waiting).map(|(_, process)| process));
                return Chore::Stop(ended);
            }
            ended.extend(shelves.values_mut().flat_map(|shelf| shelf.outdated(self.age_max, now)));
            if !ended.is_empty() {
                return Chore::End(ended);
            }
            let wanted = |shelf: &Shelf| shelf.lacks(self.most, now) && now >= shelf.rests_until;
            if let Some((language, shelf)) = shelves.iter().find(|(_, shelf)| wanted(shelf)) {
                return Chore::Start(*language, Arc::clone(&shelf.order));
            }
            let due = |shelf: &Shelf| shelf.due(self.most, self.age_max, now);
            let due = shelves.values().filter_map(due).min();
            state = match due {
                None => self.changed.wait(state).unwrap_or_else(PoisonError::into_inner),
                Some(due) => {
                    let patience = due.saturating_duration_since(now);
                    let waited = self.changed.wait_timeout(state, patience);
                    waited.unwrap_or_else(PoisonError::into_inner).0
                }
            };
        }
    }

    fn put(&self, language: Language, order: &Arc<Order>, started: io::Result<Process>) {
        let mut state = self.lock();
        let State { shelves, discarded, .. } = &mut *state;
        let Some(shelf) = shelves.get_mut(&language) else { return };
        match started {
            Ok(mut process) if shelf.order == *order => {
                order.prepare(&mut process);
                shelf.waiting.push_back((Instant::now(), process));
            }
            Ok(process) => discarded.push(process),
            Err(error) => {
                tracing::warn!(%error, "an interpreter could not be started ahead of time");
                shelf.resting = true;
            }
        }
    }
}

/// All are told before the first is waited for.
fn end_all(processes: Vec<Process>) {
    processes.iter().for_each(Process::end);
}
