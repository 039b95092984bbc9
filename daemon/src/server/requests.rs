//! Takes a request apart: hello first, then the method by its name.
//!
//! The envelope is looked at before any parameters, so that a client of another version hears
//! about versions and not about fields (DESIGN 6).

use std::pin::Pin;
use std::rc::Rc;

use tokio::sync::OnceCell;
use vosim_protocol::hello::{HelloParams, HelloResult, Mismatch, VERSIONS, capability};
use vosim_protocol::message::Request;
use vosim_protocol::misfit;
use vosim_protocol::next::{Action, Next};
use vosim_protocol::trouble::cause;
use vosim_protocol::v1::service as api;
use vosim_protocol::v1::service::{Answering, Method, Nothing};
use vosim_protocol::{ErrorCode, ErrorObject, Json, Wire};

use crate::background::{Panicked, caught};
use crate::logging;
use crate::server::client::{Client, Greeting};
use crate::server::commands;
use crate::server::outgoing::Spelled;
use crate::server::service::{self, Service};
use crate::server::streams;

/// How a request is answered.
pub(crate) enum Handled {
    /// Before the next one is looked at.
    Now(Spelled),
    /// When it is done; others go on meanwhile.
    Later(Pin<Box<dyn Future<Output = Spelled>>>),
    /// And then the connection is closed.
    Close(Spelled),
}

/// Handles one request.
pub(crate) async fn handle(request: Request, client: &mut Client) -> Handled {
    if request.method == api::Hello::NAME {
        return hello(request.params, client);
    }
    let frozen = [api::Status::NAME, api::Shutdown::NAME].contains(&request.method.as_str());
    if client.greeting == Greeting::None || client.greeting == Greeting::Frozen && !frozen {
        let error = ErrorObject::new(ErrorCode::HelloRequired, "the first request must be hello")
            .next(Next::edit("say first which versions of the protocol you speak"));
        return Handled::Close(Err(error));
    }
    caught(dispatch(request, client))
        .await
        .unwrap_or_else(|panicked| Handled::Now(Err(failed(panicked))))
}

/// What is answered instead of nothing where the daemon itself is at fault.
pub(crate) fn failed(panicked: Panicked) -> ErrorObject {
    ErrorObject::new(ErrorCode::Internal, panicked.to_string())
}

fn hello(params: Json, client: &mut Client) -> Handled {
    let params = match misfit::read::<HelloParams>(&params) {
        Ok(params) => params,
        Err(error) => return Handled::Close(Err(invalid_params(api::Hello::NAME, &error))),
    };
    let Some(protocol) = VERSIONS.agree(params.protocol) else {
        client.greeting = Greeting::Frozen;
        return Handled::Now(Err(mismatch(&params)));
    };
    if let Some(missing) = params.need.iter().find(|need| !capability::ALL.contains(&need.as_str()))
    {
        let message = format!("this daemon cannot do {missing}");
        let error = ErrorObject::new(ErrorCode::CapabilityMissing, message)
            .next(Next::run("install a newer daemon, then end this one", Action::Stop));
        return Handled::Close(Err(error));
    }
    client.greeting = Greeting::Done;
    tracing::debug!(client = params.client.name, version = params.client.version, "hello");
    Handled::Now(Ok(HelloResult {
        protocol,
        daemon: service::software(),
        pid: std::process::id(),
        started: client.daemon.started,
        store_id: client.daemon.store.store_id(),
        data: Some(client.daemon.paths.data.display().to_string()),
        log_fault: log_fault(),
        capabilities: capability::ALL.map(str::to_owned).to_vec(),
        frame_max_bytes: vosim_protocol::frame::FRAME_MAX_BYTES as u64,
        deprecated: Vec::new(),
    }
    .to_line()))
}

/// Why the log cannot be written, while it cannot. To say so in the log is the next try.
fn log_fault() -> Option<String> {
    let reason = cause(&logging::fault()?);
    tracing::warn!(reason, "lines of this log could not be written");
    Some(reason)
}

