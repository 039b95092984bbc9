//! What the loop of a task takes of an iteration beside its model and its tests.

use std::time::Duration;

use serde_json::json;
use vosim_protocol::v1::service::{Create, CreateParams};
use vosim_protocol::v1::task::{IterationEnded, State};
use vosim_protocol::{EventId, Kind, Wire as _};
use vosim_tests::{TestDaemon, new_session};

use super::table::{Bar, Series, Table};

const LOOP: &str = "a task's iteration without model and tests";
const LONGEST_MS: f64 = 20.0;

pub(crate) fn measure(table: &Table) {
    let daemon = TestDaemon::start();
    let mut wire = daemon.wire();
    let session_id = new_session();
    // A script is no model: what it says is there at once.
    let (script, end) = match table.turns(15) {
        15 => ("never", "TASK_FAILED"),
        _ => ("fixes", "TASK_SUCCEEDED"),
    };
    let model = json!({ "sort": "script", "name": script });
    let args = json!({ "task": "Write total(numbers) in main.py", "model": model });
    let create = CreateParams { session_id, kind: Kind::Task, beside: true, args };
    wire.ask::<Create>(&create).unwrap();
    wire.subscribe(session_id, EventId::ZERO);
    let mut loops = Series::new("loop");
    loop {
        let record = wire.event();
        match record.event_type.as_str() {
            "ITERATION_ENDED" => {
                let ended = IterationEnded::from_json(record.payload).unwrap();
                // The scan and the tests are in TESTING, with the step that leads to them.
                let states = ended.states.iter();
                let loops_in =
                    states.filter(|it| matches!(it.state, State::Coding | State::Reflecting));
                loops.take(Duration::from_millis(loops_in.map(|it| it.duration_ms).sum()));
            }
            "STATE_CHANGED" if record.payload["to"] == "PAUSED" => {
                return table.skipped(LOOP, "no test can be run here");
            }
            other if other == end => break,
            _ => {}
        }
    }
    table.quantile(LOOP, &loops, 50, Bar::AtMost(LONGEST_MS, " ms"));
}
