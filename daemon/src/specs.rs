//! Makes the spec blob of a new session: everything its rules depend on, one arm for each kind.

mod task;

use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use vosim_engine::parts::hearing;
use vosim_protocol::misfit;
use vosim_protocol::v1::attempt::Mode;
use vosim_protocol::v1::talk::ModelUse;
use vosim_protocol::v1::{attempt, drill, interview};
use vosim_protocol::{Blob, ErrorCode, ErrorObject, Hash, Json, Kind, SessionId, Wire};

use crate::content::{self, Package};
use crate::daemon::Daemon;
use crate::problems;

/// The problem of a session that names none (000: LRU Cache).
const DEFAULT_PROBLEM: &str = "lru_cache";

/// How long a new session waits to be told which Python there is; the search takes a tenth of that.
const VERSION_WITHIN: Duration = Duration::from_secs(3);

/// A spec blob and the blobs it names.
#[derive(Debug)]
pub(crate) struct SpecBlob {
    pub(crate) bytes: Vec<u8>,
    pub(crate) blobs: Vec<Blob>,
}

/// Makes the spec of a new session.
pub(crate) async fn spec(
    daemon: &Rc<Daemon>,
    kind: Kind,
    id: SessionId,
    args: &Json,
) -> Result<SpecBlob, ErrorObject> {
    match kind {
        Kind::Drill => drill(daemon, start(args)?).await,
        Kind::Interview => interview(daemon, start(args)?).await,
        Kind::Attempt => attempt(daemon, start(args)?).await,
        Kind::Task => {
            let spec = task::spec(daemon, id, start(args)?).await?;
            Ok(SpecBlob { bytes: spec.to_line(), blobs: Vec::new() })
        }
        #[cfg(feature = "errand")]
        Kind::Errand => start::<vosim_protocol::v1::errand::Start>(args)
            .map(|spec| SpecBlob { bytes: spec.to_line(), blobs: Vec::new() }),
    }
}

fn start<T: Wire>(args: &Json) -> Result<T, ErrorObject> {
    let none = Json::Object(Default::default());
    misfit::read(if args.is_null() { &none } else { args })
        .map_err(|misfit| ErrorObject::new(ErrorCode::InvalidParams, format!("args: {misfit}")))
}

async fn drill(daemon: &Rc<Daemon>, start: drill::Start) -> Result<SpecBlob, ErrorObject> {
    let package = package(daemon, start.problem.as_deref()).await?;
    let spec = drill::Spec {
        problem: package.problem.clone(),
        suite: Hash::of(&package.suite_blob),
        draw: package.draw(seed()),
        variations: package.variations(),
        python_version: python_version(daemon).await,
        // A drill has no assistant, and nothing is said in it.
        model: daemon.configured.used().filter(|used| used.wording).map(|used| ModelUse {
            assistant: false,
            hearing: false,
            ..used
        }),
    };
    Ok(SpecBlob { bytes: spec.to_line(), blobs: vec![Blob(package.suite_blob.clone())] })
}

async fn attempt(daemon: &Rc<Daemon>, start: attempt::Start) -> Result<SpecBlob, ErrorObject> {
    let package = package(daemon, start.problem.as_deref()).await?;
    let flags = daemon.config.attempt;
    let by_default = if flags.beginner_mode_default { Mode::Beginner } else { Mode::Expert };
    let spec = attempt::Spec {
        problem: package.problem.clone(),
        suite: Hash::of(&package.suite_blob),
        draw: package.draw(seed()),
        guide: package.guide(),
        fields: content::fields().to_vec(),
        hearing: Some(hearing::current()),
        v2_flow: flags.attempt_v2_flow,
        mode: start.mode.unwrap_or(by_default),
        python_version: python_version(daemon).await,
    };
    Ok(SpecBlob { bytes: spec.to_line(), blobs: vec![Blob(package.suite_blob.clone())] })
}

async fn interview(daemon: &Rc<Daemon>, start: interview::Start) -> Result<SpecBlob, ErrorObject> {
    let package = package(daemon, start.problem.as_deref()).await?;
    let python = python_version(daemon).await;
    // A schema of the person's own is read and checked: not on the arbiter.
    let (mut spec, suite) = {
        let package = Arc::clone(&package);
        daemon.blocking(move |_| content::interview::interview(&start, &package, python)).await?
    };
    spec.draw = package.draw(seed());
    spec.model = daemon.configured.used();
    Ok(SpecBlob { bytes: spec.to_line(), blobs: vec![Blob(suite)] })
}

/// What the session is about; somebody's own package must have been proved.
async fn package(daemon: &Daemon, name: Option<&str>) -> Result<Arc<Package>, ErrorObject> {
    problems::proved(daemon, name.unwrap_or(DEFAULT_PROBLEM)).await
}

/// What a new session's hidden inputs depend on: 53 bits, which every reader of JSON keeps.
fn seed() -> u64 {
    uuid::Uuid::new_v4().as_u64_pair().1 >> 11
}

/// Without an interpreter a session can begin; a submission then says what is missing. It begins as
/// well while one that answers nobody, or a helper that does not, is still waited for.
async fn python_version(daemon: &Rc<Daemon>) -> String {
    let evaluator = Arc::clone(&daemon.evaluator);
    let python = daemon.blocking(move |_| evaluator.python());
    let python = tokio::time::timeout(VERSION_WITHIN, python).await.ok().and_then(Result::ok);
    python.map_or_else(|| "unknown".to_owned(), |python| python.version)
}
