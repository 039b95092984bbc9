//! Starts the daemon's background tasks: each has a name, and how it ended is in the daemon's log.
//!
//! Nothing else calls tokio's own spawning functions, and no task is restarted from here: others
//! wait for what it was to do, so the daemon goes down when one of them panics ([`on_panic`]).

use std::cell::RefCell;
use std::future::poll_fn;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::task::Poll;

use tokio::task::JoinHandle;
use tracing::Instrument as _;

/// What is done when a task panics; it is given the task's name.
type OnPanic = Box<dyn Fn(&'static str)>;

thread_local! {
    static ON_PANIC: RefCell<Option<OnPanic>> = const { RefCell::new(None) };
}

/// Says what is done when a task of this thread panics; it is given the task's name.
pub fn on_panic(then: impl Fn(&'static str) + 'static) {
    ON_PANIC.set(Some(Box::new(then)));
}

/// Something has panicked; the panic itself is in the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("vosimd has failed at this, and its log tells more")]
pub struct Panicked;

/// Runs something to its end where a panic must cost nobody else anything: whoever asked for it is
/// told.
pub async fn caught<F: Future>(future: F) -> Result<F::Output, Panicked> {
    let mut future = std::pin::pin!(future);
    poll_fn(|context| match catch_unwind(AssertUnwindSafe(|| future.as_mut().poll(context))) {
        Ok(polled) => polled.map(Ok),
        Err(_) => Poll::Ready(Err(Panicked)),
    })
    .await
}

/// Starts a task on this thread, which must run a `LocalSet` or an actix arbiter.
///
/// How it ended is logged here, and [`on_panic`] says what follows of a panic, so the handle may be
/// dropped.
pub fn spawn<F>(name: &'static str, future: F) -> JoinHandle<F::Output>
where
    F: Future + 'static,
    F::Output: 'static,
{
    let named = async move {
        let mut end = End { name, done: false };
        let output = future.await;
        end.done = true;
        output
    };
    tokio::task::spawn_local(named.instrument(tracing::info_span!("task", task = name)))
}

/// Logs how a task ended when it is dropped.
struct End {
    name: &'static str,
    done: bool,
}

impl Drop for End {
    fn drop(&mut self) {
        let name = self.name;
        if self.done {
            tracing::debug!(name, "task ended");
        } else if std::thread::panicking() {
            tracing::error!(name, "task panicked");
            // At the thread's own end there is nobody left to be told.
            ON_PANIC.try_with(|then| then.borrow().as_ref().map(|then| then(name))).ok();
        } else {
            tracing::debug!(name, "task cancelled");
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use super::*;

    /// A writer that keeps what is logged.
    #[derive(Clone, Default)]
    struct Kept(Arc<Mutex<Vec<u8>>>);

    impl std::io::Write for Kept {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0.lock().unwrap().extend_from_slice(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }

    fn log_of(test: impl Future<Output = ()>) -> String {
        let kept = Kept::default();
        let writer = kept.clone();
        let subscriber = tracing_subscriber::fmt()
            .with_max_level(tracing::Level::DEBUG)
            .with_ansi(false)
            .with_writer(move || writer.clone())
            .finish();
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        tracing::subscriber::with_default(subscriber, || {
            tokio::task::LocalSet::new().block_on(&runtime, test);
        });
        String::from_utf8(kept.0.lock().unwrap().clone()).unwrap()
    }

    #[test]
    fn a_task_that_panics_is_named_in_the_log_and_to_whoever_asked_for_that() {
        let told = Arc::new(Mutex::new(Vec::new()));
        let telling = Arc::clone(&told);
        on_panic(move |name| telling.lock().unwrap().push(name));
        let log = log_of(async {
            let bad = spawn("bad", async { panic!("on purpose") });
            let good = spawn("good", async { 7 });
            assert!(bad.await.unwrap_err().is_panic());
            assert_eq!(good.await.unwrap(), 7);
        });
        assert_eq!(*told.lock().unwrap(), ["bad"]);
        assert!(log.contains("ERROR") && log.contains("task panicked name=\"bad\""), "{log}");
        assert!(log.contains("task ended name=\"good\""), "{log}");
    }

    #[test]
    fn a_panic_that_is_caught_costs_its_own_answer_and_no_task() {
        let log = log_of(async {
            let late = async {
                tokio::task::yield_now().await;
                panic!("on purpose")
            };
            let answers =
                spawn("both", async { (caught::<_>(late).await, caught(async { 7 }).await) });
            assert_eq!(answers.await.unwrap(), (Err::<(), _>(Panicked), Ok(7)));
        });
        assert!(!log.contains("task panicked"), "{log}");
    }

    #[test]
    fn a_task_that_is_cancelled_is_told_apart_from_one_that_panicked() {
        let log = log_of(async {
            let task = spawn("waiting", std::future::pending::<()>());
            tokio::task::yield_now().await;
            task.abort();
            assert!(task.await.unwrap_err().is_cancelled());
        });
        assert!(log.contains("task cancelled name=\"waiting\""), "{log}");
        assert!(!log.contains("ERROR"), "{log}");
    }
}
