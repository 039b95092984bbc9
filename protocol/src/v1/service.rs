//! The methods of the wire, each with the types of its parameters and its result.
//!
//! Commands of a session are methods named `KIND.COMMAND`, for example `drill.submit`; they all
//! take [`CommandParams`] and answer [`Accepted`], and the daemon hands them to the session
//! without knowing the kind.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::blob::Blob;
use crate::hello::{HelloParams, HelloResult, Software};
use crate::ids::{CommandId, EventId, Hash, Kind, ProblemId, Role, SessionId};
use crate::record::{ChainBreak, EventRecord, Head};
use crate::time::Time;
use crate::v1::bundle::{self, Bundle};
use crate::v1::evaluation::{Evaluation, FailureType};
use crate::v1::problem::{CaseInfo, Interface, Language, Op};
use crate::v1::session::{Explanation, ReplayReport};
use crate::v1::{drill, interview};
use crate::wire::Json;

/// A method of the wire.
pub trait Method {
    /// Its name.
    const NAME: &'static str;
    /// What it takes.
    type Params: Serialize + DeserializeOwned + JsonSchema;
    /// What it answers.
    type Result: Serialize + DeserializeOwned + JsonSchema;
}

macro_rules! methods {
    ($($(#[$doc:meta])* $method:ident = $name:literal: $params:ty => $result:ty;)*) => {
        $(
            $(#[$doc])*
            #[derive(Debug)]
            pub enum $method {}

            impl Method for $method {
                const NAME: &'static str = $name;
                type Params = $params;
                type Result = $result;
            }
        )*

        /// The JSON Schema of every method, notice, record and command.
        pub fn describe() -> Description {
            let mut generator = schemars::generate::SchemaSettings::draft2020_12().into_generator();
            let mut methods = BTreeMap::new();
            $(
                methods.insert($name.to_owned(), MethodSchema {
                    params: generator.subschema_for::<$params>().to_value(),
                    result: generator.subschema_for::<$result>().to_value(),
                });
            )*
            let mut notices = BTreeMap::new();
            let mut notice = |name: &str, schema: schemars::Schema| {
                notices.insert(name.to_owned(), schema.to_value());
            };
            notice(EVENT, generator.subschema_for::<EventNotice>());
            notice(PROGRESS, generator.subschema_for::<ProgressNotice>());
            notice(MARK, generator.subschema_for::<MarkNotice>());
            notice(PRESENCE, generator.subschema_for::<PresenceNotice>());
            notice(END, generator.subschema_for::<EndNotice>());
            let mut kinds = BTreeMap::new();
            kinds.insert(Kind::Drill.name().to_owned(), KindSchema {
                start: generator.subschema_for::<drill::Start>().to_value(),
                command: generator.subschema_for::<drill::Command>().to_value(),
                event: generator.subschema_for::<drill::Event>().to_value(),
                view: generator.subschema_for::<drill::View>().to_value(),
            });
            kinds.insert(Kind::Interview.name().to_owned(), KindSchema {
                start: generator.subschema_for::<interview::Start>().to_value(),
                command: generator.subschema_for::<interview::Command>().to_value(),
                event: generator.subschema_for::<interview::Event>().to_value(),
                view: generator.subschema_for::<interview::View>().to_value(),
            });
            let record = generator.subschema_for::<EventRecord>().to_value();
            let replay = generator.subschema_for::<bundle::ReplayBundle>().to_value();
            let evaluation = generator.subschema_for::<bundle::EvaluationBundle>().to_value();
            let bundles = BTreeMap::from([
                (Bundle::Replay.name().to_owned(), replay),
                (Bundle::Evaluation.name().to_owned(), evaluation),
            ]);
            Description {
                protocol: crate::hello::VERSIONS,
                methods,
                notices,
                kinds,
                record,
                bundles,
                definitions: generator.take_definitions(true).into_iter().collect(),
            }
        }
    };
}

methods! {
    /// The handshake; frozen.
    Hello = "hello": HelloParams => HelloResult;
    /// What the daemon is and does; frozen.
    Status = "status": Nothing => StatusResult;
    /// Ends the daemon after what is under way is durable; frozen.
    Shutdown = "shutdown": Nothing => Nothing;
    /// This description.
    Describe = "protocol.describe": Nothing => Description;
    /// Starts a session.
    Create = "session.create": CreateParams => Created;
    /// The sessions, newest first.
    List = "session.list": ListParams => ListResult;
    /// Makes a session the current one.
    Use = "session.use": SessionParams => Head;
    /// What a role may see of a session now.
    View = "session.view": ViewParams => ViewResult;
    /// Records of a session, as a role may see them.
    Log = "session.log": LogParams => LogResult;
    /// Streams a session's events.
    Subscribe = "session.subscribe": SubscribeParams => Subscribed;
    /// Ends a stream.
    Unsubscribe = "session.unsubscribe": UnsubscribeParams => Nothing;
    /// Whether an intention was carried out, and what it caused.
    CommandGet = "session.command": CommandGetParams => CommandGetResult;
    /// Why an event is as it is.
    Why = "session.why": WhyParams => Explanation;
    /// Folds a session's log anew.
    Replay = "session.replay": ReplayParams => ReplayReport;
    /// Checks a session's hash chain.
    Verify = "session.verify": SessionParams => VerifyResult;
    /// Writes a session's full records to the exports folder.
    Export = "session.export": SessionParams => PathResult;
    /// Writes a bundle of an ended session to the exports folder.
    MakeBundle = "session.bundle": BundleParams => PathResult;
    /// Erases a session, or its code alone.
    Delete = "session.delete": DeleteParams => Nothing;
    /// Adds a private note of the interviewer.
    NoteAdd = "note.add": NoteAddParams => NoteAdded;
    /// The interviewer's private notes of a session.
    NoteList = "note.list": NoteListParams => NoteListResult;
    /// The bytes of a blob that a session's events name, in parts.
    BlobGet = "blob.get": BlobGetParams => BlobGetResult;
    /// The problems.
    ProblemList = "problem.list": Nothing => ProblemListResult;
    /// One problem, as a candidate may see it.
    ProblemShow = "problem.show": ProblemShowParams => ProblemCard;
    /// Runs visible cases and own cases without any session taking note.
    ProblemTest = "problem.test": ProblemTestParams => Evaluation;
    /// Copies the live part of the store to a new one and swaps them.
    StoreCompact = "store.compact": Nothing => StoreStats;
    /// How large the store is.
    StoreStatsGet = "store.stats": Nothing => StoreStats;
    /// Writes a copy of the store.
    Backup = "store.backup": PathParams => PathResult;
    /// Checks that need the daemon.
    Doctor = "doctor": DoctorParams => DoctorResult;
    /// The settings in force and where each comes from.
    ConfigShow = "config.show": Nothing => ConfigResult;
}

/// Name of the notice that carries an event.
pub const EVENT: &str = "event";
/// Name of the notice that tells how far a run is.
pub const PROGRESS: &str = "progress";
/// Name of the notice that tells a terminal who else is attached.
pub const PRESENCE: &str = "presence";
/// Name of the notice that keeps an idle stream's cursor fresh, every 15 s.
pub const MARK: &str = "mark";
/// Name of the notice that ends a stream.
pub const END: &str = "end";

/// No parameters, or nothing to say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Nothing {}

/// What `protocol.describe` answers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Description {
    /// The versions spoken.
    pub protocol: crate::hello::VersionRange,
    /// Every method.
    pub methods: BTreeMap<String, MethodSchema>,
    /// Every notice.
    pub notices: BTreeMap<String, Json>,
    /// Every kind of session.
    pub kinds: BTreeMap<String, KindSchema>,
    /// The envelope of an event.
    pub record: Json,
    /// The files that `session.bundle` writes.
    #[serde(default)]
    pub bundles: BTreeMap<String, Json>,
    /// What the schemas refer to.
    pub definitions: BTreeMap<String, Json>,
}

/// The schemas of one method.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct MethodSchema {
    /// What it takes.
    pub params: Json,
    /// What it answers.
    pub result: Json,
}

/// The schemas of one kind.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct KindSchema {
    /// `args` of `session.create`.
    pub start: Json,
    /// Its commands: the method is `KIND.` and the command, `args` are the command's.
    pub command: Json,
    /// Its events.
    pub event: Json,
    /// Its view.
    pub view: Json,
}

