//! What each method does, apart from the sessions' own commands.

use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use actix::Addr;
use actix::dev::ToEnvelope;
use actix::{Handler, Message};
use vosim_engine::kinds;
use vosim_protocol::blob::SUBMISSION_MAX_BYTES;
use vosim_protocol::hello::Software;
use vosim_protocol::next::{Action, Next};
use vosim_protocol::v1::bundle::Bundle;
use vosim_protocol::v1::evaluation::Evaluation;
use vosim_protocol::v1::guide::{Discussion, Guide};
use vosim_protocol::v1::problem::Problem;
use vosim_protocol::v1::report::Report;
use vosim_protocol::v1::service::limits::{
    BLOB_PART_MAX_BYTES, LOG_PAGE_MAX_BYTES, LOG_PAGE_MAX_RECORDS, STRESS_MAX_SECS,
};
use vosim_protocol::v1::service::{
    Added, BlobGetParams, BlobGetResult, BundleParams, Cancelled, CreateParams, Created,
    DeleteParams, DeleteResult, DeleteWhat, DoctorParams, DoctorResult, EndReason, ExportParams,
    LogParams, LogResult, NoteAddParams, NoteAdded, NoteListParams, NoteListResult, Nothing,
    PROGRESS, PackageParams, PathParams, PathResult, ProblemCard, ProblemDiscussed,
    ProblemListResult, ProblemShowParams, ProblemTestParams, ProgressNotice, Proof, RemoveParams,
    ReplayParams, ReviewResult, RuntimeFound, RuntimeParams, Sent, SessionParams, StatusResult,
    StoreStats, StressParams, Stressed, VerifyResult, ViewParams, ViewResult, WhyParams,
};
use vosim_protocol::v1::session::{Explanation, ReplayReport};
use vosim_protocol::v1::telling::ToldRecord;
use vosim_protocol::{
    Blob, ErrorCode, ErrorObject, EventId, EventRecord, Head, Kind, Role, SessionId, Wire,
};
use vosim_store::StoreError;

use crate::actors::creation::{Begun, Create};
use crate::actors::housekeeping::note_erasure;
use crate::actors::registry::{Awaken, CountAwake, Dismiss, Erased, Registry, read_log};
use crate::actors::session::{CallOff, CalledOff, SessionActor, Show, Works};
use crate::content;
use crate::daemon::hub::Progress;
use crate::daemon::{Daemon, Exercise, asked_key, store_error};
use crate::doctor;
use crate::effects::judging;
use crate::effects::trial::{self, Beside, Trial, TrialFault};
use crate::evaluator::{Bounds, Contender, Differing, Refusal, Runtime, public_runs};
use crate::problems;
use crate::review;
use crate::server::afterwards::{self, drawn};
use crate::server::bundles;
use crate::server::exports;
use crate::server::notes;
use crate::server::open::Open;
use crate::server::outgoing::Outgoing;
use crate::server::reports::{self, record};

/// Times a message is tried with an actor that went to sleep or fell over meanwhile.
const TRIES: usize = 2;
/// Most runs that one request calls off.
const RUNS_MAX: u32 = 16;

/// Serves the methods.
#[derive(Clone, Debug)]
pub(crate) struct Service {
    pub(crate) daemon: Rc<Daemon>,
    pub(crate) registry: Addr<Registry>,
    pub(crate) open: Rc<Open>,
}

impl Service {
    /// Asks a session's actor, waking it first; an actor that has just gone is woken again.
    pub(crate) async fn ask<M, R>(
        &self,
        id: SessionId,
        message: impl Fn() -> M,
    ) -> Result<R, ErrorObject>
    where
        M: Message<Result = Result<R, ErrorObject>> + Send + 'static,
        R: Send + 'static,
        SessionActor: Handler<M>,
        <SessionActor as actix::Actor>::Context: ToEnvelope<SessionActor, M>,
    {
        for _ in 0..TRIES {
            let woken = self.registry.send(Awaken(id)).await;
            let Ok(address) = woken else { break };
            if let Ok(answer) = address?.send(message()).await {
                return answer;
            }
        }
        tracing::error!(session = %id, "the session's actor crashed");
        Err(ErrorObject::new(ErrorCode::Internal, "the session could not answer; nothing was lost"))
    }

