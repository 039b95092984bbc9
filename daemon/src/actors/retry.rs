//! [`Retry`]: how something is tried again that cannot be recorded now.

use std::time::Duration;

use vosim_protocol::{ErrorCode, ErrorObject, SessionId};

/// The pause after the first attempt that failed, and the longest one.
const RETRY_FIRST: Duration = Duration::from_millis(250);
const RETRY_LAST: Duration = Duration::from_secs(10);

/// Attempts to have something recorded: one at a time, with pauses that grow, and said in the log
/// once for each reason.
#[derive(Debug, Default)]
pub(crate) struct Retry {
    attempts: u32,
    said: Option<ErrorCode>,
}

impl Retry {
    /// Waits before the next attempt.
    pub(crate) async fn after(&mut self, session: SessionId, error: &ErrorObject) {
        if self.said.as_ref() != Some(&error.code) {
            tracing::warn!(%session, %error, "this could not be recorded yet and is tried again");
            self.said = Some(error.code.clone());
        }
        tokio::time::sleep(pause(self.attempts)).await;
        self.attempts = self.attempts.saturating_add(1);
    }

    /// The last attempt succeeded.
    pub(crate) fn recorded(&self, session: SessionId) {
        if self.attempts > 0 {
            tracing::info!(%session, attempts = self.attempts, "it is recorded now");
        }
    }
}

fn pause(attempts: u32) -> Duration {
    RETRY_FIRST.saturating_mul(1 << attempts.min(16)).min(RETRY_LAST)
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn an_hour_without_a_disk_costs_a_few_hundred_attempts() {
        let error = ErrorObject::new(ErrorCode::StoreUnavailable, "away");
        let start = tokio::time::Instant::now();
        let mut retry = Retry::default();
        while start.elapsed() < Duration::from_secs(3600) {
            retry.after(SessionId(Uuid::nil()), &error).await;
        }
        assert!((360..370).contains(&retry.attempts), "{}", retry.attempts);
    }
}