/// What `status` answers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct StatusResult {
    /// The daemon.
    pub daemon: Software,
    /// Its process.
    pub pid: u32,
    /// When it started.
    pub started: Time,
    /// The data directory.
    pub data: String,
    /// Sessions in the store.
    pub sessions: u64,
    /// Sessions whose actor is awake.
    pub awake: u64,
    /// Connections, this one included.
    pub connections: u64,
    /// The current session.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub current: Option<SessionId>,
}

/// Names a session: absent, the current one; else an id or the unique beginning of one.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SessionParams {
    /// The session.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
}

/// Parameters of `session.create`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CreateParams {
    /// The id of the session to be, a UUID version 4 made by the client once per intention: so a
    /// repeated request finds the session it has created already.
    pub session_id: SessionId,
    /// Its rules.
    pub kind: Kind,
    /// Opens it beside a session in progress instead of being refused.
    #[serde(default)]
    pub beside: bool,
    /// What the kind needs to know.
    #[serde(default)]
    pub args: Json,
}

/// What `session.create` answers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Created {
    /// The session.
    pub head: Head,
    /// True when the request had been carried out before.
    #[serde(default)]
    pub replayed: bool,
    /// Its first events.
    pub events: Vec<EventRecord>,
    /// What the candidate may see of it.
    pub view: Json,
}

