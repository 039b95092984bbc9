//! What a server may say, in all the forms in which servers say it.

use serde_json::{Value, json};
use vosim_agent::model::{Openai, Said, ToolForm, Usage};

use super::server::{Answer, Server};
use super::support::{
    after_call, ask, ask_model, delta, done, endpoint, event, finish, reply, request, said, speech,
    text,
};

fn stream(pieces: impl IntoIterator<Item = String>) -> Answer {
    Answer::Stream(pieces.into_iter().collect())
}

fn whole(message: &Value) -> Answer {
    let body =
        json!({ "model": "small", "choices": [{ "message": message, "finish_reason": "stop" }] });
    Answer::Status(200, "content-type: application/json\r\n", body.to_string())
}

/// The call that is asked for, with its arguments.
fn called(said: &Said) -> (&str, &str, &str) {
    let Said::Call { call, .. } = said else { panic!("no call: {said:?}") };
    (&call.id, &call.tool, &call.arguments)
}

#[tokio::test]
async fn a_request_has_all_that_a_server_needs() {
    let server = Server::new(vec![stream(speech("Done."))]);
    let request = after_call(&request(), r#"{"path":"a.py"}"#, "x = 1");
    let (exchange, _) = ask(&server, request).await;
    assert_eq!(said(&exchange), text("Done."));
    let asked = server.finish();
    assert_eq!(asked[0].path, "/v1/chat/completions");
    insta::assert_json_snapshot!(asked[0].body);
}

#[tokio::test]
async fn a_call_comes_in_pieces_of_every_kind() {
    let expected = ("call00001", "read_file", r#"{"path":"a.py"}"#);
    let piece = |piece: Value| delta(&json!({ "tool_calls": [piece] }));
    let by_number = vec![
        piece(
            json!({ "index": 0, "id": "x", "type": "function", "function": { "name": "read_file", "arguments": "" } }),
        ),
        piece(json!({ "index": 0, "function": { "arguments": "{\"path\":" } })),
        piece(json!({ "index": 0, "function": { "arguments": "\"a.py\"}" } })),
        finish("tool_calls"),
        done(),
    ];
    let name_again = vec![
        piece(
            json!({ "index": 0, "id": "x", "function": { "name": "read_file", "arguments": "{\"path\":" } }),
        ),
        piece(
            json!({ "index": 0, "id": "x", "function": { "name": "read_file", "arguments": "\"a.py\"}" } }),
        ),
        finish("stop"),
    ];
    let no_number = vec![
        piece(json!({ "id": "", "function": { "name": "read_file", "arguments": "{\"path\":" } })),
        piece(json!({ "function": { "arguments": "\"a.py\"}" } })),
        done(),
    ];
    let as_object = vec![
        piece(json!({ "function": { "name": "read_file", "arguments": { "path": "a.py" } } })),
        finish("tool_calls"),
    ];
    for pieces in [by_number, name_again, no_number, as_object] {
        let told = pieces.concat();
        let server = Server::new(vec![stream(pieces)]);
        let (exchange, _) = ask(&server, request()).await;
        assert_eq!(called(&said(&exchange)), expected, "{told}");
        server.finish();
    }
}

#[tokio::test]
async fn of_several_calls_the_first_is_carried_out_and_the_rest_is_told() {
    let call = |name: &str| json!({ "id": name, "function": { "name": name, "arguments": "{}" } });
    let pieces = vec![
        delta(&json!({ "content": "Both.", "tool_calls": [call("one"), call("two")] })),
        finish("tool_calls"),
    ];
    let server = Server::new(vec![stream(pieces)]);
    let (exchange, _) = ask(&server, request()).await;
    let Said::Call { text, call, left_out } = said(&exchange) else { panic!("no call") };
    assert_eq!((text.as_str(), call.tool.as_str(), left_out), ("Both.", "one", 1));
    assert_eq!(
        reply(&exchange).warnings,
        ["the model asked for 2 calls at once; the first is carried out"]
    );
    server.finish();
}

#[tokio::test]
async fn a_server_that_answers_in_one_piece_is_understood() {
    let call =
        json!({ "id": 7, "function": { "name": "read_file", "arguments": { "path": "a.py" } } });
    let answers = vec![
        whole(
            &json!({ "content": [{ "type": "text", "text": "Do" }, { "type": "text", "text": "ne." }] }),
        ),
        whole(&json!({ "role": "assistant", "content": null, "tool_calls": [call] })),
    ];
    let server = Server::new(answers);
    let (exchange, _) = ask(&server, request()).await;
    assert_eq!(said(&exchange), text("Done."));
    let (exchange, _) = ask(&server, request()).await;
    assert_eq!(called(&said(&exchange)).2, r#"{"path":"a.py"}"#);
    server.finish();
}

#[tokio::test]
async fn figures_of_usage_come_in_every_shape_and_an_estimate_says_so() {
    let known = |prompt, completion| Usage {
        prompt: Some(prompt),
        completion: Some(completion),
        ..Usage::default()
    };
    let cases = [
        (json!({ "usage": { "prompt_tokens": 10, "completion_tokens": 2 } }), known(10, 2)),
        (
            json!({ "usage": {
                "prompt_tokens": 10, "completion_tokens": 2, "total_tokens": 12,
                "prompt_tokens_details": { "cached_tokens": 8 },
                "completion_tokens_details": { "reasoning_tokens": 1 },
            } }),
            Usage { cached: Some(8), reasoning: Some(1), ..known(10, 2) },
        ),
        (json!({ "usage": { "input_tokens": 10, "output_tokens": 2 } }), known(10, 2)),
        (
            json!({ "usage": null, "timings": { "prompt_n": 3, "cache_n": 7, "predicted_n": 2 } }),
            Usage { cached: Some(7), ..known(10, 2) },
        ),
        // A text of five bytes, and what was asked.
        (json!({ "usage": {} }), Usage { estimated: true, ..known(73, 2) }),
        (json!({ "usage": "none" }), Usage { estimated: true, ..known(73, 2) }),
    ];
    for (piece, expected) in cases {
        let mut pieces = speech("Done.");
        pieces.insert(2, event(&piece));
        let server = Server::new(vec![stream(pieces)]);
        let (exchange, _) = ask(&server, request()).await;
        assert_eq!(reply(&exchange).usage, expected, "{piece}");
        server.finish();
    }
}

#[tokio::test]
async fn a_server_without_tools_is_asked_for_one_json_object() {
    let refused = json!({ "error": { "message": "tools param requires --jinja flag" } });
    let object = r#"{"tool": "read_file", "arguments": {"path": "a.py"}}"#;
    let server = Server::new(vec![
        Answer::Status(500, "", refused.to_string()),
        stream(speech(r#"{"tool": "begin", "arguments": {}}"#)),
        stream(speech(object)),
        stream(speech(r#"{"tool": "done", "arguments": {"note": "Written."}}"#)),
        stream(speech("I have nothing to add.")),
        stream(speech(r#"{"tool": "read_file", "argum"#)),
    ]);
    let endpoint = endpoint(&server).with_tools(ToolForm::Auto);
    let model = Openai::new(endpoint).unwrap();
    let (exchange, waits) = ask_model(&model, request()).await;
    assert_eq!(called(&said(&exchange)), ("call00001", "read_file", r#"{"path":"a.py"}"#));
    assert!(waits.is_empty(), "what can be asked otherwise is asked at once");
    let next = after_call(&request(), r#"{"path":"a.py"}"#, "x = 1");
    assert_eq!(said(&ask_model(&model, next.clone()).await.0), text("Written."));
    assert_eq!(said(&ask_model(&model, next.clone()).await.0), text("I have nothing to add."));
    assert!(matches!(said(&ask_model(&model, next).await.0), Said::Cut { .. }));
    let asked = server.finish();
    insta::assert_json_snapshot!(asked[3].body);
}

#[tokio::test]
async fn what_a_server_does_not_know_is_left_out_from_then_on() {
    let refused = |told: &str| {
        let body = json!({ "error": { "message": told, "type": "invalid_request_error" } });
        Answer::Status(400, "content-type: application/json\r\n", body.to_string())
    };
    let server = Server::new(vec![
        refused("Unrecognized request argument supplied: stream_options"),
        refused("Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead."),
        refused("Unsupported value: 'temperature' does not support 0.2 with this model."),
        refused("Unknown parameter: 'parallel_tool_calls'."),
        stream(speech("Done.")),
        stream(speech("Again.")),
    ]);
    let model = Openai::new(endpoint(&server)).unwrap();
    let (exchange, waits) = ask_model(&model, request()).await;
    assert_eq!((said(&exchange), waits), (text("Done."), vec![]));
    assert_eq!(exchange.faults, []);
    assert_eq!(said(&ask_model(&model, request()).await.0), text("Again."));
    let last = server.finish().pop().unwrap().body;
    let mut names: Vec<_> = last.as_object().unwrap().keys().map(String::as_str).collect();
    names.sort_unstable();
    assert_eq!(names, ["max_completion_tokens", "messages", "model", "stream", "tools"]);
}

#[tokio::test]
async fn a_stream_that_loses_its_calls_is_asked_for_in_one_piece() {
    let call = json!({ "id": "x", "function": { "name": "read_file", "arguments": "{}" } });
    let server = Server::new(vec![
        stream([delta(&json!({ "content": "" })), finish("tool_calls"), done()]),
        whole(&json!({ "tool_calls": [call] })),
    ]);
    let (exchange, _) = ask(&server, request()).await;
    assert_eq!(called(&said(&exchange)).1, "read_file");
    let asked = server.finish();
    assert_eq!(asked[1].body.get("stream"), None);
}

#[tokio::test]
async fn whether_a_model_calls_tools_is_tried_once() {
    let begin = json!({ "id": "x", "function": { "name": "begin", "arguments": "{}" } });
    let begins = || stream([delta(&json!({ "tool_calls": [begin] })), finish("tool_calls")]);
    let speaks = || stream(speech("Very well."));
    for (trial, native) in [(begins(), true), (speaks(), false)] {
        let server = Server::new(vec![trial, speaks(), speaks()]);
        let model = Openai::new(endpoint(&server).with_tools(ToolForm::Auto)).unwrap();
        let (exchange, _) = ask_model(&model, request()).await;
        let usage = reply(&exchange).usage;
        ask_model(&model, request()).await;
        let asked = server.finish();
        assert_eq!(asked[0].body["max_tokens"], 128);
        for asked in &asked[1..] {
            assert_eq!(asked.body.get("tools").is_some(), native, "{}", asked.body);
            assert_eq!(asked.body.get("response_format").is_some(), !native);
        }
        assert!(usage.estimated && usage.prompt > Some(73), "{usage:?} holds the trial");
    }
}
