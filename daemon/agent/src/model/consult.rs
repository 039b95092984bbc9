//! Asking a model: what is sent is checked, a try has its time, and a fault that may pass is waited out.

use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use backon::{ExponentialBuilder, Retryable as _};

use super::contract::Model;
use super::exchange::{Exchange, key};
use super::reply::{Again, FaultKind, ModelFault, Reply};
use super::request::Request;

/// Lets time pass. The daemon's waits for the clock; that of a test ends at once, or never.
pub trait Pause: Send + Sync {
    /// Ends when the time has passed.
    fn pause(&self, wait: Duration) -> Pin<Box<dyn Future<Output = ()> + Send>>;
}

/// Tries of one request at most (002 7.2).
const TRIES_MAX: usize = 3;
/// The waits between them: the first, which doubles, and the longest of our own choice (002 7.2).
const WAIT_FIRST: Duration = Duration::from_secs(2);
const WAIT_LONGEST: Duration = Duration::from_secs(10);

/// Asks a model, and asks again where a fault says that it helps: after 2 s and after 4 s, or later
/// where the server says so.
///
/// A server that wants to be left alone for longer than `wait_max` is not asked again: the fault says
/// how long, and whoever asked pauses. Dropping the future gives the request up.
pub async fn consult(
    model: &dyn Model,
    request: Request,
    wait_max: Duration,
    pause: Arc<dyn Pause>,
) -> Exchange {
    let faults = Mutex::new(Vec::new());
    let waits = ExponentialBuilder::new()
        .with_factor(2.0)
        .with_min_delay(WAIT_FIRST)
        .with_max_delay(WAIT_LONGEST)
        .with_max_times(TRIES_MAX - 1);
    let sleeper = Arc::clone(&pause);
    let ending = match request.check() {
        Err(wrong) => Err(ModelFault::new(
            FaultKind::Malformed,
            Again::Never,
            format!("the conversation cannot be sent: {wrong}"),
        )),
        Ok(()) => {
            let try_once = || in_time(model, &request, &*pause);
            try_once
                .retry(waits)
                .sleep(move |wait| sleeper.pause(wait))
                .adjust(|fault: &ModelFault, floor| next_wait(fault, floor, wait_max))
                .notify(|fault, _| {
                    let mut faults =
                        faults.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
                    faults.push(fault.clone());
                })
                .await
        }
    };
    let faults = faults.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    Exchange { key: key(&request), model: model.id(), request, faults, ending }
}

/// The wait before the next try, or none where there is to be none.
fn next_wait(fault: &ModelFault, floor: Option<Duration>, wait_max: Duration) -> Option<Duration> {
    let floor = floor?;
    let wait = match fault.again {
        Again::Never => return None,
        Again::Soon => floor,
        Again::AfterMillis(millis) => floor.max(Duration::from_millis(millis)),
    };
    (wait <= wait_max.max(WAIT_LONGEST)).then_some(wait)
}

async fn in_time(
    model: &dyn Model,
    request: &Request,
    pause: &dyn Pause,
) -> Result<Reply, ModelFault> {
    let limit = request.limits.try_within();
    tokio::select! {
        biased;
        answer = model.ask(request) => answer,
        () = pause.pause(limit) => Err(ModelFault::new(FaultKind::TimedOut, Again::Soon, format!("{} has not answered within {} s", model.id(), limit.as_secs()))),
    }
}

#[cfg(test)]
mod tests {
    use super::super::contract::{Answer, ModelId, ModelKind};
    use super::super::reply::{Said, Usage};
    use vosim_protocol::v1::agent::AgentRole;

    use super::super::request::{Limits, Message};
    use super::*;

    /// Answers with what was prepared, in order; then hangs.
    #[derive(Debug)]
    struct Prepared(Mutex<Vec<Result<Reply, ModelFault>>>);

    impl Prepared {
        fn new(answers: impl IntoIterator<Item = Result<Reply, ModelFault>>) -> Self {
            let mut answers: Vec<_> = answers.into_iter().collect();
            answers.reverse();
            Self(Mutex::new(answers))
        }
    }

    impl Model for Prepared {
        fn id(&self) -> ModelId {
            ModelId { kind: ModelKind::Openai, name: "prepared".into() }
        }

        fn ask<'a>(&'a self, _: &'a Request) -> Answer<'a> {
            let next = self.0.lock().unwrap().pop();
            Box::pin(async move {
                match next {
                    Some(answer) => answer,
                    None => std::future::pending().await,
                }
            })
        }
    }