/// Parameters of `session.list`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ListParams {
    /// How many of the newest to leave out: those of the pages before.
    #[serde(default)]
    pub skip: u64,
}

/// What `session.list` answers: as many as fit into one frame.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ListResult {
    /// The sessions, newest first.
    pub sessions: Vec<Head>,
    /// The current one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub current: Option<SessionId>,
    /// How many there are in all: ask again until they are reached.
    #[serde(default)]
    pub total: u64,
}

/// Parameters of `session.view`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ViewParams {
    /// The session; absent: the current one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
    /// Whose view.
    #[serde(default)]
    pub role: Role,
}

/// What `session.view` answers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ViewResult {
    /// The session's rules, which tell what the view is.
    pub kind: Kind,
    /// The last event it shows.
    pub cursor: EventId,
    /// The daemon's time, from which clocks on screens are derived.
    pub now: Time,
    /// The view.
    pub view: Json,
}

/// Parameters of a session's command.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CommandParams {
    /// The session; absent: the current one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
    /// Made once per user intention and kept across reconnects.
    pub command_id: CommandId,
    /// As whom; only the candidate acts.
    #[serde(default, skip_serializing_if = "Role::is_candidate")]
    pub role: Role,
    /// Refuse if the session has moved on since.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub if_cursor: Option<EventId>,
    /// Bytes that the arguments name by their hash.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub blobs: Vec<Blob>,
    /// The command's own arguments.
    #[serde(default)]
    pub args: Json,
}

/// What an accepted command answers, once it is durable.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Accepted {
    /// The session.
    pub session_id: SessionId,
    /// Its last event.
    pub cursor: EventId,
    /// True when the same command had been carried out before: these are its events of then.
    #[serde(default)]
    pub replayed: bool,
    /// The events it caused at once.
    pub events: Vec<EventRecord>,
}

/// Parameters of `session.log`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LogParams {
    /// The session; absent: the current one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
    /// Only events after this one.
    #[serde(default)]
    pub after: EventId,
    /// For whose eyes.
    #[serde(default)]
    pub role: Role,
}

/// What `session.log` answers: as much as fits into one frame.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct LogResult {
    /// The session.
    pub session_id: SessionId,
    /// The records, in order.
    pub records: Vec<EventRecord>,
    /// The session's last event: ask again until it is reached.
    pub cursor: EventId,
}

/// Where a stream begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", untagged)]
pub enum From {
    /// After this event.
    Cursor(EventId),
    /// With a word.
    Word(FromWord),
}

/// Words for where a stream begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum FromWord {
    /// With the view, then what follows it.
    Snapshot,
}

/// Parameters of `session.subscribe`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SubscribeParams {
    /// The session; absent: the current one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
    /// Where to begin.
    pub from: From,
    /// For whose eyes.
    #[serde(default)]
    pub role: Role,
    /// Makes the stream a terminal of that role: it counts as present while it lasts, and is told
    /// who else is there. Only an attached candidate is missed when gone.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub attach: bool,
}

/// What `session.subscribe` answers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Subscribed {
    /// Names the stream on this connection.
    pub subscription: u64,
    /// The session.
    pub session_id: SessionId,
    /// Its rules.
    pub kind: Kind,
    /// Events after this one follow.
    pub after: EventId,
    /// The view at that event, for a snapshot.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub view: Option<Json>,
}

/// Parameters of `session.unsubscribe`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct UnsubscribeParams {
    /// The stream.
    pub subscription: u64,
}

