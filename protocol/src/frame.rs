//! Newline-delimited JSON as a sans-I/O codec with a size limit.
//!
//! Bytes go in as they arrive, whole frames come out. The limit holds while reading: a frame
//! that is too large is refused before it is held in memory. This rule is frozen forever.

/// Largest frame in bytes, its end not counted, in either direction.
pub const FRAME_MAX_BYTES: usize = 1024 * 1024;

/// Why no further frame can be read from a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FrameError {
    /// More than [`FRAME_MAX_BYTES`] without an end.
    #[error("a frame is larger than {FRAME_MAX_BYTES} bytes")]
    TooLarge,
}

/// Splits a stream of bytes into frames.
#[derive(Debug, Default)]
pub struct FrameDecoder {
    buffer: Vec<u8>,
    /// Bytes of `buffer` that belong to frames already handed out.
    taken: usize,
    /// Bytes of `buffer` already searched for an end.
    searched: usize,
    failed: bool,
}

impl FrameDecoder {
    /// A decoder at the beginning of a stream.
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes bytes as they came; frames are then asked of [`next_frame`](Self::next_frame).
    pub fn push(&mut self, bytes: &[u8]) {
        if self.failed {
            return;
        }
        if self.taken > 0 {
            self.buffer.drain(..self.taken);
            self.searched -= self.taken;
            self.taken = 0;
        }
        self.buffer.extend_from_slice(bytes);
    }

    /// The next whole frame without its end; none until more bytes come.
    ///
    /// Empty lines are passed over. After an error the stream is lost and the error repeats.
    pub fn next_frame(&mut self) -> Result<Option<&[u8]>, FrameError> {
        loop {
            if self.failed {
                return Err(FrameError::TooLarge);
            }
            let end = self.buffer[self.searched..].iter().position(|&b| b == b'\n');
            let start = self.taken;
            let Some(end) = end.map(|offset| self.searched + offset) else {
                self.searched = self.buffer.len();
                if self.buffer.len() - start > FRAME_MAX_BYTES {
                    self.fail();
                    continue;
                }
                return Ok(None);
            };
            if end - start > FRAME_MAX_BYTES {
                self.fail();
                continue;
            }
            self.taken = end + 1;
            self.searched = self.taken;
            let frame = start..end;
            if !self.buffer[frame.clone()].iter().all(u8::is_ascii_whitespace) {
                return Ok(Some(&self.buffer[frame]));
            }
        }
    }

    /// True when the stream may end here without cutting a frame.
    pub fn is_between_frames(&self) -> bool {
        !self.failed && self.buffer[self.taken..].iter().all(u8::is_ascii_whitespace)
    }

    fn fail(&mut self) {
        self.failed = true;
        self.buffer = Vec::new();
        (self.taken, self.searched) = (0, 0);
    }
}

/// A frame too large to be sent; larger things travel in parts (DECISIONS 6).
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a frame of {bytes} bytes is larger than {FRAME_MAX_BYTES}")]
pub struct OversizeFrame {
    /// The size.
    pub bytes: usize,
}

/// Ends one JSON text as a frame, ready to be written with one call.
///
/// JSON from serde_json has no raw line feed inside, which the codec relies on.
pub fn encode(mut json: Vec<u8>) -> Result<Vec<u8>, OversizeFrame> {
    if json.len() > FRAME_MAX_BYTES {
        return Err(OversizeFrame { bytes: json.len() });
    }
    json.push(b'\n');
    Ok(json)
}

#[cfg(test)]
mod fuzz;

#[cfg(test)]
mod tests {
    use super::*;

    fn frames(decoder: &mut FrameDecoder) -> Vec<Vec<u8>> {
        let mut all = Vec::new();
        while let Ok(Some(frame)) = decoder.next_frame() {
            all.push(frame.to_vec());
        }
        all
    }

    #[test]
    fn an_oversize_frame_is_refused_while_it_is_read() {
        let mut decoder = FrameDecoder::new();
        let chunk = vec![b'x'; 64 * 1024];
        let mut refused_after = None;
        for sent in 1..=40 {
            decoder.push(&chunk);
            if decoder.next_frame().is_err() {
                refused_after = Some(sent * chunk.len());
                break;
            }
        }
        assert_eq!(refused_after, Some(FRAME_MAX_BYTES + chunk.len()));
        decoder.push(b"\n{}\n");
        assert_eq!(decoder.next_frame(), Err(FrameError::TooLarge), "the error repeats");
        assert!(!decoder.is_between_frames());
    }

    #[test]
    fn a_frame_of_just_the_limit_passes() {
        let mut decoder = FrameDecoder::new();
        decoder.push(&encode(vec![b'x'; FRAME_MAX_BYTES]).unwrap());
        assert_eq!(decoder.next_frame().unwrap().map(<[u8]>::len), Some(FRAME_MAX_BYTES));
        assert_eq!(
            encode(vec![b'x'; FRAME_MAX_BYTES + 1]),
            Err(OversizeFrame { bytes: FRAME_MAX_BYTES + 1 })
        );
    }

    #[test]
    fn empty_lines_and_carriage_returns_are_passed_over() {
        let mut decoder = FrameDecoder::new();
        decoder.push(b"\n \r\n{}\r\n\n");
        assert_eq!(frames(&mut decoder), [b"{}\r".to_vec()]);
    }
}
