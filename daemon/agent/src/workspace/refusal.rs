//! Why a tool call on a workspace is not carried out, as the model is told it.

use serde_json::json;
use vosim_protocol::wire::Json;

/// A call that was not carried out; nothing was changed. The words of 002 4.2 stand where it has some.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FileRefusal {
    /// There is no tool of this name.
    #[error(
        "There is no tool `{name}`; there are create_file, read_file, list_files and apply_edit"
    )]
    UnknownTool {
        /// The name that was called.
        name: String,
    },
    /// The arguments are not what the tool takes.
    #[error("The arguments are not what {tool} takes, so nothing was done: {why}")]
    Arguments {
        /// The tool.
        tool: &'static str,
        /// What is wrong, and where.
        why: String,
        /// The beginning of what was sent.
        sent: String,
        /// The schema of the arguments.
        schema: Box<Json>,
    },
    /// The path leads out of the workspace.
    #[error("Path must be within workspace")]
    Outside,
    /// The path cannot name a file.
    #[error("The path cannot name a file: {why}")]
    BadPath {
        /// The reason.
        why: String,
    },
    /// The path belongs to version control, or to another tool that would be written for.
    #[error("`{path}` is in a folder that belongs to git or to another tool, which is left alone")]
    Protected {
        /// The path.
        path: String,
    },
    /// A part of the path is a symbolic link.
    #[error("`{path}` leads through a symbolic link, and links are not followed")]
    Linked {
        /// The path.
        path: String,
    },
    /// The file has further names, which may stand outside of the workspace.
    #[error("`{path}` has {names} names (hard links), so it is neither read nor written")]
    HardLinked {
        /// The path.
        path: String,
        /// How many.
        names: u64,
    },
    /// There is no such file.
    #[error("File not found: {path}")]
    NotFound {
        /// The path.
        path: String,
    },
    /// It is no file.
    #[error("`{path}` is {what}, not a file")]
    NotAFile {
        /// The path.
        path: String,
        /// What it is instead.
        what: &'static str,
    },
    /// The file holds something else than text.
    #[error("Cannot read binary file")]
    Binary {
        /// The path.
        path: String,
        /// Its size.
        bytes: usize,
    },
    /// The content holds a NUL character, which no text file has.
    #[error("Content must be text without NUL characters")]
    NotText,
    /// The file, or what it would become, is too large.
    #[error("`{path}` would be {bytes} bytes; at most {max} are read or written")]
    TooLarge {
        /// The path.
        path: String,
        /// Its size.
        bytes: usize,
        /// The bound.
        max: usize,
    },
    /// The file is not what was last read or written here.
    #[error(
        "`{path}` was changed by somebody else since you last saw it, so it was left as it is; look \
         at its content now and decide again"
    )]
    Stale {
        /// The path.
        path: String,
        /// What it holds now; nothing if it was removed.
        now: Option<String>,
    },
    /// The file stands there already and was never looked at.
    #[error(
        "`{path}` is there already and you have not read it, so it was left as it is; look at its \
         content and decide again"
    )]
    Unread {
        /// The path.
        path: String,
        /// What it holds.
        now: String,
    },
    /// The content stands in for code with words.
    #[error(
        "Line {line} stands for code that was left out; write the whole file, or use apply_edit for \
         one place"
    )]
    Placeholder {
        /// The line, from 1 on.
        line: usize,
    },
    /// The text to be replaced is not in the file.
    #[error("The text to replace is not in `{path}`; it must be there exactly, with its spaces")]
    NoMatch {
        /// The path.
        path: String,
    },
    /// The text to be replaced is in the file more than once.
    #[error("The text to replace is in `{path}` more than once; give more lines around it")]
    ManyMatches {
        /// The path.
        path: String,
        /// The lines where it begins, from 1 on; the first few.
        lines: Vec<usize>,
    },
    /// The edit changes nothing.
    #[error("The new text is the same as the old one")]
    SameText,
    /// The machine refused.
    #[error("{what}: {why}")]
    Machine {
        /// What was tried.
        what: String,
        /// The system's words.
        why: String,
    },
}

impl FileRefusal {
    /// A stable word for the reason.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::UnknownTool { .. } => "unknown_tool",
            Self::Arguments { .. } => "arguments",
            Self::Outside => "outside",
            Self::BadPath { .. } => "bad_path",
            Self::Protected { .. } => "protected",
            Self::Linked { .. } => "linked",
            Self::HardLinked { .. } => "hard_linked",
            Self::NotFound { .. } => "not_found",
            Self::NotAFile { .. } => "not_a_file",
            Self::Binary { .. } => "binary",
            Self::NotText => "not_text",
            Self::TooLarge { .. } => "too_large",
            Self::Stale { .. } => "stale_file",
            Self::Unread { .. } => "unread_file",
            Self::Placeholder { .. } => "placeholder",
            Self::NoMatch { .. } => "no_match",
            Self::ManyMatches { .. } => "many_matches",
            Self::SameText => "same_text",
            Self::Machine { .. } => "machine",
        }
    }

    /// The result of the call, for the model.
    pub fn told(&self) -> Json {
        let mut told = json!({ "error": self.to_string(), "code": self.code() });
        let more = match self {
            Self::Arguments { sent, schema, .. } => json!({ "sent": sent, "schema": schema }),
            Self::Binary { path, bytes } => json!({ "path": path, "size_bytes": bytes }),
            Self::Stale { now: Some(now), .. } | Self::Unread { now, .. } => {
                json!({ "content": now })
            }
            Self::Stale { now: None, .. } => json!({ "removed": true }),
            Self::ManyMatches { lines, .. } => json!({ "lines": lines }),
            Self::UnknownTool { .. }
            | Self::Outside
            | Self::BadPath { .. }
            | Self::Protected { .. }
            | Self::Linked { .. }
            | Self::HardLinked { .. }
            | Self::NotFound { .. }
            | Self::NotAFile { .. }
            | Self::NotText
            | Self::TooLarge { .. }
            | Self::Placeholder { .. }
            | Self::NoMatch { .. }
            | Self::SameText
            | Self::Machine { .. } => return told,
        };
        if let (Json::Object(told), Json::Object(more)) = (&mut told, more) {
            told.extend(more);
        }
        told
    }
}
