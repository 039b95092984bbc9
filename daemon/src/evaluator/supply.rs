//! Where a submission's drivers come from: one that waits in the pool, one started ahead for the
//! next group of its cases, or a new one.

use std::io;
use std::path::Path;
use std::sync::Arc;

use vosim_protocol::v1::evaluation::Started;
use vosim_protocol::v1::problem::Language;

use super::driver_process::Process;
use super::order::Order;
use super::pool::Pool;

/// Where a driver came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Origin {
    /// Started just now.
    Fresh,
    /// Started a moment ago, while another one ran.
    Ahead,
    /// It waited in the pool.
    Pool,
}

/// The drivers of one submission.
#[derive(Debug)]
pub(super) struct Supply<'a> {
    language: Language,
    order: Arc<Order>,
    pool: Option<&'a Pool>,
    next: Option<(Origin, Process)>,
}

impl<'a> Supply<'a> {
    pub(super) const fn new(language: Language, order: Arc<Order>, pool: Option<&'a Pool>) -> Self {
        Self { language, order, pool, next: None }
    }

    pub(super) fn sandbox(&self) -> &Path {
        self.order.sandbox()
    }

    /// A driver that waits for the word.
    pub(super) fn take(&mut self) -> io::Result<(Origin, Process)> {
        if let Some(next) = self.next.take().or_else(|| self.pooled()) {
            return Ok(next);
        }
        Ok((Origin::Fresh, self.order.start()?))
    }

    /// Has the next one come up meanwhile.
    pub(super) fn prepare(&mut self) {
        if self.next.is_none() {
            // One that cannot be started is met when it is needed.
            let ahead = || self.order.start().ok().map(|process| (Origin::Ahead, process));
            self.next = self.pooled().or_else(ahead);
        }
    }

    fn pooled(&self) -> Option<(Origin, Process)> {
        Some((Origin::Pool, self.pool?.take(self.language, &self.order)?))
    }

    /// One had gone while it waited: from now on each is started when it is needed.
    pub(super) fn distrust(&mut self) {
        self.pool = None;
        self.next = None;
    }

    /// What was started and not needed.
    pub(super) fn spare(self) -> Option<Process> {
        self.next.map(|(_, process)| process)
    }
}

/// What is recorded of where the drivers came from.
pub(super) fn started(origins: &[Origin]) -> Option<Started> {
    let pooled = origins.iter().filter(|origin| **origin == Origin::Pool).count();
    match (pooled, origins.len()) {
        (_, 0) => None,
        (0, _) => Some(Started::Cold),
        (some, all) if some == all => Some(Started::Warm),
        _ => Some(Started::Mixed),
    }
}
