//! What a server may do wrong, each fault really served.

use std::sync::Arc;
use std::time::Duration;

use serde_json::json;
use vosim_agent::model::{
    Again, Endpoint, Exchange, FaultKind, Message, Openai, Said, Secret, consult,
};

use super::server::{Answer, Server};
use super::support::{
    Waits, after_call, ask, ask_model, delta, done, endpoint, endpoint_with_key, finish, reply,
    request, said, speech, text,
};

fn refusal(status: u16, headers: &'static str, message: &str) -> Answer {
    Answer::Status(status, headers, json!({ "error": { "message": message } }).to_string())
}

fn right() -> Answer {
    Answer::Stream(speech("Done."))
}

/// The kind of the fault, whether it may pass, and what is told.
fn fault(exchange: &Exchange) -> (FaultKind, Again, &str) {
    let fault = exchange.ending.as_ref().unwrap_err();
    (fault.kind, fault.again, &fault.told)
}

#[tokio::test]
async fn a_server_that_is_loading_is_waited_for() {
    let loading = || refusal(503, "", "Loading model");
    let server = Server::new(vec![loading(), loading(), right()]);
    let (exchange, waits) = ask(&server, request()).await;
    assert_eq!((said(&exchange), waits), (text("Done."), vec![2, 4]));
    let told = "the server is still loading the model: Loading model (503)";
    assert_eq!(exchange.faults[0].told, told);
    server.finish();
    let server = Server::new(vec![loading(), loading(), loading()]);
    let (exchange, _) = ask(&server, request()).await;
    assert_eq!(fault(&exchange), (FaultKind::Unavailable, Again::Soon, told));
    server.finish();
}

#[tokio::test]
async fn a_server_says_in_every_way_when_to_ask_again() {
    let cases = [
        ("retry-after: 17\r\n", "slow down", 17),
        ("retry-after-ms: 9000\r\nretry-after: 30\r\n", "slow down", 9),
        (
            "date: Sun, 29 Nov 2026 10:00:00 GMT\r\nretry-after: Sun, 29 Nov 2026 10:00:25 GMT\r\n",
            "slow down",
            25,
        ),
        ("", "Rate limit reached. Please try again in 11.5s.", 11),
        ("", "Please try again in 200ms.", 2),
        ("retry-after: soon\r\n", "slow down", 2),
    ];
    for (headers, message, seconds) in cases {
        let server = Server::new(vec![refusal(429, headers, message), right()]);
        let (exchange, waits) = ask(&server, request()).await;
        assert_eq!((said(&exchange), waits), (text("Done."), vec![seconds]), "{headers}{message}");
        assert_eq!(exchange.faults[0].kind, FaultKind::RateLimited);
        server.finish();
    }
    for (headers, message) in
        [("retry-after: 9000\r\n", "tomorrow"), ("", "Please try again in 2h30m0.00s.")]
    {
        let server = Server::new(vec![refusal(429, headers, message)]);
        let (exchange, waits) = ask(&server, request()).await;
        assert_eq!(fault(&exchange).1, Again::AfterMillis(9_000_000));
        assert!(waits.is_empty(), "it is told and not waited for");
        server.finish();
    }
}

#[tokio::test]
async fn nothing_of_a_reply_that_was_cut_is_a_call() {
    let start = r#"{"path":"main.py","content":"def f("#;
    let call =
        json!({ "index": 0, "id": "x", "function": { "name": "create_file", "arguments": start } });
    let call = || delta(&json!({ "tool_calls": [call] }));
    for reason in ["length", "stop", "tool_calls"] {
        let server = Server::new(vec![Answer::Stream(vec![call(), finish(reason), done()])]);
        let (exchange, _) = ask(&server, request()).await;
        let Said::Cut { text, tool, .. } = said(&exchange) else { panic!("{reason}") };
        assert_eq!((text.as_str(), tool.as_deref()), (start, Some("create_file")), "{reason}");
        server.finish();
    }
    let server = Server::new(vec![Answer::Stream(vec![call(), done()])]);
    assert!(matches!(said(&ask(&server, request()).await.0), Said::Cut { .. }));
    server.finish();
}

#[tokio::test]
async fn a_connection_that_ends_early_takes_its_part_of_a_reply_along() {
    let part = || vec![delta(&json!({ "content": "Half of it, and" }))];
    for broken in [Answer::Broken(part()), Answer::Stream(part())] {
        let server = Server::new(vec![broken, right()]);
        let (exchange, waits) = ask(&server, request()).await;
        assert_eq!((said(&exchange), waits), (text("Done."), vec![2]));
        let thrown_away = &exchange.faults[0];
        assert_eq!(thrown_away.kind, FaultKind::Garbled);
        let usage = thrown_away.usage.unwrap();
        assert!(usage.estimated && usage.completion == Some(5), "{usage:?}");
        server.finish();
    }
    let at_once = Server::new(vec![Answer::Broken(vec![]), right()]);
    let (exchange, _) = ask(&at_once, request()).await;
    assert_eq!((said(&exchange), exchange.faults[0].usage), (text("Done."), None));
    at_once.finish();
}