    pub(crate) fn locate(&self, name: Option<&str>) -> Result<Head, ErrorObject> {
        self.daemon.sessions.locate(name)
    }

    pub(crate) async fn create(&self, params: CreateParams) -> Result<Created, ErrorObject> {
        let sent = self.registry.send(Create(params)).await;
        let Begun { head, replayed, records, view } = sent.unwrap_or_else(|_| Err(going_down()))?;
        let events = told_to(head.kind, Role::Candidate, records);
        Ok(Created { head, replayed, events, view })
    }

    pub(crate) async fn status(&self) -> Result<StatusResult, ErrorObject> {
        let awake = self.registry.send(CountAwake).await.unwrap_or_default();
        let daemon = &self.daemon;
        Ok(StatusResult {
            daemon: software(),
            pid: std::process::id(),
            started: daemon.started,
            data: daemon.paths.data.display().to_string(),
            sessions: daemon.sessions.count() as u64,
            awake: awake as u64,
            connections: self.open.connections.get(),
            current: daemon.sessions.current(),
        })
    }

    pub(crate) async fn use_session(&self, params: SessionParams) -> Result<Head, ErrorObject> {
        let head = self.locate(params.session.as_deref())?;
        self.daemon.set_current(Some(head.session_id)).await?;
        Ok(head)
    }

    pub(crate) async fn view(&self, params: ViewParams) -> Result<ViewResult, ErrorObject> {
        let head = self.locate(params.session.as_deref())?;
        let seen = self.ask(head.session_id, || Show(params.role)).await?;
        Ok(ViewResult {
            session_id: head.session_id,
            kind: head.kind,
            cursor: seen.cursor,
            now: seen.at,
            view: seen.view,
        })
    }

    /// Calls off what is under way, one run after another.
    pub(crate) async fn cancel(&self, params: SessionParams) -> Result<Cancelled, ErrorObject> {
        let session_id = self.locate(params.session.as_deref())?.session_id;
        let mut runs = 0;
        while runs < RUNS_MAX {
            match self.ask(session_id, || CallOff).await? {
                CalledOff::Run => runs += 1,
                CalledOff::Waiting => {
                    runs += 1;
                    break;
                }
                CalledOff::Nothing => break,
            }
        }
        Ok(Cancelled { session_id, runs })
    }

    pub(crate) async fn log(&self, params: LogParams) -> Result<LogResult, ErrorObject> {
        let head = self.locate(params.session.as_deref())?;
        let (session_id, after) = (head.session_id, params.after);
        let lines = self
            .daemon
            .blocking(move |store| {
                store.read(session_id, after, LOG_PAGE_MAX_RECORDS, LOG_PAGE_MAX_BYTES)
            })
            .await
            .map_err(|error| store_error(&error))?;
        let read = lines.len() as u64;
        let cursor = if read == 0 { head.cursor } else { head.cursor.max(EventId(after.0 + read)) };
        let records = lines.iter().map(|line| record(line)).collect::<Result<_, _>>()?;
        let records = told_to(head.kind, params.role, records);
        Ok(LogResult { session_id, records, cursor })
    }

    pub(crate) async fn why(self, params: WhyParams) -> Result<Explanation, ErrorObject> {
        let head = self.locate(params.session.as_deref())?;
        self.daemon.reading(move |store| reports::why(store, &head, &params)).await
    }

    pub(crate) async fn replay(self, params: ReplayParams) -> Result<ReplayReport, ErrorObject> {
        let head = self.locate(params.session.as_deref())?;
        self.daemon.reading(move |store| reports::replay(store, &head, &params)).await
    }

    pub(crate) async fn verify(self, params: SessionParams) -> Result<VerifyResult, ErrorObject> {
        let head = self.locate(params.session.as_deref())?;
        let id = head.session_id;
        let verified = self.daemon.reading(move |store| {
            let lines = read_log(store, id)?;
            let checked = vosim_protocol::record::check_chain(lines.iter().map(Vec::as_slice));
            Ok(VerifyResult {
                records: lines.len() as u64,
                broken: checked.as_ref().err().cloned(),
                head: checked.ok(),
            })
        });
        verified.await
    }