/// An event of a stream.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct EventNotice {
    /// The stream.
    pub subscription: u64,
    /// The event.
    pub record: EventRecord,
}

/// How far a run is; not an event, nothing depends on it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ProgressNotice {
    /// The stream; absent for a run that no session takes note of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub subscription: Option<u64>,
    /// The case that is running.
    pub case: String,
    /// Cases before it.
    pub done: u32,
    /// Cases in all.
    pub total: u32,
}

/// The terminals attached to a session: told once, then whenever it changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PresenceNotice {
    /// The stream.
    pub subscription: u64,
    /// Those of the candidate.
    pub candidates: u32,
    /// Those of observers.
    pub observers: u32,
    /// Those of interviewers.
    pub interviewers: u32,
}

/// An idle stream's cursor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MarkNotice {
    /// The stream.
    pub subscription: u64,
    /// The session's last event.
    pub cursor: EventId,
}

/// Most bytes of a note's text.
pub const NOTE_MAX_BYTES: usize = 32 * 1024;

/// Parameters of `note.add`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct NoteAddParams {
    /// The session; absent: the current one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
    /// Made once per user intention and kept across reconnects.
    pub command_id: CommandId,
    /// Must be the interviewer.
    #[serde(default)]
    pub role: Role,
    /// The note, at most 32 KiB.
    pub text: String,
    /// The event it speaks of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub event_id: Option<EventId>,
}

/// What `note.add` answers, once the note is durable.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct NoteAdded {
    /// The session.
    pub session_id: SessionId,
    /// The note as it is kept.
    pub note: Note,
    /// True when the same note had been added before.
    #[serde(default)]
    pub replayed: bool,
}

/// A private note of the interviewer. It is no event: no log, stream or export holds it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Note {
    /// 1, 2, 3 …
    pub number: u64,
    /// When it was taken.
    pub at: Time,
    /// What it says.
    pub text: String,
    /// The intention it came from.
    pub command_id: CommandId,
    /// The event it speaks of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub event_id: Option<EventId>,
}

/// Parameters of `note.list`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct NoteListParams {
    /// The session; absent: the current one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
    /// Must be the interviewer.
    #[serde(default)]
    pub role: Role,
    /// Only notes after this one.
    #[serde(default)]
    pub after: u64,
}

/// What `note.list` answers: as many as fit into one frame.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct NoteListResult {
    /// The session.
    pub session_id: SessionId,
    /// The notes, in order.
    pub notes: Vec<Note>,
    /// The number of the last one: ask again until it is reached.
    pub last: u64,
}

/// The end of a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct EndNotice {
    /// The stream.
    pub subscription: u64,
    /// Why.
    pub reason: EndReason,
    /// Subscribe again from here.
    pub resume_from: EventId,
}

/// Why a stream ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum EndReason {
    /// Nothing could be written for 30 s.
    TooSlow,
    /// The daemon goes down.
    Shutdown,
    /// The session was erased.
    Deleted,
    /// The session's log cannot be read.
    Damaged,
}

/// Parameters of `session.command`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CommandGetParams {
    /// The session; absent: the current one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
    /// The intention.
    pub command_id: CommandId,
    /// For whose eyes.
    #[serde(default, skip_serializing_if = "Role::is_candidate")]
    pub role: Role,
}

/// What `session.command` answers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CommandGetResult {
    /// What it caused; absent when it was never carried out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub accepted: Option<Accepted>,
}

/// Parameters of `session.why`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct WhyParams {
    /// The session; absent: the current one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
    /// The event.
    pub event_id: EventId,
    /// For whose eyes.
    #[serde(default, skip_serializing_if = "Role::is_candidate")]
    pub role: Role,
}

/// Parameters of `session.replay`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ReplayParams {
    /// The session; absent: the current one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
    /// Computes every decision anew and compares.
    #[serde(default)]
    pub verify: bool,
    /// Stops after this event.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<EventId>,
    /// For whose eyes.
    #[serde(default, skip_serializing_if = "Role::is_candidate")]
    pub role: Role,
}

/// What `session.verify` answers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct VerifyResult {
    /// Records checked.
    pub records: u64,
    /// Where the chain is broken.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub broken: Option<ChainBreak>,
    /// Hash of the last record when it is whole.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub head: Option<Hash>,
}

