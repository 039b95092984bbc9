//! The methods of the wire, each with the types of its parameters and its result.
//!
//! Every command of every kind travels in `session.do`; which commands a kind has, and what each
//! takes and results in, stands in the kind's own table ([`commands!`](crate::commands)).

mod command;
mod daemon;
mod description;
pub mod limits;
mod log;
mod note;
mod problem;
mod review;
mod session;
mod stream;

use std::collections::BTreeMap;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::hello::{HelloParams, HelloResult, capability};
use crate::ids::kinds;
use crate::message::{ErrorCode, ErrorObject, Request, Response};
use crate::record::{EventRecord, Head};
use crate::v1;
use crate::v1::bundle::{self, Bundle};
use crate::v1::commands::Commands as _;
use crate::v1::evaluation::Evaluation;
use crate::v1::events::Events as _;
use crate::v1::report;
use crate::v1::sentences::table;
use crate::v1::session::{Explanation, ReplayReport, SessionEvent};
use crate::wire::Json;

pub use command::{
    Accepted, Awaited, CommandGetParams, CommandGetResult, DoParams, Receipt, SettledNotice,
};
pub use daemon::{
    Check, CheckStatus, ConfigResult, DoctorParams, DoctorResult, PathParams, PathResult,
    RuntimeFound, RuntimeParams, Setting, StatusResult, StoreStats,
};
pub use description::{Answering, Description, KindSchema, MethodSchema, Repeated};
pub use log::{
    BlobGetParams, BlobGetResult, BundleParams, ExportForm, ExportParams, LogParams, LogResult,
    ReplayParams, VerifyResult, WhyParams,
};
pub use note::{NOTE_MAX_BYTES, Note, NoteAddParams, NoteAdded, NoteListParams, NoteListResult};
pub use problem::{
    Added, BrokenPackage, CauseHints, Hole, OwnCase, PackageParams, ProblemCard, ProblemDiscussed,
    ProblemLine, ProblemListResult, ProblemShowParams, ProblemTestParams, Proof, ProvedInvariant,
    ProvedProgram, ReadCase, RemoveParams, Sent, StressParams, Stressed,
};
pub use review::{LastTime, ReviewLine, ReviewResult};
pub use session::{
    Cancelled, CreateParams, Created, DeleteParams, DeleteResult, DeleteWhat, ListParams,
    ListResult, SessionParams, ViewParams, ViewResult,
};
pub use stream::{
    EndNotice, EndReason, EventNotice, From, FromWord, MarkNotice, PresenceNotice, ProgressNotice,
    SubscribeParams, Subscribed, UnsubscribeParams,
};

/// A method of the wire.
pub trait Method {
    /// The name.
    const NAME: &'static str;
    /// When its answer comes.
    const ANSWERED: Answering;
    /// What comes of it when it is asked again.
    const REPEATED: Repeated;
    /// What it takes.
    type Params: Serialize + DeserializeOwned + JsonSchema;
    /// What it answers.
    type Result: Serialize + DeserializeOwned + JsonSchema;
}

macro_rules! describe_kinds {
    ($($(#[doc = $doc:literal])* $Kind:ident = $name:literal, $with_article:literal, in $module:ident
        $(, behind $feature:literal)?;)*) => {
        fn kind_schemas(generator: &mut SchemaGenerator) -> BTreeMap<String, KindSchema> {
            BTreeMap::from([
                $($(#[cfg(feature = $feature)])? ($name.to_owned(), KindSchema {
                    start: generator.subschema_for::<v1::$module::Start>().to_value(),
                    commands: v1::$module::Command::schemas(generator),
                    event: generator.subschema_for::<v1::$module::Event>().to_value(),
                    events: v1::$module::Event::schemas(),
                    view: generator.subschema_for::<v1::$module::View>().to_value(),
                }),)*
            ])
        }
    };
}
kinds!(describe_kinds);