    pub(crate) async fn export(self, params: ExportParams) -> Result<PathResult, ErrorObject> {
        let head = self.locate(params.session.as_deref())?;
        let data = self.daemon.paths.data.clone();
        let path = self
            .daemon
            .reading(move |store| exports::write(store, &head, params.form, &data))
            .await?;
        Ok(PathResult { path: path.display().to_string() })
    }

    pub(crate) async fn bundle(self, params: BundleParams) -> Result<PathResult, ErrorObject> {
        let head = self.locate(params.session.as_deref())?;
        let data = self.daemon.paths.data.clone();
        let path = self
            .daemon
            .reading(move |store| bundles::write(store, &head, params.which, &data))
            .await?;
        Ok(PathResult { path: path.display().to_string() })
    }

    pub(crate) async fn delete(&self, params: DeleteParams) -> Result<DeleteResult, ErrorObject> {
        // What cannot be undone is never done to what the beginning of an id happens to name.
        let whole = params.session.parse::<SessionId>().map_err(|_| {
            let message = format!("{:?} is not the whole id of a session", params.session);
            ErrorObject::new(ErrorCode::InvalidInput, message)
                .next(Next::run("look it up", Action::List))
        })?;
        let head = self.locate(Some(&whole.to_string()))?;
        match params.what {
            DeleteWhat::Session => self.delete_session(head.session_id).await,
            DeleteWhat::Code => self.delete_code(&head).await,
        }
    }

    async fn delete_session(&self, id: SessionId) -> Result<DeleteResult, ErrorObject> {
        // The actor goes first, so that it writes nothing behind the erasure.
        self.registry.send(Dismiss(id)).await.map_err(|_| going_down())?;
        let data = self.daemon.paths.data.clone();
        let erased = self.daemon.blocking(move |store| {
            exports::remove_plain(&data, id)?;
            bundles::remove(&data, id, &[Bundle::Replay, Bundle::Evaluation]);
            let erased = store.delete(id);
            erased
                .and_then(|()| store.set_key_blocking(&asked_key(id), None))
                .map_err(|error| store_error(&error))
        });
        let erased = erased.await;
        if erased.is_ok() {
            self.daemon.sessions.remove(id);
        }
        self.registry.send(Erased(id)).await.map_err(|_| going_down())?;
        erased?;
        self.daemon.forget(id).await;
        let gone = self.gone();
        self.daemon.hub.borrow_mut().end(Some(id), EndReason::Deleted);
        if self.daemon.sessions.current() == Some(id) {
            self.daemon.set_current(None).await?;
        }
        gone
    }

    async fn delete_code(&self, head: &Head) -> Result<DeleteResult, ErrorObject> {
        let (id, kind) = (head.session_id, head.kind);
        if self.ask(id, || Works).await? {
            let message = "a submission of this session is still being judged";
            return Err(ErrorObject::new(ErrorCode::Busy, message).next(Next::wait("its verdict")));
        }
        let data = self.daemon.paths.data.clone();
        self.daemon
            .reading(move |store| {
                bundles::remove(&data, id, &[Bundle::Replay]);
                let code = kinds::erasable(kind, &read_log(store, id)?);
                store.delete_blobs(id, code).map_err(|error| store_error(&error))
            })
            .await?;
        self.daemon.forget_code(id).await;
        self.gone()
    }

    /// Tells by when the bytes of what was erased are gone, and where they may be besides.
    fn gone(&self) -> Result<DeleteResult, ErrorObject> {
        let asides = vosim_store::asides(&self.daemon.paths.data).map_err(|e| internal(&e))?;
        let aside = asides.iter().map(|aside| aside.number).collect();
        Ok(DeleteResult { gone_by: note_erasure(&self.daemon), aside })
    }

    pub(crate) async fn note_add(&self, params: NoteAddParams) -> Result<NoteAdded, ErrorObject> {
        let head = self.locate(params.session.as_deref())?;
        notes::add(&self.daemon, head, params).await
    }