fn mismatch(params: &HelloParams) -> ErrorObject {
    let (ours, theirs) = (VERSIONS, params.protocol);
    let message = format!(
        "no common protocol version: the daemon speaks {} to {}, the client {} to {}",
        ours.0, ours.1, theirs.0, theirs.1
    );
    let next = if theirs.0 > ours.1 {
        Next::run("install the newer daemon, then end this one", Action::Stop)
    } else {
        Next::edit("install the client that came with the daemon")
    };
    ErrorObject::new(ErrorCode::ProtocolMismatch, message)
        .next(next)
        .data(Mismatch { daemon: ours, client: theirs }.to_json())
}

fn invalid_params(method: &str, misfit: &str) -> ErrorObject {
    ErrorObject::new(ErrorCode::InvalidParams, format!("{method}: {misfit}"))
        .next(Next::run("see what each method takes", Action::Describe))
}

fn params<M: Method>(json: Json) -> Result<M::Params, ErrorObject> {
    let json = if json.is_null() { Json::Object(Default::default()) } else { json };
    misfit::read::<M::Params>(&json).map_err(|misfit| invalid_params(M::NAME, &misfit))
}

/// Answers before the next request is looked at.
async fn now<M: Method>(
    json: Json,
    serve: impl AsyncFnOnce(M::Params) -> Result<M::Result, ErrorObject>,
) -> Handled {
    const { assert!(matches!(M::ANSWERED, Answering::InTurn), "the description says when it is done") };
    Handled::Now(match params::<M>(json) {
        Ok(params) => serve(params).await.map(|result| result.to_line()),
        Err(error) => Err(error),
    })
}

/// Answers when it is done, others go on meanwhile.
fn later<M: Method, F>(json: Json, serve: impl FnOnce(M::Params) -> F) -> Handled
where
    F: Future<Output = Result<M::Result, ErrorObject>> + 'static,
{
    const { assert!(matches!(M::ANSWERED, Answering::WhenDone), "the description says in turn") };
    match params::<M>(json) {
        Ok(params) => {
            let served = serve(params);
            Handled::Later(Box::pin(async { served.await.map(|result| result.to_line()) }))
        }
        Err(error) => Handled::Now(Err(error)),
    }
}

/// The description, spelled once for all who ask: by the first of them, away from the thread that
/// serves the others.
fn described(json: Json) -> Handled {
    static DESCRIPTION: OnceCell<Vec<u8>> = OnceCell::const_new();
    match (params::<api::Describe>(json), DESCRIPTION.get()) {
        (Err(error), _) => Handled::Now(Err(error)),
        (Ok(Nothing {}), Some(spelled)) => Handled::Now(Ok(spelled.clone())),
        // Whoever else asks meanwhile takes no thread, and no copy before it can be sent.
        (Ok(Nothing {}), None) => Handled::Later(Box::pin(async {
            let spell = || tokio::task::spawn_blocking(|| api::describe().to_line());
            let spelled = DESCRIPTION.get_or_try_init(spell).await.cloned();
            spelled.map_err(|error| ErrorObject::new(ErrorCode::Internal, error.to_string()))
        })),
    }
}