/// Parameters of `session.bundle`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct BundleParams {
    /// The session; absent: the current one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
    /// Which bundle.
    pub which: Bundle,
}

/// A file or folder.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PathParams {
    /// Absolute.
    pub path: String,
}

/// A file or folder that was written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PathResult {
    /// Absolute.
    pub path: String,
}

/// Parameters of `session.delete`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DeleteParams {
    /// The session; here it must be named.
    pub session: String,
    /// What of it.
    pub what: DeleteWhat,
}

/// What is erased.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum DeleteWhat {
    /// Log, blobs and export; the id remains.
    Session,
    /// The submitted code; replay then says "code withheld".
    Code,
}

/// Parameters of `blob.get`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct BlobGetParams {
    /// The session whose events name it; absent: the current one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
    /// Its name.
    pub hash: Hash,
    /// First byte wanted.
    #[serde(default)]
    pub offset: u64,
}

/// What `blob.get` answers: as much as fits into one frame.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct BlobGetResult {
    /// The bytes from `offset` on.
    pub part: Blob,
    /// Bytes in all.
    pub bytes: u64,
}

/// What `problem.list` answers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ProblemListResult {
    /// The problems by id.
    pub problems: Vec<ProblemLine>,
}

/// One problem in one line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ProblemLine {
    /// Its id.
    pub id: ProblemId,
    /// Its title.
    pub title: String,
    /// The languages it can be solved in.
    pub languages: Vec<Language>,
    /// Its cases.
    pub cases: u32,
    /// Under which terms its text may be used.
    pub licence: String,
}

/// Parameters of `problem.show`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ProblemShowParams {
    /// The problem; absent: the one of the session.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
    /// The session; absent: the current one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
}

/// A problem as a candidate may see it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ProblemCard {
    /// Its id.
    pub id: ProblemId,
    /// Its title.
    pub title: String,
    /// The task, in Markdown.
    pub statement: String,
    /// What the candidate's file must define.
    pub interface: Interface,
    /// The file to start from, by language.
    pub starters: BTreeMap<Language, String>,
    /// Its cases.
    pub cases: Vec<CaseInfo>,
    /// Under which terms the text may be used.
    pub licence: String,
}

/// Parameters of `problem.test`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ProblemTestParams {
    /// The problem; absent: the one of the session.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
    /// The session; absent: the current one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
    /// The candidate's own name for the file.
    pub file_path: String,
    /// Its bytes.
    pub code: Blob,
    /// Its language.
    pub language: Language,
    /// Own cases, run after the visible ones.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cases: Vec<OwnCase>,
}

/// A case of the user's own.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct OwnCase {
    /// Its name.
    pub name: String,
    /// What is done, and what must come back where it is said.
    pub ops: Vec<Op>,
}

/// What `store.stats` answers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct StoreStats {
    /// The backend.
    pub backend: String,
    /// Sessions.
    pub sessions: u64,
    /// Bytes of what lives.
    pub live_bytes: u64,
    /// Bytes on the disk.
    pub disk_bytes: u64,
}

/// What `doctor` is asked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DoctorParams {
    /// Probes the sandbox anew, though the last probe may still hold.
    #[serde(default)]
    pub fresh: bool,
}

/// What `doctor` answers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DoctorResult {
    /// The checks, in order.
    pub checks: Vec<Check>,
}

/// One check of `doctor`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Check {
    /// What was looked at.
    pub name: String,
    /// How it stands.
    pub status: CheckStatus,
    /// What was found, one line.
    pub found: String,
    /// The one command or step that would mend it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mend: Option<String>,
}

/// How a check stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum CheckStatus {
    /// As it should be.
    Ok,
    /// It works, but not as well as it could.
    Warn,
    /// Something will not work.
    Fail,
}

/// What `config.show` answers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ConfigResult {
    /// The file, whether it exists or not.
    pub file: String,
    /// The settings in force.
    pub settings: Vec<Setting>,
}

/// One setting.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Setting {
    /// Its key, with dots.
    pub key: String,
    /// Its value.
    pub value: Json,
    /// Where it comes from: default, file or environment.
    pub source: String,
}

/// What became of one program of a problem package; printed by `problems check`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ProvedProgram {
    /// Its path in the package.
    pub program: String,
    /// The class it promises.
    pub promised: FailureType,
    /// The class it got, or why it got none.
    pub got: String,
    /// True when they agree.
    pub ok: bool,
}