    pub(crate) async fn note_list(
        &self,
        params: NoteListParams,
    ) -> Result<NoteListResult, ErrorObject> {
        let head = self.locate(params.session.as_deref())?;
        notes::list(&self.daemon, head, params).await
    }

    pub(crate) async fn blob(&self, params: BlobGetParams) -> Result<BlobGetResult, ErrorObject> {
        let head = self.locate(params.session.as_deref())?;
        let (id, kind) = (head.session_id, head.kind);
        let BlobGetParams { role, hash, .. } = params;
        let bytes = self
            .daemon
            .reading(move |store| {
                // Only what events name may be read: the spec, with its hidden cases, may not.
                let lines = read_log(store, id)?;
                let content = kinds::blob(kind, role, &lines, hash).ok_or_else(|| {
                    let message = format!("no event of session {} names {hash}", id.short());
                    ErrorObject::new(ErrorCode::BlobMissing, message)
                })?;
                let erased = || store.has_blob(hash).map(|kept| !kept).map_err(|e| store_error(&e));
                if content.goes_with_code() && erased()? {
                    return Err(code_withheld());
                }
                store.blob(hash).map_err(|error| store_error(&error))
            })
            .await?;
        let from = usize::try_from(params.offset).unwrap_or(usize::MAX).min(bytes.len());
        let to = bytes.len().min(from.saturating_add(BLOB_PART_MAX_BYTES));
        Ok(BlobGetResult { part: Blob(bytes[from..to].to_vec()), bytes: bytes.len() as u64 })
    }

    pub(crate) async fn review(self) -> Result<ReviewResult, ErrorObject> {
        let known = problems::known(&self.daemon).await;
        Ok(review::propose(self.daemon.sessions.heads(), known, self.daemon.now()))
    }

    pub(crate) async fn problem_list(self) -> Result<ProblemListResult, ErrorObject> {
        problems::list(&self.daemon).await
    }

    pub(crate) async fn problem_prove(
        self,
        params: PackageParams,
        out: Outgoing,
    ) -> Result<Proof, ErrorObject> {
        problems::prove(&self.daemon, &params.package, mentioned(out)).await
    }

    pub(crate) async fn problem_add(self, params: PackageParams) -> Result<Added, ErrorObject> {
        problems::add(&self.daemon, &params.package).await
    }

    pub(crate) async fn problem_remove(self, params: RemoveParams) -> Result<Nothing, ErrorObject> {
        problems::remove(&self.daemon, params.id).await.map(|()| Nothing {})
    }

    pub(crate) async fn problem_show(
        &self,
        params: ProblemShowParams,
    ) -> Result<ProblemCard, ErrorObject> {
        let (problem, kind) = match params.problem.as_deref() {
            Some(name) => {
                (problems::find(&self.daemon, name).await?.package().problem.clone(), None)
            }
            None => {
                let Head { kind, spec, .. } = self.locate(params.session.as_deref())?;
                let spec = self.daemon.blocking(move |store| store.blob(spec)).await;
                let spec = spec.map_err(|error| store_error(&error))?;
                let exercise = kinds::exercise(kind, &spec).map_err(|error| internal(&error))?;
                (exercise.ok_or_else(|| no_problem(kind))?.0, Some(kind))
            }
        };
        Ok(ProblemCard {
            id: problem.id,
            title: problem.title,
            statement: problem.statement,
            interface: problem.interface,
            starters: problem.starters,
            cases: problem.cases,
            licence: problem.licence,
            kind,
        })
    }

    /// After the end everything may be read (DECISIONS 45).
    pub(crate) async fn problem_discuss(
        &self,
        params: SessionParams,
    ) -> Result<ProblemDiscussed, ErrorObject> {
        let Head { kind, spec, ended, session_id, .. } = self.locate(params.session.as_deref())?;
        if !ended {
            let message = format!("session {} has not ended", session_id.short());
            let next = Next::wait_and_see("its end, since this gives the answer", Action::Status);
            return Err(ErrorObject::new(ErrorCode::InvalidTransition, message).next(next));
        }
        let read = move |store: &vosim_store::Store| {
            let bytes = store.blob(spec).map_err(|error| store_error(&error))?;
            Ok::<_, ErrorObject>((bytes, drawn(&read_log(store, session_id)?)))
        };
        let (bytes, drawn) = self.daemon.reading(read).await?;
        let (problem, discussion) = self.discussed(kind, &bytes).await?;
        let problem = problem.ok_or_else(|| no_problem(kind))?;
        let exercise = self.daemon.exercise(kind, spec, drawn).await.map_err(|e| internal(&e))?;
        let cases = afterwards::cases(&exercise.problem, &exercise.suite);
        let hints = afterwards::hints(&problem);
        let (id, title, solutions) = (problem.id, problem.title, problem.solutions);
        Ok(ProblemDiscussed { id, title, discussion, solutions, hints, cases })
    }

