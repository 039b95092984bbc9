//! How `repair` goes through a session that is talked through: it says nothing of its own, takes the steps
//! that it must, and submits the program once.

use serde_json::json;
use vosim_agent::model::{Message, Request};
use vosim_protocol::Json;
use vosim_protocol::v1::agent::Sitting;

use crate::effects::sitting::TOOL;

/// What it does next.
pub(super) enum Move {
    /// It gives a command.
    Command(&'static str, Json),
    /// It works at the program, and submits it then.
    Work,
    /// The session is over.
    Over,
}

/// What follows from where the session stands, as the last answer of the tool says.
pub(super) fn next(sitting: Sitting, request: &Request) -> Move {
    let Conversation { stands, submitted } = Conversation::of(request);
    match sitting {
        Sitting::Drill => Move::Over,
        Sitting::Attempt => {
            let Some(stands) = stands else {
                return Move::Command("mode", json!({ "mode": "EXPERT" }));
            };
            match stands["v2Step"].as_str() {
                Some("COMPLETE") | None => Move::Over,
                Some("IMPLEMENT") if !submitted => Move::Work,
                Some("UNDERSTAND" | "PLAN" | "REFLECT") => Move::Command("skip", json!({})),
                Some(_) => Move::Command("end", json!({})),
            }
        }
        Sitting::Interview => {
            let Some(stands) = stands else { return Move::Command("begin", json!({})) };
            let section = &stands["current_section"];
            match section["section_id"].as_str() {
                None => Move::Over,
                Some(_) if section["coding"] == true && !submitted => Move::Work,
                Some(section) => Move::Command("done", json!({ "section": section })),
            }
        }
    }
}

/// What the conversation says of the session.
struct Conversation {
    stands: Option<Json>,
    submitted: bool,
}

impl Conversation {
    fn of(request: &Request) -> Self {
        let mut told = Self { stands: None, submitted: false };
        let mut last = None;
        for message in &request.messages {
            match message {
                Message::Model { call: Some(call), .. } if call.tool == TOOL => {
                    let arguments = serde_json::from_str::<Json>(&call.arguments);
                    let arguments = arguments.unwrap_or_default();
                    told.submitted |= arguments["command"] == "submit";
                    last = Some(&call.id);
                }
                Message::Result { call, text } if Some(call) == last => {
                    let result = serde_json::from_str::<Json>(text).unwrap_or_default();
                    told.stands = result.get("session").cloned();
                }
                Message::System { .. }
                | Message::User { .. }
                | Message::Model { .. }
                | Message::Result { .. } => {}
            }
        }
        told
    }
}
