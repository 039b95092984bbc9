//! A server that speaks the protocol of OpenAI's chat completions, of whatever make.
//!
//! One request is one try: whoever asks again is [`consult`](super::consult()). What a server does not
//! know is learned from its refusal, once, and left out from then on. A reply that ends before the
//! server has said that it is whole is thrown away; nothing is mended.

mod abilities;
mod body;
mod endpoint;
mod gather;
mod probe;
mod refusal;
mod secret;
mod sse;
mod vectors;

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use reqwest::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, HeaderValue};
use reqwest::{Client, Response};

use super::contract::{Answer, Model, ModelId, ModelKind};
use super::fit::fit;
use super::reply::{Again, FaultKind, ModelFault, Reply, Said, Usage};
use super::request::{Limits, Message, Request, Tool};
use abilities::{Abilities, Extra, ServerLesson};
use body::{body, by_object};
use gather::{GatheredReply, PieceError};
use refusal::{Refusal, refusal, refusal_in_reply, shortened};
use sse::Sse;

pub use endpoint::{Endpoint, EndpointError, ToolForm};
pub use probe::Probed;
pub use secret::{Secret, SecretError};

/// Time for a connection to be made.
const CONNECT_WITHIN: Duration = Duration::from_secs(10);
/// Most bytes of a reply in one piece, and of a refusal.
const WHOLE_MAX_BYTES: usize = 16 * 1024 * 1024;
const REFUSAL_MAX_BYTES: usize = 64 * 1024;
/// How often a request may be repeated at once because a refusal taught something.
const LESSONS_MAX: usize = 8;
/// Most tokens of the reply by which tools are tried: some models think first.
const TRIAL_TOKENS_MAX: u32 = 128;
/// From how many tokens on a count of the server's that is far too small is worth a word.
const NOTICED_TOKENS: u64 = 1500;

/// A model behind a server.
pub struct Openai {
    endpoint: Endpoint,
    client: Client,
    abilities: Mutex<Abilities>,
    /// Whether it is known how calls of tools go.
    tools_tried: AtomicBool,
}

/// Why no request can be sent at all.
#[derive(Debug, thiserror::Error)]
#[error("the client of models cannot be set up: {told}")]
pub struct ClientError {
    told: String,
}

impl Openai {
    /// A client of a server. Nothing is sent yet.
    ///
    /// # Errors
    /// If the machine's certificates cannot be read.
    pub fn new(endpoint: Endpoint) -> Result<Self, ClientError> {
        // Whoever came first has set one that does as well.
        drop(rustls::crypto::ring::default_provider().install_default());
        let builder = Client::builder()
            .connect_timeout(CONNECT_WITHIN)
            // The key goes to the configured server and nowhere else.
            .redirect(reqwest::redirect::Policy::none())
            .user_agent(concat!("vosim/", env!("CARGO_PKG_VERSION")));
        let builder = if endpoint.is_here() { builder.no_proxy() } else { builder };
        let builder = if endpoint.is_encrypted() {
            builder
        } else {
            // No certificate is looked at, so none is read: the machine has a hundred and more.
            let nobody = rustls::RootCertStore::empty();
            let tls = rustls::ClientConfig::builder().with_root_certificates(nobody);
            builder.tls_backend_preconfigured(tls.with_no_client_auth())
        };
        let client = builder.build().map_err(|error| ClientError { told: causes(&error) })?;
        let abilities = Mutex::new(Abilities::new(endpoint.tools(), endpoint.window_tokens()));
        let tools_tried = AtomicBool::new(endpoint.tools() != ToolForm::Auto);
        Ok(Self { endpoint, client, abilities, tools_tried })
    }

    /// Asks once. Before the first call of a tool it is tried whether the model calls any: some
    /// servers take tools and tell the model nothing of them.
    async fn answer(&self, request: &Request) -> Result<Reply, ModelFault> {
        let tried = match request.tools.is_empty() || self.tools_tried.load(Ordering::Relaxed) {
            true => None,
            false => Some(self.try_tools(request).await?),
        };
        let mut reply = self.ask_as_known(request).await?;
        if let Some(tried) = tried {
            // Somebody pays for it.
            reply.usage = reply.usage.and(tried);
        }
        Ok(reply)
    }

    /// Has the model call a tool that does nothing. Where it does not, calls go as one JSON object.
    async fn try_tools(&self, request: &Request) -> Result<Usage, ModelFault> {
        let trial = trial(request);
        let reply = self.ask_as_known(&trial).await?;
        if !matches!(&reply.said, Said::Call { call, .. } if call.tool == trial.tools[0].name) {
            self.learn(ServerLesson::Without(Extra::NativeTools));
        }
        self.tools_tried.store(true, Ordering::Relaxed);
        Ok(reply.usage)
    }