    /// The problem of a session, if it has one, and what its package says for afterwards.
    async fn discussed(
        &self,
        kind: Kind,
        spec: &[u8],
    ) -> Result<(Option<Problem>, Discussion), ErrorObject> {
        let exercise = kinds::exercise(kind, spec).map_err(|error| internal(&error))?;
        let problem = exercise.map(|(problem, _)| problem);
        let guide = kinds::guide(kind, spec).map_err(|error| internal(&error))?;
        let discussion = match (guide, &problem) {
            (Some(guide), _) => guide.discussion,
            (None, None) => Discussion::default(),
            // Kinds that do not guide leave it in the package, which may have gone since.
            (None, Some(problem)) => problems::find(&self.daemon, problem.id.as_str())
                .await
                .map(|found| found.package().coaching.discussion.clone())
                .unwrap_or_default(),
        };
        Ok((problem, discussion))
    }

    /// What an ended session teaches.
    pub(crate) async fn report(self, params: SessionParams) -> Result<Report, ErrorObject> {
        let head = self.locate(params.session.as_deref())?;
        let Head { kind, spec, ended, session_id, .. } = head;
        if !ended {
            let message = format!("session {} has not ended", session_id.short());
            let next =
                Next::wait_and_see("its end, since this tells what it was about", Action::Status);
            return Err(ErrorObject::new(ErrorCode::InvalidTransition, message).next(next));
        }
        let spec = self.daemon.blocking(move |store| store.blob(spec)).await;
        let spec = spec.map_err(|error| store_error(&error))?;
        let (_, discussion) = self.discussed(kind, &spec).await?;
        let told = self.daemon.reading(move |store| {
            let lines = read_log(store, session_id)?;
            kinds::report(kind, session_id, &spec, &lines, &discussion)
                .map_err(|error| bundles::refused(&head, &error))
        });
        told.await
    }

    /// What a trial is judged by: the problem it names, else the one of its session, with what guides
    /// through it.
    async fn exercise(
        &self,
        params: &ProblemTestParams,
    ) -> Result<(Arc<Exercise>, Option<Guide>), ErrorObject> {
        if let Some(name) = params.problem.as_deref() {
            let found = problems::find(&self.daemon, name).await?;
            let package = found.package();
            let (problem, suite) = (package.problem.clone(), package.suite());
            return Ok((Arc::new(Exercise { problem, suite }), None));
        }
        let Head { kind, spec, .. } = self.locate(params.session.as_deref())?;
        let exercise = self.daemon.exercise(kind, spec, None).await.map_err(|e| internal(&e))?;
        let is_open = params.cases.iter().any(|case| case.by_reference);
        let guide = match is_open {
            true => self.daemon.guide(kind, spec).await.map_err(|e| internal(&e))?,
            false => None,
        };
        Ok((exercise, guide))
    }

    pub(crate) async fn problem_test(
        self,
        params: ProblemTestParams,
        out: Outgoing,
    ) -> Result<Evaluation, ErrorObject> {
        size_checked(&params.code)?;
        let (exercise, guide) = self.exercise(&params).await?;
        let own = params.cases.clone();
        let own = trial::with_answers(&self.daemon, &exercise, guide, own).await;
        let trial = Trial {
            code: params.code.0,
            file_path: params.file_path,
            language: params.language,
            beside: Beside::Visible,
            own: own.map_err(|it| refused(&it))?,
        };
        let (problem, suite) = (exercise.problem.clone(), exercise.suite.clone());
        let judging = trial.judging(problem, suite).map_err(|fault| untried(&fault))?;
        let judged = judging::evaluate(&self.daemon, judging, mentioned(out)).await;
        let mut judged = judged.map_err(|it| refused(&it))?;
        trial::without_answers(&mut judged, &params.cases);
        Ok(judged)
    }

