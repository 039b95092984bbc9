//! The lines of an event stream, read from bytes that may be cut anywhere.
//!
//! Only the data of events is kept: names, ids and times between tries mean nothing here.

/// Most bytes of one event. A reply's largest part is a file in one piece.
const EVENT_MAX_BYTES: usize = 8 * 1024 * 1024;

/// Reads an event stream.
#[derive(Debug, Default)]
pub(super) struct Sse {
    /// The line that has begun.
    line: Vec<u8>,
    /// Data of the event that has begun, a line each.
    data: Vec<u8>,
    has_data: bool,
    /// A carriage return ended the last line, and a line feed that follows belongs to it.
    after_return: bool,
    /// Whether a line has ended yet: a mark of byte order stands before the first only.
    begun: bool,
}

/// What no reply is made of.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum SseError {
    /// An event is longer than any of a reply.
    #[error("an event of more than {EVENT_MAX_BYTES} bytes")]
    TooLarge,
    /// Its bytes are no text. Nothing is put in the place of what cannot be read: it may be code.
    #[error("bytes that are no text")]
    NoText,
}

impl Sse {
    /// Takes the next bytes and gives the events that they complete.
    pub(super) fn feed(&mut self, bytes: &[u8]) -> Result<Vec<String>, SseError> {
        let mut events = Vec::new();
        for byte in bytes {
            let was_return = std::mem::replace(&mut self.after_return, *byte == b'\r');
            match byte {
                b'\n' if was_return => {}
                b'\n' | b'\r' => self.end_line(&mut events)?,
                _ if self.line.len() + self.data.len() >= EVENT_MAX_BYTES => {
                    return Err(SseError::TooLarge);
                }
                _ => self.line.push(*byte),
            }
        }
        Ok(events)
    }

    /// What has arrived of an event when the stream ends: some servers leave out the last empty line.
    pub(super) fn end(mut self) -> Result<Option<String>, SseError> {
        let mut events = Vec::new();
        if !self.line.is_empty() {
            self.end_line(&mut events)?;
        }
        self.end_line(&mut events)?;
        Ok(events.pop())
    }

    fn end_line(&mut self, events: &mut Vec<String>) -> Result<(), SseError> {
        let line = std::mem::take(&mut self.line);
        let first = !std::mem::replace(&mut self.begun, true);
        let line = line.strip_prefix("\u{feff}".as_bytes()).filter(|_| first).unwrap_or(&line);
        if line.is_empty() {
            if std::mem::take(&mut self.has_data) {
                let data = std::mem::take(&mut self.data);
                events.push(String::from_utf8(data).map_err(|_| SseError::NoText)?);
            }
        } else if let Some(value) = line.strip_prefix(b"data") {
            let value = match value {
                [b':', b' ', value @ ..] | [b':', value @ ..] => value,
                [] => value,
                // Another field, whose name begins so.
                [..] => return Ok(()),
            };
            if std::mem::replace(&mut self.has_data, true) {
                self.data.push(b'\n');
            }
            self.data.extend_from_slice(value);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(pieces: &[&[u8]]) -> Vec<String> {
        let mut sse = Sse::default();
        let mut events: Vec<_> = pieces.iter().flat_map(|piece| sse.feed(piece).unwrap()).collect();
        events.extend(sse.end().unwrap());
        events
    }

    const STREAM: &str = "\u{feff}data: {\"a\":\"ä\u{1f600}\"}\n\n: a comment\nid: 7\r\ndata: one\r\n\
                          data:two\rdata\n\r\nevent: x\nretry: 5\n\ndatabase: no\ndata: [DONE]";

    #[test]
    fn lines_end_in_three_ways_and_data_may_have_several() {
        let events = all(&[STREAM.as_bytes()]);
        assert_eq!(events, ["{\"a\":\"ä\u{1f600}\"}", "one\ntwo\n", "[DONE]"]);
    }

    #[test]
    fn it_makes_no_difference_where_the_bytes_are_cut() {
        let whole = all(&[STREAM.as_bytes()]);
        let bytes = STREAM.as_bytes();
        for one in 0..=bytes.len() {
            for two in [one, (one + 1).min(bytes.len()), bytes.len()] {
                assert_eq!(all(&[&bytes[..one], &bytes[one..two], &bytes[two..]]), whole, "{one}");
            }
        }
        let single: Vec<_> = bytes.chunks(1).collect();
        assert_eq!(all(&single), whole);
    }

    #[test]
    fn an_event_is_bounded_and_a_text() {
        let mut sse = Sse::default();
        let much = vec![b'x'; EVENT_MAX_BYTES];
        assert_eq!(sse.feed(b"data: "), Ok(vec![]));
        assert_eq!(sse.feed(&much), Err(SseError::TooLarge));
        assert_eq!(Sse::default().feed(b"data: \xff\n\n"), Err(SseError::NoText));
    }
}
