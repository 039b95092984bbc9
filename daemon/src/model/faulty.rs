//! A model that does what models do at their worst; for tests.

use std::collections::VecDeque;
use std::sync::Mutex;
use std::time::Duration;

use super::{Answer, Model, ModelError, Request};

/// What the model answers once its faults are used up.
pub const ANSWER: &str = "In the model's own words.";

/// What goes wrong with one answer.
#[derive(Clone, Debug)]
pub enum Fault {
    /// It says that it cannot answer.
    Fails,
    /// It never answers.
    Hangs,
    /// It answers, but only after this time.
    Slow(Duration),
    /// It answers with this.
    Answers(String),
}

/// Goes through its faults, one for each time it is asked, and answers properly after that.
#[derive(Debug)]
pub struct FaultyModel {
    faults: Mutex<VecDeque<Fault>>,
    asked: Mutex<usize>,
}

impl FaultyModel {
    /// A model with these faults.
    pub fn new(faults: impl Into<Vec<Fault>>) -> Self {
        Self { faults: Mutex::new(VecDeque::from(faults.into())), asked: Mutex::new(0) }
    }

    /// How often it was asked.
    pub fn asked(&self) -> usize {
        *self.asked.lock().expect("counting does not panic")
    }
}

impl Model for FaultyModel {
    fn name(&self) -> &'static str {
        "faulty"
    }

    fn phrase<'a>(&'a self, _request: &'a Request) -> Answer<'a> {
        *self.asked.lock().expect("counting does not panic") += 1;
        let fault = self.faults.lock().expect("taking one out does not panic").pop_front();
        Box::pin(async move {
            match fault {
                Some(Fault::Fails) => Err(ModelError::Failed { reason: "on purpose".to_owned() }),
                Some(Fault::Hangs) => std::future::pending().await,
                Some(Fault::Slow(time)) => {
                    tokio::time::sleep(time).await;
                    Ok(ANSWER.to_owned())
                }
                Some(Fault::Answers(text)) => Ok(text),
                None => Ok(ANSWER.to_owned()),
            }
        })
    }
}