    /// Tries two programs on inputs that are drawn for nobody, until they differ.
    pub(crate) async fn problem_stress(
        self,
        params: StressParams,
        out: Outgoing,
    ) -> Result<Stressed, ErrorObject> {
        for sent in [&params.program, &params.against] {
            size_checked(&sent.code)?;
        }
        let Head { kind, spec, .. } = self.locate(params.session.as_deref())?;
        let exercise = self.daemon.exercise(kind, spec, None).await.map_err(|e| internal(&e))?;
        for sent in [&params.program, &params.against] {
            if !exercise.problem.starters.contains_key(&sent.language) {
                let (title, language) = (exercise.problem.title.clone(), sent.language);
                return Err(untried(&TrialFault::Language { title, language }));
            }
        }
        let spec = self.daemon.blocking(move |store| store.blob(spec)).await;
        let spec = spec.map_err(|error| store_error(&error))?;
        let draw =
            kinds::draw(kind, &spec).map_err(|error| internal(&error))?.ok_or_else(|| {
                let message =
                    "the problem has no generator, so there is nothing to draw inputs with";
                ErrorObject::new(ErrorCode::InvalidInput, message)
                    .next(Next::edit("give the package a generator, or add cases of your own"))
            })?;
        let StressParams { program, against, rounds, seconds, .. } = params;
        let bounds =
            Bounds { rounds, wall: Duration::from_secs(seconds.min(STRESS_MAX_SECS).into()) };
        let stressed =
            judging::at_judge(&self.daemon, mentioned(out), move |evaluator, cancel, progress| {
                let (problem, suite) = (&exercise.problem, &exercise.suite);
                let differing = Differing {
                    problem,
                    program: contender(&program),
                    right: contender(&against),
                    known: &public_runs(problem, suite),
                    draw: Some(&draw),
                    check: content::check_ops,
                };
                let mut step = |done: u32| {
                    progress(Progress { text: "inputs agree".to_owned(), done, of: Some(rounds) });
                };
                evaluator.stress(differing, bounds, cancel, &mut step)
            });
        stressed.await.map_err(|it| refused(&it))
    }

    pub(crate) async fn compact(self) -> Result<StoreStats, ErrorObject> {
        let compacted = self.daemon.blocking(vosim_store::Store::compact).await;
        compacted.map_err(|error| store_error(&error))?;
        self.stats().await
    }

    pub(crate) async fn stats(self) -> Result<StoreStats, ErrorObject> {
        let stats = self.daemon.blocking(vosim_store::Store::stats).await;
        let stats = stats.map_err(|error| store_error(&error))?;
        Ok(StoreStats {
            backend: self.daemon.config.store.backend.name().to_owned(),
            sessions: stats.sessions,
            live_bytes: stats.live_bytes,
            disk_bytes: stats.disk_bytes,
        })
    }

    pub(crate) async fn backup(self, params: PathParams) -> Result<PathResult, ErrorObject> {
        let path = std::path::PathBuf::from(&params.path);
        if !path.is_absolute() {
            let message = "a backup needs an absolute path";
            return Err(ErrorObject::new(ErrorCode::BadPath, message));
        }
        let written = self.daemon.blocking(move |store| store.backup(&path)).await;
        written.map_err(|error| not_backed_up(&error))?;
        Ok(PathResult { path: params.path })
    }

    pub(crate) async fn runtime(self, params: RuntimeParams) -> Result<RuntimeFound, ErrorObject> {
        let evaluator = Arc::clone(&self.daemon.evaluator);
        let found = self.daemon.reading(move |_| evaluator.runtime(params.language)).await;
        let Runtime { path, version, .. } = found.map_err(|refusal| refused(&refusal))?;
        Ok(RuntimeFound { path: path.display().to_string(), version })
    }