/// Rows read `Name = "name": Parameters => Result, Answering, Repeated;`.
macro_rules! methods {
    ($($(#[doc = $doc:literal])* $method:ident = $name:literal:
        $params:ty => $result:ty, $answered:ident, $repeated:ident;)*) => {
        $(
            $(#[doc = $doc])*
            #[derive(Debug)]
            pub enum $method {}

            impl Method for $method {
                const NAME: &'static str = $name;
                const ANSWERED: Answering = Answering::$answered;
                const REPEATED: Repeated = Repeated::$repeated;
                type Params = $params;
                type Result = $result;
            }
        )*

        fn method_schemas(generator: &mut SchemaGenerator) -> BTreeMap<String, MethodSchema> {
            BTreeMap::from([
                $(($name.to_owned(), MethodSchema {
                    doc: concat!($($doc),*).trim().to_owned(),
                    answered: Answering::$answered,
                    repeated: Repeated::$repeated,
                    params: generator.subschema_for::<$params>().to_value(),
                    result: generator.subschema_for::<$result>().to_value(),
                }),)*
            ])
        }
    };
}

/// Rows read `NAME = "name": Parameters;`.
macro_rules! notices {
    ($($(#[doc = $doc:literal])* $NAME:ident = $name:literal: $params:ty;)*) => {
        $($(#[doc = $doc])* pub const $NAME: &str = $name;)*

        fn notice_schemas(generator: &mut SchemaGenerator) -> BTreeMap<String, Json> {
            let described = |schema: Schema, doc: &str| {
                let mut schema = schema.to_value();
                schema["description"] = doc.trim().into();
                schema
            };
            BTreeMap::from([
                $((
                    $name.to_owned(),
                    described(generator.subschema_for::<$params>(), concat!($($doc),*)),
                ),)*
            ])
        }
    };
}

/// Everything on the wire: every method, notice, record, command, refusal and limit.
pub fn describe() -> Description {
    let mut generator = schemars::generate::SchemaSettings::draft2020_12().into_generator();
    let generator = &mut generator;
    Description {
        protocol: crate::hello::VERSIONS,
        methods: method_schemas(generator),
        notices: notice_schemas(generator),
        kinds: kind_schemas(generator),
        session_event: generator.subschema_for::<SessionEvent>().to_value(),
        session_events: SessionEvent::schemas(),
        request: generator.subschema_for::<Request>().to_value(),
        response: generator.subschema_for::<Response>().to_value(),
        error: generator.subschema_for::<ErrorObject>().to_value(),
        errors: ErrorCode::schemas().collect(),
        limits: limits::table().collect(),
        capabilities: capability::docs().collect(),
        record: generator.subschema_for::<EventRecord>().to_value(),
        bundles: BTreeMap::from([
            (
                Bundle::Replay.name().to_owned(),
                generator.subschema_for::<bundle::ReplayBundle>().to_value(),
            ),
            (
                Bundle::Evaluation.name().to_owned(),
                generator.subschema_for::<bundle::EvaluationBundle>().to_value(),
            ),
        ]),
        sentences: table().map(|(k, s)| (k.to_owned(), s.to_owned())).collect(),
        definitions: generator.take_definitions(true).into_iter().collect(),
    }
}

notices! {
    /// An event of a stream.
    EVENT = "event": EventNotice;
    /// How far a run is. It is no event: nothing depends on it, and it may be missed.
    PROGRESS = "progress": ProgressNotice;
    /// Who else is attached; told to terminals.
    PRESENCE = "presence": PresenceNotice;
    /// Keeps the cursor of an idle stream fresh.
    MARK = "mark": MarkNotice;
    /// Ends a stream.
    END = "end": EndNotice;
    /// Ends a command's own stream, with the command's result.
    SETTLED = "settled": SettledNotice;
}

methods! {
    /// The handshake; frozen.
    Hello = "hello": HelloParams => HelloResult, InTurn, Same;
    /// What the daemon is and does; frozen.
    Status = "status": Nothing => StatusResult, InTurn, Reads;
    /// Ends the daemon after what is under way is durable; frozen.
    Shutdown = "shutdown": Nothing => Nothing, InTurn, Same;
    /// The description of the protocol.
    Describe = "protocol.describe": Nothing => Description, WhenDone, Reads;
    /// Starts a session.
    Create = "session.create": CreateParams => Created, InTurn, ById;
    /// The sessions, newest first.
    List = "session.list": ListParams => ListResult, InTurn, Reads;
    /// Makes a session the current one.
    Use = "session.use": SessionParams => Head, InTurn, Same;
    /// What a role may see of a session now.
    View = "session.view": ViewParams => ViewResult, InTurn, Reads;
    /// Records of a session, as a role may see them.
    Log = "session.log": LogParams => LogResult, InTurn, Reads;
    /// Streams a session's events.
    Subscribe = "session.subscribe": SubscribeParams => Subscribed, InTurn, Reads;
    /// Ends a stream.
    Unsubscribe = "session.unsubscribe": UnsubscribeParams => Nothing, InTurn, Same;
    /// Gives a command.
    Do = "session.do": DoParams => Accepted, InTurn, ById;
    /// Calls off what is being judged, tried or measured; it counts for nothing.
    Cancel = "session.cancel": SessionParams => Cancelled, InTurn, Same;
    /// Whether an intention was carried out, and what it caused.
    CommandGet = "session.command": CommandGetParams => CommandGetResult, InTurn, Reads;
    /// Why an event is as it is.
    Why = "session.why": WhyParams => Explanation, WhenDone, Reads;
    /// Folds a session's log anew.
    Replay = "session.replay": ReplayParams => ReplayReport, WhenDone, Reads;
    /// Checks a session's hash chain.
    Verify = "session.verify": SessionParams => VerifyResult, WhenDone, Reads;
    /// Writes a session's full records to the exports folder.
    Export = "session.export": ExportParams => PathResult, WhenDone, Same;
    /// Writes a bundle of an ended session to the exports folder.
    MakeBundle = "session.bundle": BundleParams => PathResult, WhenDone, Same;
    /// What an ended session teaches.
    Report = "session.report": SessionParams => report::Report, WhenDone, Reads;
    /// Erases a session, or its code alone.
    Delete = "session.delete": DeleteParams => DeleteResult, InTurn, Refused;
    /// Adds a private note of the interviewer.
    NoteAdd = "note.add": NoteAddParams => NoteAdded, InTurn, ById;
    /// The interviewer's private notes of a session.
    NoteList = "note.list": NoteListParams => NoteListResult, InTurn, Reads;
    /// The bytes of a blob that a session's events name, in parts.
    BlobGet = "blob.get": BlobGetParams => BlobGetResult, InTurn, Reads;
    /// The problems.
    ProblemList = "problem.list": Nothing => ProblemListResult, WhenDone, Reads;
    /// One problem, as a candidate may see it.
    ProblemShow = "problem.show": ProblemShowParams => ProblemCard, InTurn, Reads;
    /// What is worth reading about the problem of a session that is over.
    ProblemDiscuss = "problem.discuss": SessionParams => ProblemDiscussed, InTurn, Reads;
    /// Runs visible cases and own cases without any session taking note.
    ProblemTest = "problem.test": ProblemTestParams => Evaluation, WhenDone, Reads;
    /// Proves a package of one's own, unless that was done before.
    ProblemProve = "problem.prove": PackageParams => Proof, WhenDone, Same;
    /// Keeps a proved package among the problems.
    ProblemAdd = "problem.add": PackageParams => Added, WhenDone, Same;
    /// Takes a package of one's own away; sessions about it go on.
    ProblemRemove = "problem.remove": RemoveParams => Nothing, WhenDone, Refused;
    /// Which problems to solve again, and when.
    Review = "review": Nothing => ReviewResult, WhenDone, Reads;
    /// Tries two programs of the candidate's own on drawn inputs until they differ.
    ProblemStress = "problem.stress": StressParams => Stressed, WhenDone, Reads;
    /// Copies the live part of the store to a new one and swaps them.
    StoreCompact = "store.compact": Nothing => StoreStats, WhenDone, Same;
    /// How large the store is.
    StoreStatsGet = "store.stats": Nothing => StoreStats, WhenDone, Reads;
    /// Writes a copy of the store.
    Backup = "store.backup": PathParams => PathResult, WhenDone, Refused;
    /// Checks that need the daemon.
    Doctor = "doctor": DoctorParams => DoctorResult, WhenDone, Reads;
    /// What code of a language is run with.
    RuntimeFind = "runtime.find": RuntimeParams => RuntimeFound, WhenDone, Reads;
    /// The settings in force and where each comes from.
    ConfigShow = "config.show": Nothing => ConfigResult, InTurn, Reads;
}

/// No parameters, or nothing to say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Nothing {}
