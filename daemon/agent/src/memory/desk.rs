//! Where the daemon asks: memory on a thread of its own, and nobody who asks waits long.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, TryRecvError, TrySendError, sync_channel};
use std::time::Duration;

use tokio::sync::oneshot;
use tokio::time::timeout;
use vosim_protocol::{SessionId, Time};

use super::book::{Memory, Recalled};
use super::degraded::Degraded;
use super::embedder::Embedder;
use super::failure::{Failure, Lesson, Run};
use super::pattern::{Partly, Pattern, Recipe};

/// How long a task waits for memory before it goes on without (002 7.3).
pub const PATIENCE: Duration = Duration::from_secs(5);

/// How many questions wait for their turn.
const WAITING_MAX: usize = 64;

/// What was changed; it is on disk unless something has to be said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Noted {
    /// How many entries are new, or became something else.
    pub count: usize,
    /// Why it may be none, or not on disk. What is too late or busy may still be done.
    pub degraded: Vec<Degraded>,
}

type Job = Box<dyn FnOnce(&mut Memory) + Send>;

/// Memory, for as many tasks as there are; what happens one after the other is its order.
#[derive(Debug)]
pub struct Desk {
    jobs: SyncSender<Job>,
    /// Whether somebody has given up waiting for a job that may still run.
    late: Arc<AtomicBool>,
}

impl Desk {
    /// Opens the memory at a path on a thread of its own, which ends with the desk.
    ///
    /// # Errors
    /// Where no thread can be started.
    pub fn open(path: PathBuf, embedder: Option<Box<dyn Embedder>>) -> std::io::Result<Self> {
        Self::open_with(path, move || embedder)
    }

    /// Does the same with an embedder that is made on that thread, since it may have to be read first.
    ///
    /// # Errors
    /// Where no thread can be started.
    pub fn open_with(
        path: PathBuf,
        embedder: impl FnOnce() -> Option<Box<dyn Embedder>> + Send + 'static,
    ) -> std::io::Result<Self> {
        let (jobs, waiting) = sync_channel(WAITING_MAX);
        let late = Arc::<AtomicBool>::default();
        let flag = Arc::clone(&late);
        let work = move || serve(Memory::open(&path, embedder()), &waiting, &flag);
        std::thread::Builder::new().name("memory".to_owned()).spawn(work)?;
        Ok(Self { jobs, late })
    }

    /// See [`Memory::recipes`]; nothing where memory is slow or broken.
    pub async fn recipes(&self, description: String, at: Time) -> Recalled<Recipe> {
        self.recall(move |memory| memory.recipes(&description, at)).await
    }

    /// See [`Memory::lessons`]; nothing where memory is slow or broken.
    pub async fn lessons(&self, failure: Failure, at: Time) -> Recalled<Lesson> {
        self.recall(move |memory| memory.lessons(&failure, at)).await
    }

    /// See [`Memory::run_failed`].
    pub async fn run_failed(&self, run: Run, failures: Vec<Failure>) -> Noted {
        self.change(move |memory| memory.run_failed(&run, failures)).await
    }

    /// See [`Memory::run_passed`].
    pub async fn run_passed(&self, run: Run) -> Noted {
        self.change(move |memory| memory.run_passed(&run)).await
    }

    /// See [`Memory::keep`].
    pub async fn keep(&self, task: SessionId, pattern: Pattern, at: Time) -> Noted {
        self.change(move |memory| memory.keep(task, pattern, at)).await
    }

    /// See [`Memory::keep_partly`].
    pub async fn keep_partly(
        &self,
        task: SessionId,
        pattern: Pattern,
        partly: Partly,
        at: Time,
    ) -> Noted {
        self.change(move |memory| memory.keep_partly(task, pattern, partly, at)).await
    }

    /// See [`Memory::served`].
    pub async fn served(&self, task: SessionId, given: Vec<SessionId>, succeeded: bool) -> Noted {
        self.change(move |memory| memory.served(task, &given, succeeded)).await
    }

    /// See [`Memory::forget`]; it is forgotten for ever when nothing has to be said.
    pub async fn forget(&self, task: SessionId) -> Noted {
        self.change(move |memory| memory.forget(task)).await
    }

