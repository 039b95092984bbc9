//! Shorthands for checks that pass, warn and fail.

use vosim_protocol::v1::service::{Check, CheckStatus};

pub(super) fn ok(name: &str, found: impl Into<String>) -> Check {
    Check { name: name.to_owned(), status: CheckStatus::Ok, found: found.into(), fix: None }
}

pub(super) fn warn(name: &str, found: impl Into<String>, fix: Option<String>) -> Check {
    Check { name: name.to_owned(), status: CheckStatus::Warn, found: found.into(), fix }
}

pub(super) fn fail(name: &str, found: impl Into<String>, fix: Option<String>) -> Check {
    Check { name: name.to_owned(), status: CheckStatus::Fail, found: found.into(), fix }
}
