//! What a server turned out not to know, learned from its refusals and kept for later requests.

use std::collections::BTreeSet;

use super::endpoint::ToolForm;

/// Parts of a body that not every server knows, and without which a request is still one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Extra {
    /// The figures of usage at the end of a stream.
    StreamOptions,
    /// One call for each reply.
    SingleCall,
    /// The temperature: some models have one of their own.
    Temperature,
    /// The schema of the answer.
    AnswerSchema,
    /// The older name of the bound of a reply; without it the newer one is sent.
    MaxTokens,
    /// Tools by a field of their own; without it one JSON object stands for a call.
    NativeTools,
    /// The reply in pieces.
    Stream,
}

impl Extra {
    /// By which words in a refusal it is recognised, the more telling first.
    const WORDS: [(Self, &'static [&'static str]); 6] = [
        (Self::StreamOptions, &["stream_options", "include_usage"]),
        (Self::SingleCall, &["parallel_tool_calls"]),
        (Self::AnswerSchema, &["response_format", "json_schema", "response format"]),
        (Self::NativeTools, &["tool", "jinja", "function call"]),
        (Self::MaxTokens, &["max_tokens"]),
        (Self::Temperature, &["temperature"]),
    ];
}

/// What is left out for a server, and how large its window is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Abilities {
    without: BTreeSet<Extra>,
    window_tokens: Option<u64>,
}

/// Something to be done otherwise from now on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ServerLesson {
    /// Leave this out.
    Without(Extra),
    /// A request and its reply have so many tokens together.
    Window(u64),
}

impl Abilities {
    /// What holds before a server was asked.
    pub(super) fn new(tools: ToolForm, window_tokens: Option<u64>) -> Self {
        let without = match tools {
            ToolForm::Auto | ToolForm::Native => BTreeSet::new(),
            ToolForm::Json => BTreeSet::from([Extra::NativeTools]),
        };
        Self { without, window_tokens }
    }

    /// Whether the server is thought to know something.
    pub(super) fn has(&self, extra: Extra) -> bool {
        !self.without.contains(&extra)
    }

    /// The size of the window, where it is known.
    pub(super) fn window_tokens(&self) -> Option<u64> {
        self.window_tokens
    }

    /// Takes a lesson; false where it says nothing new, so that no request is repeated for it.
    pub(super) fn learn(&mut self, lesson: ServerLesson) -> bool {
        match lesson {
            ServerLesson::Without(extra) => self.without.insert(extra),
            ServerLesson::Window(tokens) => {
                let smaller = self.window_tokens.is_none_or(|known| tokens < known);
                if smaller {
                    self.window_tokens = Some(tokens);
                }
                smaller
            }
        }
    }

    /// What a refusal says of the parts that were sent.
    pub(super) fn lesson(&self, sent: &[Extra], refusal: &str) -> Option<ServerLesson> {
        let refusal = refusal.to_lowercase();
        let named = Extra::WORDS.iter().find(|(extra, words)| {
            sent.contains(extra)
                && self.has(*extra)
                && words.iter().any(|word| refusal.contains(word))
        });
        named.map(|(extra, _)| ServerLesson::Without(*extra))
    }
}