    /// Asks by what is known of the server; repeats at once only where a refusal taught more.
    async fn ask_as_known(&self, request: &Request) -> Result<Reply, ModelFault> {
        let mut lessons = 0..LESSONS_MAX;
        loop {
            let abilities = self.abilities();
            let fitted = match abilities.window_tokens() {
                Some(window) => fit(request, window).ok_or_else(|| too_long(window))?,
                None => request.clone(),
            };
            let (lesson, fault) = match self.send(&fitted, &abilities).await {
                Ok(Some(reply)) => return Ok(reply),
                // Some servers lose calls in a stream.
                Ok(None) => (Some(ServerLesson::Without(Extra::Stream)), nothing_said()),
                Err(refused) => (refused.lesson, *refused.fault),
            };
            if lessons.next().is_none() || !lesson.is_some_and(|lesson| self.learn(lesson)) {
                return Err(self.hidden(fault));
            }
        }
    }

    /// One sending. Nothing comes back where a stream held nothing that was to be said.
    async fn send(
        &self,
        request: &Request,
        abilities: &Abilities,
    ) -> Result<Option<Reply>, Refusal> {
        let body = body(request, self.endpoint.model(), abilities);
        let mut post = self
            .client
            .post(self.endpoint.at("chat/completions"))
            .header(CONTENT_TYPE, "application/json")
            .header(ACCEPT, "text/event-stream, application/json")
            .body(body.json.to_string());
        if let Some(key) = self.endpoint.key() {
            post = post.header(AUTHORIZATION, bearer(key));
        }
        let response = post.send().await.map_err(|error| fault_of(&error))?;
        let status = response.status();
        if !status.is_success() {
            let headers = response.headers().clone();
            let text = limited(response, REFUSAL_MAX_BYTES).await.unwrap_or_default();
            let mut refused = refusal(status, &headers, &String::from_utf8_lossy(&text));
            refused.lesson = refused.lesson.or_else(|| {
                let may_teach = status.as_u16() != 429 && status.as_u16() != 503;
                let lesson =
                    abilities.lesson(&body.extras, &refused.words).filter(|_| may_teach)?;
                let native = lesson == ServerLesson::Without(Extra::NativeTools);
                (!native || self.endpoint.tools() == ToolForm::Auto).then_some(lesson)
            });
            return Err(refused);
        }
        let gathered = gather(response, request).await?;
        let has_tools = !request.tools.is_empty();
        if gathered.is_empty() && has_tools && abilities.has(Extra::Stream) {
            return Ok(None);
        }
        let other = gathered.model().map(str::to_owned);
        let mut reply = gathered.reply(request, by_object(request, abilities));
        self.remark(request, &mut reply, other);
        Ok(Some(reply))
    }

    /// What a person should know of the server.
    fn remark(&self, request: &Request, reply: &mut Reply, answered_by: Option<String>) {
        let asked = self.endpoint.model();
        if let Some(other) = answered_by.filter(|other| !same_model(asked, other)) {
            reply.warnings.push(format!(
                "the server was asked for `{asked}` and says that `{}` has answered",
                shortened(&other)
            ));
            reply.answered_by = Some(other);
        }
        let estimated = request.tokens_estimated();
        let counted = reply.usage.prompt.filter(|_| !reply.usage.estimated);
        if let Some(counted) = counted.filter(|_| estimated >= NOTICED_TOKENS)
            // The estimate is a third of the bytes; no vocabulary has twelve bytes for each token.
            && counted < estimated / 4
        {
            reply.warnings.push(format!(
                "the server counts {counted} tokens where about {estimated} were sent: it may have \
                 left out a part of the request, so its window may be smaller than it should be"
            ));
        }
        if let Said::Call { left_out: left_out @ 1.., .. } = reply.said {
            reply.warnings.push(format!(
                "the model asked for {} calls at once; the first is carried out",
                left_out.saturating_add(1)
            ));
        }
    }