#[tokio::test]
async fn what_is_no_reply_is_asked_for_again() {
    let wrong = [
        Answer::Stream(vec!["data: {\"choices\": [}\n\n".to_owned()]),
        Answer::Stream(vec!["data: 17\n\n".to_owned()]),
        Answer::Status(200, "content-type: text/html\r\n", "<html>Log in</html>".to_owned()),
        Answer::Status(200, "", "[]".to_owned()),
    ];
    for answer in wrong {
        let told = format!("{answer:?}");
        let server = Server::new(vec![answer, right()]);
        let (exchange, waits) = ask(&server, request()).await;
        assert_eq!((said(&exchange), waits), (text("Done."), vec![2]), "{told}");
        assert_eq!(exchange.faults[0].kind, FaultKind::Garbled, "{told}");
        server.finish();
    }
    let error = json!({ "error": { "code": 503, "message": "overloaded" } });
    let in_stream =
        Answer::Stream(vec![delta(&json!({ "content": "A" })), format!("data: {error}\n\n")]);
    let server = Server::new(vec![in_stream, right()]);
    let (exchange, _) = ask(&server, request()).await;
    assert_eq!(exchange.faults[0].told, "the server failed: overloaded");
    server.finish();
}

#[tokio::test]
async fn a_request_over_the_window_is_made_to_fit_and_sent_again() {
    let window = 2000;
    let mut long = request();
    for number in 0..12 {
        long = after_call(&long, &format!(r#"{{"path":"{number}.py"}}"#), &"x = 1\n".repeat(200));
    }
    let refused = json!({ "error": {
        "code": 400, "type": "exceed_context_size_error", "n_ctx": window, "n_prompt_tokens": 9000,
        "message": "the request exceeds the available context size, try increasing it",
    } });
    let server = Server::new(vec![Answer::Status(400, "", refused.to_string()), right(), right()]);
    let model = Openai::new(endpoint(&server)).unwrap();
    let (exchange, waits) = ask_model(&model, long.clone()).await;
    assert_eq!((said(&exchange), waits), (text("Done."), vec![]));
    assert_eq!(exchange.request, long, "what is kept is what was asked");
    ask_model(&model, long).await;
    let sizes: Vec<_> =
        server.finish().iter().map(|asked| asked.body["messages"].to_string().len()).collect();
    assert!(sizes[0] > 4 * window && sizes[1] < 4 * window, "{sizes:?}");
    assert_eq!(sizes[1], sizes[2], "the size of the window is remembered");
}

#[tokio::test]
async fn a_result_of_any_size_goes_under_the_window() {
    let server = Server::with_window(vec![right()], Some(8192));
    let model = Openai::new(endpoint(&server).with_window(Some(8192))).unwrap();
    let long = after_call(&request(), r#"{"path":"a.py"}"#, &"line\n".repeat(400_000));
    let (exchange, _) = ask_model(&model, long).await;
    assert_eq!(said(&exchange), text("Done."));
    let asked = server.finish().pop().unwrap();
    let sent = asked.body["messages"][3]["content"].as_str().unwrap();
    assert!(sent.starts_with("line\n") && sent.ends_with("line\n") && sent.len() < 8192);
    assert!(sent.contains(" bytes are left out here]"), "{sent}");
}

#[tokio::test]
async fn what_does_not_fit_at_all_is_not_sent() {
    let mut much = request();
    much.messages[0] = Message::System { text: "x".repeat(10_000) };
    let server = Server::new(vec![]);
    let model = Openai::new(endpoint(&server).with_window(Some(1000))).unwrap();
    let (exchange, _) = ask_model(&model, much).await;
    let told = "even the least of the request does not fit into 1000 tokens";
    assert_eq!(fault(&exchange), (FaultKind::TooLong, Again::Never, told));
    server.finish();
    let refused = refusal(400, "", "This model's maximum context length is 100 tokens.");
    let server = Server::new(vec![refused]);
    let (exchange, _) = ask(&server, request()).await;
    assert_eq!(fault(&exchange).0, FaultKind::TooLong);
    server.finish();
}

#[tokio::test]
async fn a_server_that_hangs_has_its_time_and_is_left() {
    let server = Server::new(vec![Answer::Hang, Answer::Hang, Answer::Hang]);
    let model = Openai::new(endpoint(&server)).unwrap();
    let waits = Arc::new(Waits::default());
    let asking = consult(&model, request(), Duration::from_secs(60), waits.clone());
    let time = async {
        for _ in 0..3 {
            server.hangs().await;
            waits.try_is_over.notify_one();
            // The connection goes with the try: nobody works for nothing.
            server.client_gone().await;
        }
    };
    let (exchange, ()) = tokio::join!(asking, time);
    let told = "openai:small has not answered within 777 s";
    assert_eq!(fault(&exchange), (FaultKind::TimedOut, Again::Soon, told));
    assert_eq!(waits.seen(), [Duration::from_secs(2), Duration::from_secs(4)]);
    server.finish();
}

#[tokio::test]
async fn a_request_that_is_given_up_ends_its_connection() {
    let server = Server::new(vec![Answer::Hang]);
    let model = Openai::new(endpoint(&server)).unwrap();
    let asking = consult(&model, request(), Duration::ZERO, Arc::new(Waits::default()));
    tokio::select! {
        _ = asking => panic!("there is no answer"),
        () = server.hangs() => {}
    }
    server.client_gone().await;
    server.finish();
}

#[tokio::test]
async fn a_model_that_is_not_there_is_told_however_the_server_says_it() {
    let not_found = [
        refusal(404, "", "The model `small` does not exist or you do not have access to it."),
        refusal(400, "", "model 'small' not found, try pulling it first"),
        Answer::Status(
            200,
            "",
            json!({ "error": { "message": "no", "code": "model_not_found" } }).to_string(),
        ),
    ];
    for answer in not_found {
        let server = Server::new(vec![answer]);
        let (exchange, _) = ask(&server, request()).await;
        assert_eq!(
            (fault(&exchange).0, fault(&exchange).1),
            (FaultKind::UnknownModel, Again::Never)
        );
        server.finish();
    }
    // Another model answers as if nothing were wrong.
    let other = json!({ "model": "other-7b", "choices": [{ "message": { "content": "Done." } }] });
    let server = Server::new(vec![Answer::Status(200, "", other.to_string())]);
    let (exchange, _) = ask(&server, request()).await;
    let reply = reply(&exchange);
    assert_eq!(reply.answered_by.as_deref(), Some("other-7b"));
    assert_eq!(
        reply.warnings,
        ["the server was asked for `small` and says that `other-7b` has answered"]
    );
    server.finish();
}

#[tokio::test]
async fn what_does_not_pass_is_not_tried_again() {
    let cases = [
        (401, "", FaultKind::Key),
        (403, "", FaultKind::Key),
        (402, "", FaultKind::Key),
        (404, "Not Found", FaultKind::Refused),
        (422, "messages: field required", FaultKind::Refused),
        (413, "", FaultKind::TooLong),
        (302, "", FaultKind::Refused),
    ];
    for (status, message, kind) in cases {
        let server =
            Server::new(vec![refusal(status, "location: http://127.0.0.1:9/\r\n", message)]);
        let (exchange, _) = ask(&server, request()).await;
        assert_eq!((fault(&exchange).0, fault(&exchange).1), (kind, Again::Never), "{status}");
        server.finish();
    }
    let nobody = Endpoint::new("http://127.0.0.1:1/v1", "small", None).unwrap();
    let (exchange, waits) = ask_model(&Openai::new(nobody).unwrap(), request()).await;
    assert_eq!((fault(&exchange).0, waits), (FaultKind::Unreachable, vec![2, 4]));
}

#[tokio::test]
async fn the_key_goes_to_the_server_and_nowhere_else() {
    let key = "sk-canary-8f31c0de55aa77";
    let masked = "Incorrect API key provided: sk-canar**********aa77.";
    let server = Server::new(vec![
        refusal(401, "", &format!("wrong key {key}!")),
        refusal(401, "", masked),
        refusal(503, "", &format!("Bearer {key}")),
        refusal(400, "", &format!("stream_options: {key}")),
        right(),
    ]);
    let endpoint = endpoint_with_key(&server, key);
    let model = Openai::new(endpoint.clone()).unwrap();
    let mut seen = format!("{endpoint:?} {model:?} {:?}", Secret::new(key, "x"));
    for _ in 0..3 {
        let (exchange, _) = ask_model(&model, request()).await;
        seen.push_str(&format!("{exchange:?}"));
        seen.push_str(&String::from_utf8(exchange.to_line()).unwrap());
    }
    let asked = server.finish();
    assert!(asked.iter().all(|asked| asked.authorization == Some(format!("Bearer {key}"))));
    for part in [key, "8f31c0de", "canar", "aa77"] {
        assert!(!seen.contains(part), "{part} is in {seen}");
    }
    let refused = [
        format!("http://user:{key}@127.0.0.1/v1"),
        format!("https://models.example/v1?key={key}"),
        format!("ftp://{key}@models.example"),
    ];
    for address in refused {
        let error = Endpoint::new(&address, "small", None).unwrap_err();
        assert!(!format!("{error} {error:?}").contains(key), "{error}");
    }
    let secret = Secret::new(key, "x").unwrap();
    let error = Endpoint::new("http://models.example/v1", "small", Some(secret)).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the key would go to models.example unencrypted: give an address that begins with https, or no key"
    );
}
