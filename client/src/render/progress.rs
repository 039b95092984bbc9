//! How far something is that takes a while, in one line that is drawn again and again.

use vosim_protocol::v1::service::ProgressNotice;

use crate::render::look::{Icon, Look};

/// Which step is under way: for a run, which test.
pub(crate) fn line(progress: &ProgressNotice, look: &Look) -> String {
    let ProgressNotice { text, done, of, hindered, .. } = progress;
    if *hindered {
        return text.clone();
    }
    let of = of.map_or(String::new(), |of| format!("/{of}"));
    format!("{}{}{of} {text}", look.icon(Icon::Run), done + 1)
}
