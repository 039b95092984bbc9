//! Making a conversation fit into a model's window before it is sent (002 7.1: token limit exceeded).
//!
//! What was recorded stays whole: only what is sent is shortened. A call and its result stay or go
//! together.

use vosim_protocol::cut;

use super::request::{Message, Request};

/// The share of a window that one result may have.
const RESULT_SHARE: u64 = 4;
/// The share of a window that is kept for the reply, at least, where the request allows for so much.
const REPLY_SHARE: u64 = 3;
/// What a text is never shortened below, bytes.
const TEXT_MIN_BYTES: usize = 240;

/// The request as it may be sent to a model with this window, or nothing where even the least of it
/// does not fit.
#[must_use]
pub(super) fn fit(request: &Request, window_tokens: u64) -> Option<Request> {
    let mut fitted = request.clone();
    let reply = u64::from(request.limits.reply_tokens_max).min(window_tokens / REPLY_SHARE);
    fitted.limits.reply_tokens_max = u32::try_from(reply).unwrap_or(u32::MAX);
    let prompt_max = window_tokens.saturating_sub(reply);
    let result_max = usize::try_from(window_tokens / RESULT_SHARE * 3).unwrap_or(usize::MAX);
    for said in &mut fitted.messages {
        if let Message::Result { text, .. } = said {
            *text = middle_left_out(text, result_max.max(TEXT_MIN_BYTES));
        }
    }
    let mut left_out = 0_usize;
    while fitted.tokens_estimated() > prompt_max && leave_out_oldest(&mut fitted.messages) {
        left_out += 1;
    }
    if left_out > 0
        && let Some(Message::User { text }) =
            fitted.messages.iter_mut().find(|said| matches!(said, Message::User { .. }))
    {
        text.push_str(&format!("\n\n({left_out} earlier steps are left out here.)"));
    }
    while fitted.tokens_estimated() > prompt_max {
        let longest =
            fitted.messages.iter_mut().filter_map(shortable).max_by_key(|text| text.len())?;
        let shorter = (longest.len() * 3 / 4).max(TEXT_MIN_BYTES);
        if longest.len() <= shorter {
            return None;
        }
        *longest = middle_left_out(longest, shorter);
    }
    Some(fitted)
}

/// A text that may lose its middle: instructions and arguments of calls may not.
fn shortable(said: &mut Message) -> Option<&mut String> {
    match said {
        Message::User { text } | Message::Result { text, .. } => Some(text),
        Message::System { .. } | Message::Model { .. } => None,
    }
}

/// Takes the oldest call with its result out, or the oldest words of the model; the newest of them stay.
fn leave_out_oldest(messages: &mut Vec<Message>) -> bool {
    let is_step = |said: &Message| matches!(said, Message::Model { .. });
    let Some(oldest) = messages.iter().position(is_step) else { return false };
    if messages.iter().rposition(is_step) == Some(oldest) {
        return false;
    }
    messages.remove(oldest);
    if matches!(messages.get(oldest), Some(Message::Result { .. })) {
        messages.remove(oldest);
    }
    true
}

/// A text of at most so many bytes and a few: its beginning, how much is missing, and its end.
fn middle_left_out(text: &str, bytes_max: usize) -> String {
    if text.len() <= bytes_max {
        return text.to_owned();
    }
    let room = bytes_max.saturating_sub(60);
    let (start, end) = (cut::start(text, room * 2 / 3), cut::end(text, room / 3));
    let missing = text.len() - start.len() - end.len();
    format!("{start}\n[{missing} bytes are left out here]\n{end}")
}