    async fn recall<T: Send + 'static>(
        &self,
        look: impl FnOnce(&mut Memory) -> Recalled<T> + Send + 'static,
    ) -> Recalled<T> {
        // To wait once for what does not come is enough.
        let answer = if self.late.load(Ordering::SeqCst) {
            Err(Degraded::Busy)
        } else {
            self.ask(look).await
        };
        let nothing = |why| Recalled { found: Vec::new(), unsolved: 0, degraded: vec![why] };
        answer.unwrap_or_else(nothing)
    }

    async fn change(&self, change: impl FnOnce(&mut Memory) -> usize + Send + 'static) -> Noted {
        let change = |memory: &mut Memory| {
            let count = change(memory);
            memory.save();
            Noted { count, degraded: memory.take_degraded() }
        };
        self.ask(change).await.unwrap_or_else(|why| Noted { count: 0, degraded: vec![why] })
    }

    async fn ask<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut Memory) -> T + Send + 'static,
    ) -> Result<T, Degraded> {
        let (answer, answered) = oneshot::channel();
        // Whoever has given up hears nothing.
        self.send(Box::new(move |memory| drop(answer.send(work(memory)))))?;
        match timeout(PATIENCE, answered).await {
            Ok(answer) => answer.map_err(|_| Degraded::Stopped),
            Err(_) => {
                self.late.store(true, Ordering::SeqCst);
                // The end of any job says that it is no longer late; there must be one after this.
                drop(self.send(Box::new(|_| {})));
                Err(Degraded::Slow { secs: PATIENCE.as_secs() })
            }
        }
    }

    fn send(&self, job: Job) -> Result<(), Degraded> {
        self.jobs.try_send(job).map_err(|error| match error {
            TrySendError::Full(_) => Degraded::Busy,
            TrySendError::Disconnected(_) => Degraded::Stopped,
        })
    }
}

