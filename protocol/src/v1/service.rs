//! The methods of the wire, each with the types of its parameters and its result.
//!
//! Every command of every kind travels in `session.do`; which commands a kind has, and what each
//! takes and results in, stands in the kind's own table ([`commands!`](crate::commands)).

mod command;
mod daemon;
mod description;
mod log;
mod note;
mod problem;
mod review;
mod session;
mod stream;

use std::collections::BTreeMap;

use schemars::{JsonSchema, SchemaGenerator};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::hello::{HelloParams, HelloResult};
use crate::ids::kinds;
use crate::message::ErrorObject;
use crate::record::{EventRecord, Head};
use crate::v1;
use crate::v1::bundle::{self, Bundle};
use crate::v1::commands::Commands as _;
use crate::v1::evaluation::Evaluation;
use crate::v1::report;
use crate::v1::sentences::table;
use crate::v1::session::{Explanation, ReplayReport};

pub use command::{
    Accepted, Awaited, CommandGetParams, CommandGetResult, DoParams, Receipt, SETTLED,
    SettledNotice,
};
pub use daemon::{
    Check, CheckStatus, ConfigResult, DoctorParams, DoctorResult, PathParams, PathResult,
    RuntimeFound, RuntimeParams, Setting, StatusResult, StoreStats,
};
pub use description::{Description, KindSchema, MethodSchema};
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
    CreateParams, Created, DeleteParams, DeleteResult, DeleteWhat, ListParams, ListResult,
    SessionParams, ViewParams, ViewResult,
};
pub use stream::{
    END, EVENT, EndNotice, EndReason, EventNotice, From, FromWord, MARK, MarkNotice, PRESENCE,
    PROGRESS, PresenceNotice, ProgressNotice, SubscribeParams, Subscribed, UnsubscribeParams,
};

/// A method of the wire.
pub trait Method {
    /// The name.
    const NAME: &'static str;
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
                    view: generator.subschema_for::<v1::$module::View>().to_value(),
                }),)*
            ])
        }
    };
}
kinds!(describe_kinds);

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
            notice(SETTLED, generator.subschema_for::<SettledNotice>());
            let kinds = kind_schemas(&mut generator);
            let error = generator.subschema_for::<ErrorObject>().to_value();
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
                error,
                record,
                bundles,
                sentences: table().map(|(k, s)| (k.to_owned(), s.to_owned())).collect(),
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
    /// The description of the protocol.
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
    /// Gives a command.
    Do = "session.do": DoParams => Accepted;
    /// Whether an intention was carried out, and what it caused.
    CommandGet = "session.command": CommandGetParams => CommandGetResult;
    /// Why an event is as it is.
    Why = "session.why": WhyParams => Explanation;
    /// Folds a session's log anew.
    Replay = "session.replay": ReplayParams => ReplayReport;
    /// Checks a session's hash chain.
    Verify = "session.verify": SessionParams => VerifyResult;
    /// Writes a session's full records to the exports folder.
    Export = "session.export": ExportParams => PathResult;
    /// Writes a bundle of an ended session to the exports folder.
    MakeBundle = "session.bundle": BundleParams => PathResult;
    /// What an ended session teaches.
    Report = "session.report": SessionParams => report::Report;
    /// Erases a session, or its code alone.
    Delete = "session.delete": DeleteParams => DeleteResult;
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
    /// What is worth reading about the problem of a session that is over.
    ProblemDiscuss = "problem.discuss": SessionParams => ProblemDiscussed;
    /// Runs visible cases and own cases without any session taking note.
    ProblemTest = "problem.test": ProblemTestParams => Evaluation;
    /// Proves a package of one's own, unless that was done before.
    ProblemProve = "problem.prove": PackageParams => Proof;
    /// Keeps a proved package among the problems.
    ProblemAdd = "problem.add": PackageParams => Added;
    /// Takes a package of one's own away; sessions about it go on.
    ProblemRemove = "problem.remove": RemoveParams => Nothing;
    /// Which problems to solve again, and when.
    Review = "review": Nothing => ReviewResult;
    /// Tries two programs of the candidate's own on drawn inputs until they differ.
    ProblemStress = "problem.stress": StressParams => Stressed;
    /// Copies the live part of the store to a new one and swaps them.
    StoreCompact = "store.compact": Nothing => StoreStats;
    /// How large the store is.
    StoreStatsGet = "store.stats": Nothing => StoreStats;
    /// Writes a copy of the store.
    Backup = "store.backup": PathParams => PathResult;
    /// Checks that need the daemon.
    Doctor = "doctor": DoctorParams => DoctorResult;
    /// What code of a language is run with.
    RuntimeFind = "runtime.find": RuntimeParams => RuntimeFound;
    /// The settings in force and where each comes from.
    ConfigShow = "config.show": Nothing => ConfigResult;
}

/// No parameters, or nothing to say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Nothing {}
