//! How a check is put: its name, how it stands, what was found and the step that helps.

use vosim_protocol::v1::service::{Check, CheckStatus};

pub(super) fn ok(name: &str, found: impl Into<String>) -> Check {
    Check { name: name.to_owned(), status: CheckStatus::Ok, found: found.into(), mend: None }
}

pub(super) fn warn(name: &str, found: impl Into<String>, mend: Option<String>) -> Check {
    Check { name: name.to_owned(), status: CheckStatus::Warn, found: found.into(), mend }
}

pub(super) fn fail(name: &str, found: impl Into<String>, mend: Option<String>) -> Check {
    Check { name: name.to_owned(), status: CheckStatus::Fail, found: found.into(), mend }
}