    fn abilities(&self) -> Abilities {
        self.abilities.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn learn(&self, lesson: ServerLesson) -> bool {
        self.abilities.lock().unwrap_or_else(PoisonError::into_inner).learn(lesson)
    }

    fn hidden(&self, fault: ModelFault) -> ModelFault {
        ModelFault { told: self.endpoint.hide_key(&fault.told), ..fault }
    }
}

/// Reads a reply to its end.
async fn gather(response: Response, request: &Request) -> Result<GatheredReply, Refusal> {
    let kind = response.headers().get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
    let in_pieces = kind.is_some_and(|kind| kind.contains("event-stream"));
    let mut gathered = GatheredReply::default();
    let read = if in_pieces {
        pieces(response, &mut gathered).await
    } else {
        whole(response, &mut gathered).await
    };
    read.and_then(|()| {
        if gathered.is_whole() || !in_pieces {
            return Ok(());
        }
        Err(plain(FaultKind::Garbled, "the connection ended before the reply did"))
    })
    .map_err(|mut refused| {
        // It was said, so it will be charged for, and nobody says how much.
        refused.fault.usage = gathered.has_begun().then(|| gathered.usage(request));
        refused
    })?;
    Ok(gathered)
}

async fn pieces(mut response: Response, gathered: &mut GatheredReply) -> Result<(), Refusal> {
    let mut sse = Sse::default();
    while let Some(bytes) = response.chunk().await.map_err(|error| fault_of(&error))? {
        let events = sse.feed(&bytes).map_err(|error| garbled(&error.to_string()))?;
        for event in events {
            gathered.take(&event).map_err(|error| refused_piece(&error))?;
        }
    }
    let last = sse.end().map_err(|error| garbled(&error.to_string()))?;
    // Only half of it may have arrived: that is the connection's end, which is told by whoever called.
    if let Some(last) = last
        && let Err(error @ PieceError::Server(_)) = gathered.take(&last)
    {
        return Err(refused_piece(&error));
    }
    Ok(())
}

async fn whole(response: Response, gathered: &mut GatheredReply) -> Result<(), Refusal> {
    let bytes = limited(response, WHOLE_MAX_BYTES).await?;
    let text = std::str::from_utf8(&bytes).map_err(|_| garbled("bytes that are no text"))?;
    gathered.take(text).map_err(|error| refused_piece(&error))
}

async fn limited(mut response: Response, bytes_max: usize) -> Result<Vec<u8>, Refusal> {
    let mut bytes = Vec::new();
    while let Some(more) = response.chunk().await.map_err(|error| fault_of(&error))? {
        if bytes.len() + more.len() > bytes_max {
            return Err(garbled("more bytes than any reply has"));
        }
        bytes.extend_from_slice(&more);
    }
    Ok(bytes)
}

fn refused_piece(error: &PieceError) -> Refusal {
    match error {
        PieceError::NoObject(told) => garbled(told),
        PieceError::Server(told) => refusal_in_reply(told),
    }
}

fn garbled(told: &str) -> Refusal {
    let told = format!("what the server sent is no reply: {}", shortened(told));
    plain(FaultKind::Garbled, &told)
}

/// A fault that may pass and teaches nothing.
fn plain(kind: FaultKind, told: &str) -> Refusal {
    Refusal::new(ModelFault::new(kind, Again::Soon, told), "")
}

/// A fault of the connection.
fn fault_of(error: &reqwest::Error) -> Refusal {
    let (kind, told) = if error.is_connect() {
        (FaultKind::Unreachable, "the server cannot be reached")
    } else if error.is_timeout() {
        (FaultKind::TimedOut, "the server has not answered in time")
    } else {
        (FaultKind::Garbled, "the connection to the server broke")
    };
    plain(kind, &format!("{told}: {}", shortened(&causes(error))))
}

/// The innermost cause, which says most. The address is left out: it may be long.
fn causes(error: &dyn std::error::Error) -> String {
    let mut error = error;
    while let Some(cause) = error.source() {
        error = cause;
    }
    error.to_string()
}

/// A request that a model which knows tools answers by a call.
fn trial(request: &Request) -> Request {
    let tool = Tool {
        name: "begin".to_owned(),
        about: "Begins the work.".to_owned(),
        arguments: serde_json::json!({ "type": "object", "properties": {}, "additionalProperties": false }),
    };
    let text = "Call the tool `begin` now, and say nothing else.".to_owned();
    Request {
        messages: vec![Message::User { text }],
        tools: vec![tool],
        answer: None,
        limits: Limits { reply_tokens_max: TRIAL_TOKENS_MAX, ..request.limits },
        ..request.clone()
    }
}

fn nothing_said() -> ModelFault {
    ModelFault::new(FaultKind::Garbled, Again::Soon, "the model says nothing")
}

fn too_long(window: u64) -> ModelFault {
    let told = format!("even the least of the request does not fit into {window} tokens");
    ModelFault::new(FaultKind::TooLong, Again::Never, told)
}

fn bearer(key: &Secret) -> HeaderValue {
    let value = format!("Bearer {}", key.expose());
    let mut value = HeaderValue::from_str(&value).expect("a key is made of visible characters");
    value.set_sensitive(true);
    value
}

/// Whether a server's name for a model is another spelling of ours: with a date, a folder or a file's
/// ending.
fn same_model(asked: &str, answered: &str) -> bool {
    let bare = |name: &str| {
        let name = name.rsplit('/').next().unwrap_or(name).to_lowercase();
        name.strip_suffix(".gguf").map_or(name.clone(), str::to_owned)
    };
    let (asked, answered) = (bare(asked), bare(answered));
    answered.starts_with(&asked) || asked.starts_with(&answered)
}

impl fmt::Debug for Openai {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Openai").field("endpoint", &self.endpoint).finish_non_exhaustive()
    }
}

impl Model for Openai {
    fn id(&self) -> ModelId {
        ModelId { kind: ModelKind::Openai, name: self.endpoint.model().to_owned() }
    }

    fn window_tokens(&self) -> Option<u64> {
        self.abilities().window_tokens()
    }

    fn ask<'a>(&'a self, request: &'a Request) -> Answer<'a> {
        Box::pin(self.answer(request))
    }
}
