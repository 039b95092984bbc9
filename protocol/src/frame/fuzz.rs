//! Any stream, however it is split: the decoder gives what a reading of the whole at once would
//! give, holds no more than a frame and a piece, and fails once and for good. What comes out is a
//! request or is refused, and a request reads back as it was written.

use serde_json::{Value, json};
use vosim_fuzz::proptest::collection::vec;
use vosim_fuzz::proptest::prelude::*;
use vosim_fuzz::proptest::sample::{Index, select};
use vosim_fuzz::{Fails, Input, Target, near, pieces};

use super::*;
use crate::message::{FromDaemon, Request};
use crate::wire::Wire as _;

/// Names of the envelope.
const WORDS: &[&str] = &[
    "jsonrpc",
    "id",
    "method",
    "params",
    "result",
    "error",
    "code",
    "message",
    "hint",
    "data",
    "2.0",
    "hello",
    "status",
    "internal",
    "invalid_request",
];

/// What both sides send.
fn valid() -> BoxedStrategy<Value> {
    let params =
        select(vec![json!({}), json!({ "session": "a1" }), json!([1, "two", null]), json!(3)]);
    let request = (any::<u64>(), "[a-z]{1,8}(\\.[a-z_]{1,8})?", params)
        .prop_map(|(id, method, params)| json!({ "id": id, "method": method, "params": params }));
    let result = any::<u64>().prop_map(|id| json!({ "jsonrpc": "2.0", "id": id, "result": {} }));
    let error = any::<Option<u64>>().prop_map(
        |id| json!({ "id": id, "error": { "code": "busy", "message": "m", "hint": "h" } }),
    );
    prop_oneof![2 => request, 1 => result, 1 => error].boxed()
}

/// One thing on the wire.
#[derive(Clone, Debug)]
enum Said {
    Line(Input),
    /// So many bytes without an end, then one.
    Long(usize),
    /// Nothing but white space.
    Blank(String),
    /// The rest is cut off.
    Cut(Input),
}

impl Said {
    fn bytes(&self) -> Vec<u8> {
        match self {
            Self::Line(input) => input.line(),
            Self::Long(bytes) => [vec![b'7'; *bytes], b"\n".to_vec()].concat(),
            Self::Blank(text) => text.clone().into_bytes(),
            Self::Cut(input) => input.to_vec(),
        }
    }
}

fn said() -> BoxedStrategy<Said> {
    let near = || near(valid(), WORDS);
    prop_oneof![
        16 => near().prop_map(Said::Line),
        1 => (FRAME_MAX_BYTES - 2..FRAME_MAX_BYTES + 3).prop_map(Said::Long),
        2 => "[ \t\r\n]{1,6}".prop_map(Said::Blank),
        1 => near().prop_map(Said::Cut),
    ]
    .boxed()
}

/// The frames of a stream read at once, and whether it breaks off for size.
fn model(stream: &[u8]) -> (Vec<&[u8]>, bool) {
    let mut lines: Vec<_> = stream.split(|byte| *byte == b'\n').collect();
    let rest = lines.pop().unwrap_or_default();
    let fits = |line: &&[u8]| line.len() <= FRAME_MAX_BYTES;
    let whole = lines.iter().copied().take_while(fits);
    let frames: Vec<_> = whole.filter(|line| !line.iter().all(u8::is_ascii_whitespace)).collect();
    let broken = !lines.iter().all(&fits) || !fits(&rest);
    (frames, broken)
}

fn decodes(all: &[Said], cuts: &[Index]) -> Fails {
    let stream: Vec<u8> = all.iter().flat_map(Said::bytes).collect();
    let (expected, broken) = model(&stream);
    let mut decoder = FrameDecoder::new();
    let mut got = Vec::new();
    let mut failed = false;
    for piece in pieces(&stream, cuts) {
        decoder.push(piece);
        while let Some(frame) = decoder.next_frame().unwrap_or_else(|_| {
            failed = true;
            None
        }) {
            prop_assert!(!failed, "a frame after the failure");
            got.push(frame.to_vec());
        }
        prop_assert!(decoder.buffer.len() <= FRAME_MAX_BYTES + piece.len() + 1);
    }
    prop_assert_eq!(failed, broken);
    prop_assert!(got == expected, "{} frames instead of {}", got.len(), expected.len());
    let rest = stream.rsplit(|byte| *byte == b'\n').next().unwrap_or_default();
    let between = !failed && rest.iter().all(u8::is_ascii_whitespace);
    prop_assert_eq!(decoder.is_between_frames(), between);
    Ok(if failed { "broken" } else { "whole" })
}

/// What is read is written and read again as the same.
fn reads_back(frame: &[u8]) -> Result<(), TestCaseError> {
    if let Ok(request) = Request::from_bytes(frame) {
        let again = Request::from_bytes(&request.to_line());
        prop_assert_eq!(again.ok(), Some(request));
    }
    if let Ok(message) = FromDaemon::from_bytes(frame) {
        let again = FromDaemon::from_bytes(&message.to_line());
        prop_assert_eq!(again.ok(), Some(message));
    }
    Ok(())
}

#[test]
fn any_stream_gives_the_same_frames_however_it_is_split() {
    let target = Target { name: "frames", inputs: 250, outcomes: &["whole", "broken"] };
    let streams = (vec(said(), 1..6), vec(any::<Index>(), 0..20));
    target.run(&streams, |(said, cuts)| decodes(&said, &cuts));
}

#[test]
fn any_line_is_a_message_or_refused() {
    let target = Target { name: "messages", inputs: 400, outcomes: &["read", "refused"] };
    target.run(&near(valid(), WORDS), |input| {
        if Request::from_bytes(&input).is_ok() || FromDaemon::from_bytes(&input).is_ok() {
            reads_back(&input)?;
            return Ok("read");
        }
        prop_assert!(!input.is_sound(), "a sound message was refused");
        Ok("refused")
    });
}