async fn dispatch(request: Request, client: &mut Client) -> Handled {
    let Request { method, params: json, .. } = request;
    let service = Service {
        daemon: Rc::clone(&client.daemon),
        registry: client.registry.clone(),
        open: Rc::clone(&client.open),
    };
    match method.as_str() {
        api::Status::NAME => now::<api::Status>(json, async |_| service.status().await).await,
        api::Shutdown::NAME => {
            tracing::info!("asked to shut down");
            client.daemon.shutdown.cancel();
            Handled::Now(Ok(Nothing {}.to_line()))
        }
        api::Describe::NAME => described(json),
        api::Create::NAME => now::<api::Create>(json, async |p| service.create(p).await).await,
        api::List::NAME => {
            now::<api::List>(json, async |p| Ok(service.daemon.sessions.list(p.skip))).await
        }
        api::Use::NAME => now::<api::Use>(json, async |p| service.use_session(p).await).await,
        api::View::NAME => now::<api::View>(json, async |p| service.view(p).await).await,
        api::Log::NAME => now::<api::Log>(json, async |p| service.log(p).await).await,
        api::Do::NAME => {
            now::<api::Do>(json, async |p| commands::give(&service, p, client).await).await
        }
        api::Cancel::NAME => now::<api::Cancel>(json, async |p| service.cancel(p).await).await,
        api::Subscribe::NAME => {
            now::<api::Subscribe>(json, async |p| streams::subscribe(&service, p, client).await)
                .await
        }
        api::Unsubscribe::NAME => {
            now::<api::Unsubscribe>(json, async |p| Ok(streams::unsubscribe(p, client))).await
        }
        api::CommandGet::NAME => {
            now::<api::CommandGet>(json, async |p| commands::caused_by(&service, p).await).await
        }
        api::Why::NAME => later::<api::Why, _>(json, |p| service.why(p)),
        api::Replay::NAME => later::<api::Replay, _>(json, |p| service.replay(p)),
        api::Verify::NAME => later::<api::Verify, _>(json, |p| service.verify(p)),
        api::Export::NAME => later::<api::Export, _>(json, |p| service.export(p)),
        api::MakeBundle::NAME => later::<api::MakeBundle, _>(json, |p| service.bundle(p)),
        api::Report::NAME => later::<api::Report, _>(json, |p| service.report(p)),
        api::Delete::NAME => now::<api::Delete>(json, async |p| service.delete(p).await).await,
        api::NoteAdd::NAME => now::<api::NoteAdd>(json, async |p| service.note_add(p).await).await,
        api::NoteList::NAME => {
            now::<api::NoteList>(json, async |p| service.note_list(p).await).await
        }
        api::BlobGet::NAME => now::<api::BlobGet>(json, async |p| service.blob(p).await).await,
        api::ProblemList::NAME => later::<api::ProblemList, _>(json, |_| service.problem_list()),
        api::ProblemProve::NAME => {
            let out = client.out.clone();
            later::<api::ProblemProve, _>(json, |p| service.problem_prove(p, out))
        }
        api::ProblemAdd::NAME => later::<api::ProblemAdd, _>(json, |p| service.problem_add(p)),
        api::ProblemRemove::NAME => {
            later::<api::ProblemRemove, _>(json, |p| service.problem_remove(p))
        }
        api::ProblemShow::NAME => {
            now::<api::ProblemShow>(json, async |p| service.problem_show(p).await).await
        }
        api::ProblemDiscuss::NAME => {
            now::<api::ProblemDiscuss>(json, async |p| service.problem_discuss(p).await).await
        }
        api::ProblemTest::NAME => {
            let out = client.out.clone();
            later::<api::ProblemTest, _>(json, |p| service.problem_test(p, out))
        }
        api::Review::NAME => later::<api::Review, _>(json, |_| service.review()),
        api::ProblemStress::NAME => {
            let out = client.out.clone();
            later::<api::ProblemStress, _>(json, |p| service.problem_stress(p, out))
        }
        api::StoreCompact::NAME => later::<api::StoreCompact, _>(json, |_| service.compact()),
        api::StoreStatsGet::NAME => later::<api::StoreStatsGet, _>(json, |_| service.stats()),
        api::Backup::NAME => later::<api::Backup, _>(json, |p| service.backup(p)),
        api::Doctor::NAME => later::<api::Doctor, _>(json, |p| service.doctor(p)),
        api::RuntimeFind::NAME => later::<api::RuntimeFind, _>(json, |p| service.runtime(p)),
        api::ConfigShow::NAME => {
            now::<api::ConfigShow>(json, async |_| Ok(service.daemon.config.show())).await
        }
        unknown => {
            let message = format!("no method {unknown}");
            let error = ErrorObject::new(ErrorCode::UnknownMethod, message)
                .next(Next::run("see every method", Action::Describe));
            Handled::Now(Err(error))
        }
    }
}