    pub(crate) async fn doctor(self, params: DoctorParams) -> Result<DoctorResult, ErrorObject> {
        let _turn = self.daemon.turns.examine().await;
        let stats = self.clone().stats().await?;
        let probing = doctor::Probing::wanted(params.fresh);
        Ok(DoctorResult { checks: doctor::with_daemon(&self.daemon, &stats, probing).await })
    }
}

/// This program and its version.
pub(crate) fn software() -> Software {
    Software { name: "vosimd".to_owned(), version: env!("CARGO_PKG_VERSION").to_owned() }
}

/// Tells the one who asked how far it is.
fn mentioned(out: Outgoing) -> impl Fn(Progress) + 'static {
    move |Progress { text, done, of }| {
        let notice = ProgressNotice { subscription: None, text, done, of, hindered: false };
        out.mention(PROGRESS, notice.to_json());
    }
}

fn size_checked(code: &Blob) -> Result<(), ErrorObject> {
    let bytes = code.0.len();
    if bytes <= SUBMISSION_MAX_BYTES {
        return Ok(());
    }
    let message = format!("the file has {bytes} bytes, more than {SUBMISSION_MAX_BYTES}");
    Err(ErrorObject::new(ErrorCode::TooLarge, message).next(Next::edit("submit less")))
}

fn contender(sent: &Sent) -> Contender<'_> {
    let Sent { file_path, code, language } = sent;
    Contender { code: &code.0, file_path, language: *language }
}

fn refused(refusal: &Refusal) -> ErrorObject {
    let error = |code| ErrorObject::new(code, refusal.to_string());
    let missing = Next::run("see what is missing", Action::Doctor);
    match refusal {
        Refusal::Interpreter(_) | Refusal::Defective(_) => {
            error(ErrorCode::NoRuntime).next(missing)
        }
        Refusal::Unusable(_) => error(ErrorCode::InvalidInput)
            .next(Next::edit("mend the file, and try it on a case of the statement first")),
        Refusal::Sandbox(_) | Refusal::Draw(_) | Refusal::Cancelled => {
            error(ErrorCode::SandboxFailed).next(missing)
        }
    }
}

fn untried(fault: &TrialFault) -> ErrorObject {
    let error = |code| ErrorObject::new(code, fault.to_string());
    match fault {
        TrialFault::Language { .. } => error(ErrorCode::LanguageNotOffered),
        TrialFault::TooMany => error(ErrorCode::TooLarge),
        TrialFault::Taken { .. } => error(ErrorCode::InvalidCase),
        TrialFault::Misfit { calls, .. } => error(ErrorCode::InvalidCase).next(Next::edit(format!(
            "write a run of its calls, which are {calls}; ==1 behind a call says that it gives 1"
        ))),
    }
}

/// The records that a role may see, as it may see them, with what they say.
pub(crate) fn told_to(kind: Kind, role: Role, records: Vec<EventRecord>) -> Vec<ToldRecord> {
    records.into_iter().filter_map(|record| kinds::told(kind, role, record)).collect()
}

fn code_withheld() -> ErrorObject {
    ErrorObject::new(ErrorCode::CodeWithheld, "code withheld: it has been deleted")
}

fn internal(error: &impl std::fmt::Display) -> ErrorObject {
    ErrorObject::new(ErrorCode::Internal, error.to_string())
}

/// Why no backup was written: another place helps where the place is at fault.
fn not_backed_up(error: &StoreError) -> ErrorObject {
    match error {
        StoreError::Io { .. } | StoreError::Invalid { .. } => {
            let elsewhere =
                "name a file that does not exist yet, where you may write and there is room";
            ErrorObject::new(ErrorCode::BadPath, error.to_string()).next(Next::edit(elsewhere))
        }
        _ => store_error(error),
    }
}

fn going_down() -> ErrorObject {
    ErrorObject::new(ErrorCode::ShuttingDown, "the daemon is shutting down")
        .next(Next::wait("the daemon to start again"))
}

/// There is nothing to solve in a session of this kind.
fn no_problem(kind: Kind) -> ErrorObject {
    let message = format!("{} has no problem to solve", kind.with_article());
    ErrorObject::new(ErrorCode::InvalidInput, message).next(Next::edit("name a problem"))
}