    /// Notes each wait and lets it end at once; the time for a try is never over unless it is to be.
    struct Noted {
        waits: Mutex<Vec<Duration>>,
        tries_end: bool,
    }

    impl Pause for Noted {
        fn pause(&self, wait: Duration) -> Pin<Box<dyn Future<Output = ()> + Send>> {
            if wait != TRY {
                self.waits.lock().unwrap().push(wait);
            } else if !self.tries_end {
                return Box::pin(std::future::pending());
            }
            Box::pin(std::future::ready(()))
        }
    }

    const TRY: Duration = Duration::from_secs(77);

    fn request() -> Request {
        Request {
            role: AgentRole::Planner,
            iteration: 1,
            messages: vec![Message::User { text: "go".into() }],
            tools: Vec::new(),
            answer: None,
            limits: Limits { temperature_hundredths: 30, reply_tokens_max: 9, try_secs: 77 },
        }
    }

    fn fault(again: Again) -> Result<Reply, ModelFault> {
        Err(ModelFault::new(FaultKind::Unavailable, again, "busy"))
    }

    fn reply() -> Result<Reply, ModelFault> {
        Ok(Reply {
            said: Said::Text { text: "here".into() },
            usage: Usage::NOTHING,
            answered_by: None,
            warnings: Vec::new(),
        })
    }

    async fn asked(
        answers: impl IntoIterator<Item = Result<Reply, ModelFault>>,
        tries_end: bool,
    ) -> (Exchange, Vec<u64>) {
        let pause = Arc::new(Noted { waits: Mutex::default(), tries_end });
        let model = Prepared::new(answers);
        let wait_max = Duration::from_secs(60);
        let exchange = consult(&model, request(), wait_max, pause.clone()).await;
        let waits = pause.waits.lock().unwrap().iter().map(Duration::as_secs).collect();
        (exchange, waits)
    }

    #[tokio::test]
    async fn three_tries_wait_two_seconds_and_four() {
        let (exchange, waits) =
            asked([fault(Again::Soon), fault(Again::Soon), reply()], false).await;
        assert_eq!((exchange.ending, waits), (reply(), vec![2, 4]));
        assert_eq!(exchange.faults.len(), 2);
        let all = [fault(Again::Soon), fault(Again::Soon), fault(Again::Soon), reply()];
        let (exchange, waits) = asked(all, false).await;
        assert_eq!((exchange.ending, waits), (fault(Again::Soon), vec![2, 4]));
    }

    #[tokio::test]
    async fn the_server_may_ask_for_a_longer_wait_and_not_for_a_shorter_one() {
        let late = Again::after(Duration::from_secs(17));
        let early = Again::AfterMillis(200);
        let (exchange, waits) = asked([fault(late), fault(early), reply()], false).await;
        assert_eq!((exchange.ending, waits), (reply(), vec![17, 4]));
    }

    #[tokio::test]
    async fn a_wait_that_is_too_long_is_told_and_not_waited_for() {
        let hours = Again::after(Duration::from_secs(9_000));
        let (exchange, waits) = asked([fault(hours), reply()], false).await;
        assert_eq!((exchange.ending, waits), (fault(hours), vec![]));
    }

    #[tokio::test]
    async fn what_no_second_try_helps_is_tried_once() {
        let (exchange, waits) = asked([fault(Again::Never), reply()], false).await;
        assert_eq!((exchange.ending, waits), (fault(Again::Never), vec![]));
    }

    #[tokio::test]
    async fn a_model_that_hangs_has_its_time_for_each_try() {
        let (exchange, waits) = asked([], true).await;
        let fault = exchange.ending.unwrap_err();
        assert_eq!(fault.to_string(), "openai:prepared has not answered within 77 s");
        assert_eq!((exchange.faults.len(), waits), (2, vec![2, 4]));
    }

    #[tokio::test]
    async fn a_conversation_out_of_order_is_never_sent() {
        let mut request = request();
        request.messages.push(Message::Result { call: "c".into(), text: String::new() });
        let pause = Arc::new(Noted { waits: Mutex::default(), tries_end: false });
        let exchange = consult(&Prepared::new([reply()]), request, Duration::ZERO, pause).await;
        let told = exchange.ending.unwrap_err().to_string();
        assert_eq!(told, "the conversation cannot be sent: message 2: a result without a call");
    }
}
