//! A model and an assistant that do what such things do at their worst; for tests.

use std::collections::VecDeque;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use vosim_protocol::v1::effect::Chat;

use super::contract::{Assistant, Model, ModelError, Question, Reply, Request};

/// What is answered once the faults are used up.
pub const ANSWER: &str = "In the model's own words.";

/// What goes wrong with one answer.
#[derive(Clone, Debug)]
pub enum Fault {
    /// The model says that it cannot answer.
    Fails,
    /// The model never answers.
    Hangs,
    /// The model answers, but only after this time.
    Slow(Duration),
    /// The model answers with this text.
    Answers(String),
    /// The model panics.
    Panics,
}

/// Faults, one for each time something is asked; it answers properly after that.
#[derive(Debug)]
struct Faults {
    left: Mutex<VecDeque<Fault>>,
    asked: AtomicUsize,
}

impl Faults {
    fn new(faults: impl Into<Vec<Fault>>) -> Self {
        Self { left: Mutex::new(VecDeque::from(faults.into())), asked: AtomicUsize::new(0) }
    }

    fn asked(&self) -> usize {
        self.asked.load(Ordering::Relaxed)
    }

    fn next(&self) -> Option<Fault> {
        self.asked.fetch_add(1, Ordering::Relaxed);
        self.left.lock().expect("taking one out does not panic").pop_front()
    }
}

#[expect(clippy::panic, reason = "falling over is one of the faults")]
async fn at_fault(fault: Option<Fault>) -> Result<String, ModelError> {
    match fault {
        Some(Fault::Fails) => Err(ModelError::Failed { reason: "on purpose".to_owned() }),
        Some(Fault::Hangs) => std::future::pending().await,
        Some(Fault::Slow(time)) => {
            tokio::time::sleep(time).await;
            Ok(ANSWER.to_owned())
        }
        Some(Fault::Answers(text)) => Ok(text),
        Some(Fault::Panics) => panic!("on purpose"),
        None => Ok(ANSWER.to_owned()),
    }
}

/// A model with faults.
#[derive(Debug)]
pub struct FaultyModel(Faults);

impl FaultyModel {
    /// A model with these faults.
    pub fn new(faults: impl Into<Vec<Fault>>) -> Self {
        Self(Faults::new(faults))
    }

    /// How often it was asked.
    pub fn asked(&self) -> usize {
        self.0.asked()
    }
}

impl Model for FaultyModel {
    fn name(&self) -> &'static str {
        "faulty"
    }

    fn phrase<'a>(&'a self, _request: &'a Request) -> Reply<'a> {
        Box::pin(at_fault(self.0.next()))
    }

    fn chat<'a>(&'a self, _chat: &'a Chat) -> Reply<'a> {
        Box::pin(at_fault(self.0.next()))
    }
}

/// An assistant with faults.
#[derive(Debug)]
pub struct FaultyAssistant(Faults);

impl FaultyAssistant {
    /// An assistant with these faults.
    pub fn new(faults: impl Into<Vec<Fault>>) -> Self {
        Self(Faults::new(faults))
    }

    /// How often it was asked.
    pub fn asked(&self) -> usize {
        self.0.asked()
    }
}

impl Assistant for FaultyAssistant {
    fn name(&self) -> &'static str {
        "faulty"
    }

    fn answer<'a>(&'a self, _question: &'a Question) -> Reply<'a, Option<String>> {
        let fault = self.0.next();
        Box::pin(async move { at_fault(fault).await.map(Some) })
    }
}
