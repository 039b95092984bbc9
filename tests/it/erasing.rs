//! What is erased stays erased, whoever looks at it meanwhile; streams are told when they end.

use std::sync::atomic::{AtomicBool, Ordering};

use vosim_protocol::hello::VersionRange;
use vosim_protocol::v1::service::{
    DeleteParams, DeleteWhat, DoParams, END, EVENT, EndNotice, EndReason, List, ListParams,
    Shutdown, Status, View, ViewParams,
};
use vosim_protocol::{Blob, ErrorCode, EventId, Json, Wire as _};
use vosim_tests::{TestDaemon, command, params};

#[test]
fn a_session_that_is_looked_at_while_it_is_erased_stays_erased() {
    let daemon = TestDaemon::start();
    let mut wire = daemon.wire();
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| {
                let mut wire = daemon.wire();
                while !done.load(Ordering::Relaxed) {
                    let sessions = wire.ask::<List>(&ListParams::default()).unwrap().sessions;
                    for head in sessions {
                        let session = Some(head.session_id.to_string());
                        // It may have gone since.
                        wire.ask::<View>(&ViewParams { session, ..ViewParams::default() }).ok();
                    }
                }
            });
        }
        for _ in 0..30 {
            let session = wire.start_drill().to_string();
            let params = DeleteParams { session, what: DeleteWhat::Session };
            wire.ask::<vosim_protocol::v1::service::Delete>(&params).unwrap();
        }
        done.store(true, Ordering::Relaxed);
    });
    assert_eq!(wire.ask::<List>(&ListParams::default()).unwrap().sessions, []);
}

#[test]
fn a_stream_is_told_where_to_go_on_from_when_the_daemon_goes_down() {
    let mut daemon = TestDaemon::start();
    let mut wire = daemon.wire();
    let session = wire.start_drill();
    wire.subscribe(session, EventId::ZERO);
    assert!(daemon.stop().success());
    let mut notice = wire.notice();
    while notice.method == EVENT {
        notice = wire.notice();
    }
    assert_eq!(notice.method, END);
    let end = EndNotice::from_json(notice.params).unwrap();
    assert_eq!((end.reason, end.resume_from), (EndReason::Shutdown, EventId(2)));
}

#[test]
fn a_client_of_any_version_can_see_and_end_the_daemon() {
    let mut daemon = TestDaemon::start();
    let mut wire = daemon.raw();
    let refused = wire.hello(VersionRange(7, 9)).unwrap_err();
    assert_eq!(refused.code, ErrorCode::ProtocolMismatch);
    assert!(wire.ask::<Status>(&Default::default()).unwrap().pid > 0);
    let other = wire.ask::<List>(&ListParams::default()).unwrap_err();
    assert_eq!(other.code, ErrorCode::HelloRequired);
    let mut wire = daemon.raw();
    wire.hello(VersionRange(7, 9)).unwrap_err();
    wire.ask::<Shutdown>(&Default::default()).unwrap();
    assert!(daemon.wait().success());
}

#[test]
fn bytes_that_no_command_names_are_refused() {
    let daemon = TestDaemon::start();
    let mut wire = daemon.wire();
    let session = wire.start_drill();
    let blobs = vec![Blob(b"nobody asked".to_vec())];
    let params = DoParams { blobs, ..params(session, command(), Json::Null) };
    assert_eq!(wire.drill("end", &params).unwrap_err().code, ErrorCode::InvalidParams);
}
