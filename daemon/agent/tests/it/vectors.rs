//! Vectors that a server makes, for the memory of tasks; and what becomes of memory without them.

use serde_json::json;
use vosim_agent::memory::{Memory, Vector, served};

use super::server::{Answer, Server};
use super::support::{endpoint, endpoint_with_key};

fn rows(rows: &[serde_json::Value]) -> Answer {
    Answer::Status(200, "", json!({ "data": rows }).to_string())
}

#[test]
fn each_text_gets_its_own_vector_whatever_order_they_come_in() {
    let server = Server::new(vec![
        rows(&[
            json!({ "index": 1, "embedding": [0.0, 1.0] }),
            json!({ "index": 0, "embedding": [1.0, 0.0] }),
        ]),
        rows(&[json!({ "embedding": [0.5, 0.5] })]),
    ]);
    let key = "sk-canary-vectors-77";
    let mut embedder = served(Ok(endpoint_with_key(&server, key)));
    assert_eq!(embedder.id().to_string(), "served-1-small");
    let of = |numbers: &[f32]| Vector::from_floats(numbers).unwrap();
    let long = "ä".repeat(5_000);
    let vectors = embedder.embed(&["one", &long]).unwrap();
    assert_eq!(vectors, [of(&[1.0, 0.0]), of(&[0.0, 1.0])]);
    assert_eq!(embedder.embed(&["three"]).unwrap(), [of(&[1.0, 1.0])]);
    let asked = server.finish();
    assert_eq!(
        (asked[0].path.as_str(), &asked[0].body["model"]),
        ("/v1/embeddings", &"small".into())
    );
    assert_eq!(asked[0].authorization, Some(format!("Bearer {key}")));
    let sent = asked[0].body["input"][1].as_str().unwrap();
    assert!(long.starts_with(sent) && sent.len() == 2_000, "{}", sent.len());
}

#[test]
fn whatever_else_comes_is_told_without_the_key_and_words_are_compared() {
    let key = "sk-canary-vectors-77";
    let refused = json!({ "error": { "message": format!("no such model for {key}") } });
    let cases = [
        (Answer::Status(404, "", refused.to_string()), "no such model"),
        (Answer::Status(200, "", "{".to_owned()), "what the server sent is no reply"),
        (rows(&[]), "another number of vectors than texts"),
        (rows(&[json!({ "index": 7, "embedding": [1.0] })]), "another number of vectors"),
        (rows(&[json!({ "embedding": [0.0, 0.0] })]), "a vector without a direction"),
        (Answer::Broken(Vec::new()), ""),
    ];
    for (answer, told) in cases {
        let server = Server::new(vec![answer]);
        let mut embedder = served(Ok(endpoint_with_key(&server, key)));
        let fault = embedder.embed(&["one"]).unwrap_err().to_string();
        assert!(fault.contains(told) && !fault.contains("canary"), "{fault}");
        server.finish();
    }
    // A task is told and goes on; so it does where the settings name no server.
    let dir = tempfile::tempdir().unwrap();
    let server = Server::new(vec![Answer::Status(500, "", String::new())]);
    for (embedder, told) in [
        (served(Ok(endpoint(&server))), "served-1-small gives no vectors"),
        (served(Err("no model is configured".to_owned())), "the server gives no vectors"),
    ] {
        let mut memory = Memory::open(&dir.path().join("memory"), Some(embedder));
        assert!(!memory.catch_up(), "it is measured before it is used");
        let degraded = memory.take_degraded();
        assert!(degraded[0].to_string().starts_with(told), "{degraded:?}");
    }
    server.finish();
}
