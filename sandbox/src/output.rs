//! Keeps the head and the tail of a stream and counts the rest. A flood costs time to read, never
//! memory.

use std::collections::VecDeque;

use vosim_sandbox_spec::Output;

/// The part of a stream that is kept.
#[derive(Debug)]
pub(crate) struct Kept {
    half: usize,
    bytes: u64,
    head: Vec<u8>,
    tail: VecDeque<u8>,
}

impl Kept {
    /// Keeps at most `keep` bytes, half from each end.
    pub(crate) fn new(keep: u64) -> Self {
        let half = usize::try_from(keep / 2).unwrap_or(usize::MAX);
        Self { half, bytes: 0, head: Vec::new(), tail: VecDeque::new() }
    }

    pub(crate) const fn bytes(&self) -> u64 {
        self.bytes
    }

    pub(crate) fn push(&mut self, chunk: &[u8]) {
        self.bytes += chunk.len() as u64;
        let room = (self.half - self.head.len()).min(chunk.len());
        let (first, rest) = chunk.split_at(room);
        self.head.extend_from_slice(first);
        let rest = &rest[rest.len().saturating_sub(self.half)..];
        let surplus = (self.tail.len() + rest.len()).saturating_sub(self.half);
        self.tail.drain(..surplus);
        self.tail.extend(rest);
    }

    pub(crate) fn finish(mut self) -> Output {
        let tail = self.tail.make_contiguous();
        let kept = (self.head.len() + tail.len()) as u64;
        if kept == self.bytes {
            self.head.extend_from_slice(tail);
            let head = String::from_utf8_lossy(&self.head).into_owned();
            return Output { bytes: self.bytes, head, tail: String::new(), truncated: false };
        }
        Output {
            bytes: self.bytes,
            head: String::from_utf8_lossy(without_cut_end(&self.head)).into_owned(),
            tail: String::from_utf8_lossy(without_cut_start(tail)).into_owned(),
            truncated: true,
        }
    }
}

/// Leaves out the beginning of a character whose end was dropped.
fn without_cut_end(bytes: &[u8]) -> &[u8] {
    let longest = bytes.len().min(3);
    for back in 1..=longest {
        let at = bytes.len() - back;
        let width = match bytes[at] {
            0xc2..=0xdf => 2,
            0xe0..=0xef => 3,
            0xf0..=0xf4 => 4,
            0x80..=0xbf => continue,
            _ => 1,
        };
        return if width > back { &bytes[..at] } else { bytes };
    }
    bytes
}

/// Leaves out the end of a character whose beginning was dropped.
fn without_cut_start(bytes: &[u8]) -> &[u8] {
    let continuation = bytes.iter().take(3).take_while(|&&byte| byte & 0xc0 == 0x80).count();
    &bytes[continuation..]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kept(keep: u64, chunks: &[&[u8]]) -> Output {
        let mut kept = Kept::new(keep);
        for chunk in chunks {
            kept.push(chunk);
        }
        kept.finish()
    }

    #[test]
    fn what_fits_is_kept_whole() {
        let output = kept(8, &[b"abc", b"defgh"]);
        assert_eq!((output.head.as_str(), output.tail.as_str()), ("abcdefgh", ""));
        assert!(!output.truncated);
    }

    #[test]
    fn the_middle_is_dropped_and_counted() {
        let output = kept(6, &[b"abcd", b"efgh", b"ij"]);
        assert_eq!((output.head.as_str(), output.tail.as_str()), ("abc", "hij"));
        assert_eq!((output.bytes, output.truncated), (10, true));
    }

    #[test]
    fn a_cut_character_is_left_out_at_both_edges() {
        // Eight bytes of head end inside the third euro sign; so does the start of the tail.
        let text = "€".repeat(100);
        let output = kept(16, &[text.as_bytes()]);
        assert_eq!((output.head.as_str(), output.tail.as_str()), ("€€", "€€"));
    }

    #[test]
    fn bytes_that_are_not_text_are_replaced() {
        assert_eq!(kept(64, &[b"a\xffb\0"]).head, "a\u{fffd}b\0");
    }

    #[test]
    fn byte_by_byte_gives_the_same_as_one_chunk() {
        let text = "añ€😀".repeat(9);
        let single: Vec<&[u8]> = text.as_bytes().chunks(1).collect();
        for keep in 0..60 {
            assert_eq!(kept(keep, &single), kept(keep, &[text.as_bytes()]), "keep {keep}");
        }
    }
}