/// Does the jobs in their order, and while there are none what can wait.
fn serve(mut memory: Memory, jobs: &Receiver<Job>, late: &AtomicBool) {
    while let Ok(job) = jobs.recv() {
        let mut next = Some(job);
        while let Some(job) = next.take() {
            job(&mut memory);
            late.store(false, Ordering::SeqCst);
            memory.save();
            next = loop {
                match jobs.try_recv() {
                    Ok(job) => break Some(job),
                    Err(TryRecvError::Disconnected) => break None,
                    Err(TryRecvError::Empty) if memory.catch_up() => {}
                    Err(TryRecvError::Empty) => break None,
                }
            };
            memory.save();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;
    use std::sync::mpsc::{Sender, channel};

    use tokio::time::Instant;
    use uuid::Uuid;
    use vosim_protocol::v1::problem::Language;

    use super::super::embedder::{EmbedFault, EmbedderId, Scale, Vector};
    use super::*;

    fn now() -> Time {
        Time::from_micros(1)
    }

    /// Waits for a word before each answer.
    #[derive(Debug)]
    struct Waits {
        id: EmbedderId,
        word: std::sync::Mutex<Receiver<Says>>,
    }

    #[derive(Debug)]
    enum Says {
        Go,
        Fail,
        Panic,
    }

    impl Embedder for Waits {
        fn id(&self) -> &EmbedderId {
            &self.id
        }

        fn embed(&mut self, texts: &[&str]) -> Result<Vec<Vector>, EmbedFault> {
            match self.word.lock().unwrap().recv() {
                Ok(Says::Go) => Ok(vec![Vector::from_counts(&[1]); texts.len()]),
                Ok(Says::Fail) => Err(EmbedFault("503".to_owned())),
                Ok(Says::Panic) | Err(_) => panic!("a fault in an embedder"),
            }
        }

        fn scale(&self) -> Option<Scale> {
            Some(Scale { failures: 0.5, tasks: 0.5 })
        }
    }

    fn waiting(path: &Path) -> (Desk, Sender<Says>) {
        let (say, word) = channel();
        let embedder = Waits { id: EmbedderId("waits".to_owned()), word: word.into() };
        (Desk::open(path.to_owned(), Some(Box::new(embedder))).unwrap(), say)
    }

    fn task(number: u128) -> SessionId {
        SessionId(Uuid::from_u128(number))
    }

    fn pattern(description: &str) -> Pattern {
        Pattern {
            task_type: "cli".to_owned(),
            description: description.to_owned(),
            files: [("main.py".to_owned(), "print(1)\n".to_owned())].into(),
            notes: String::new(),
            language: Language::Python,
        }
    }

    fn noted(count: usize) -> Noted {
        Noted { count, degraded: Vec::new() }
    }

    fn said(degraded: &[Degraded]) -> Vec<String> {
        degraded.iter().map(ToString::to_string).collect()
    }

    /// The clock stands still and goes on by itself while nobody but the memory has to do something.
    #[tokio::test(start_paused = true)]
    async fn who_asks_waits_five_seconds_at_most_and_once() {
        let dir = tempfile::tempdir().unwrap();
        let (desk, say) = waiting(&dir.path().join("memory"));
        let begun = Instant::now();
        let slow = desk.recipes("Sort names".to_owned(), now()).await;
        assert_eq!(begun.elapsed(), PATIENCE);
        assert_eq!(slow.found, []);
        let sentence =
            "the memory of earlier tasks did not answer within 5 s; the task goes on without";
        assert_eq!(said(&slow.degraded), [sentence]);
        let busy = desk.recipes("Sort names".to_owned(), now()).await;
        assert_eq!((busy.degraded, begun.elapsed()), (vec![Degraded::Busy], PATIENCE));
        // What is to be kept waits, and is kept although nobody waits for it.
        let late = desk.keep(task(1), pattern("Sort names"), now()).await;
        assert_eq!(late.degraded, [Degraded::Slow { secs: 5 }]);

        tokio::time::resume();
        // One word for what was asked, one to catch up with.
        say.send(Says::Go).unwrap();
        say.send(Says::Go).unwrap();
        assert_eq!(desk.served(task(2), vec![task(1)], true).await, noted(1));
        say.send(Says::Go).unwrap();
        let found = desk.recipes("Sort words".to_owned(), now()).await;
        assert_eq!((found.found.len(), found.degraded), (1, vec![]));
    }

    #[tokio::test]
    async fn an_embedder_that_fails_is_said_and_words_are_compared() {
        let dir = tempfile::tempdir().unwrap();
        let (desk, say) = waiting(&dir.path().join("memory"));
        // Nothing is there yet that could catch up.
        for _ in 0..4 {
            say.send(Says::Fail).unwrap();
        }
        assert_eq!(desk.keep(task(1), pattern("Sort names"), now()).await, noted(1));
        let found = desk.recipes("Sort names".to_owned(), now()).await;
        assert_eq!(found.found.len(), 1);
        let sentence = "waits gives no vectors (503); earlier tasks are compared by their words";
        assert_eq!(said(&found.degraded), [sentence]);
    }

    #[tokio::test]
    async fn a_fault_in_memory_ends_memory_and_no_task() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("memory");
        let (desk, say) = waiting(&path);
        say.send(Says::Panic).unwrap();
        let stopped = desk.recipes("Sort names".to_owned(), now()).await;
        assert_eq!(stopped.degraded, [Degraded::Stopped]);
        let stopped = desk.keep(task(1), pattern("Sort names"), now()).await;
        assert_eq!(stopped.degraded, [Degraded::Stopped]);
    }

    #[tokio::test]
    async fn what_was_answered_is_on_disk() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("memory");
        let desk = Desk::open(path.clone(), None).unwrap();
        assert_eq!(desk.keep(task(1), pattern("Sort names"), now()).await, noted(1));
        // As after a crash: the thread has not ended.
        assert_eq!(Memory::open(&path, None).recipes("Sort names", now()).found.len(), 1);
        assert_eq!(desk.forget(task(1)).await, noted(1));
        assert_eq!(Memory::open(&path, None).recipes("Sort names", now()).found, []);
    }

    #[tokio::test]
    async fn a_place_where_nothing_can_be_written_is_said_each_time() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join("file"), "").unwrap();
        let desk = Desk::open(dir.path().join("file/memory"), None).unwrap();
        let degraded = desk.keep(task(1), pattern("Sort names"), now()).await.degraded;
        assert!(said(&degraded)[0].contains("neither read nor set aside"), "{degraded:?}");
        // It is remembered as long as the daemon runs.
        assert_eq!(desk.recipes("Sort names".to_owned(), now()).await.found.len(), 1);
    }
}
