//! The timer on a clock and an alarm that the test moves.

use super::*;
use crate::clock::{ManualClock, SystemClock};
use alarm::{KernelAlarm, ManualAlarm};
use tokio::task::{JoinHandle, LocalSet};
use uuid::Uuid;

const SECOND: i64 = 1_000_000;

fn noon() -> Time {
    "2026-03-01T12:00:00Z".parse().unwrap()
}

fn session(n: u128) -> SessionId {
    SessionId(Uuid::from_u128(n))
}

/// A running timer of which the first offset has been saved.
struct Bench {
    clock: ManualClock,
    timer: Timer,
    wakes: mpsc::Receiver<Wake>,
    armed: tokio::sync::watch::Receiver<Option<Time>>,
    task: JoinHandle<()>,
}

impl Bench {
    async fn new() -> Self {
        let mut bench = Self::start(ManualClock::new(noon(), "boot-1"), None);
        assert!(matches!(bench.wake().await, Wake::Save(_)));
        bench
    }

    fn start(clock: ManualClock, saved: Option<SavedClock>) -> Self {
        let timer = Timer::new(Arc::new(clock.clone()), saved);
        let alarm = ManualAlarm::new(&clock);
        let armed = alarm.armed();
        let (sink, wakes) = mpsc::channel(4);
        let task = tokio::task::spawn_local(timer.clone().run(alarm, sink));
        Self { clock, timer, wakes, armed, task }
    }

    async fn wake(&mut self) -> Wake {
        self.wakes.recv().await.expect("the timer runs")
    }

    /// The next wake is this deadline.
    async fn expect_due(&mut self, n: u128, deadline: Time) {
        match self.wake().await {
            Wake::Due(due) => assert_eq!(due, Due { deadline, session: session(n) }),
            other => panic!("{other:?}"),
        }
    }

    /// The wakes of one step, told at once; what each session does about it is `adjust`.
    async fn expect_step(&mut self, sequence: u64, step_micros: i64, adjust: impl Fn(&Timer)) {
        assert!(matches!(self.wake().await, Wake::Save(saved) if saved.pending.len() == 1));
        match self.wake().await {
            Wake::ClockStep { step, told } => {
                assert_eq!(step, ClockStep { sequence, step_micros });
                adjust(&self.timer);
                told.send(()).unwrap();
            }
            other => panic!("{other:?}"),
        }
        assert!(matches!(self.wake().await, Wake::Save(saved) if saved.pending.is_empty()));
    }

    /// The timer waits, with its alarm at this time and nothing more to tell.
    async fn expect_armed(&mut self, at: Option<Time>) {
        self.armed.wait_for(|armed| *armed == at).await.unwrap();
        assert!(self.wakes.try_recv().is_err());
    }
}

/// Runs a test on one thread as the daemon does, with tokio's own clock standing still.
fn on_one_thread(test: impl Future<Output = ()>) {
    let mut builder = tokio::runtime::Builder::new_current_thread();
    let runtime = builder.enable_all().start_paused(true).build().unwrap();
    LocalSet::new().block_on(&runtime, test);
}

#[test]
fn deadlines_fire_in_order_of_time_then_session() {
    on_one_thread(async {
        let mut bench = Bench::new().await;
        let at = noon().plus_secs(10);
        bench.timer.set(session(2), Some(at));
        bench.timer.set(session(3), Some(noon().plus_secs(5)));
        bench.timer.set(session(1), Some(at));
        bench.expect_armed(Some(noon().plus_secs(5))).await;
        bench.clock.advance(20 * SECOND);
        bench.expect_due(3, noon().plus_secs(5)).await;
        bench.expect_due(1, at).await;
        bench.expect_due(2, at).await;
        bench.expect_armed(None).await;
        assert!(bench.timer.is_empty());
    });
}

#[test]
fn a_deadline_fires_neither_early_nor_twice() {
    on_one_thread(async {
        let mut bench = Bench::new().await;
        let at = noon().plus_secs(10);
        bench.timer.set(session(1), Some(at));
        bench.clock.advance(10 * SECOND - 1);
        bench.expect_armed(Some(at)).await;
        bench.clock.advance(1);
        bench.expect_due(1, at).await;
        bench.clock.advance(3_600 * SECOND);
        bench.expect_armed(None).await;
    });
}

#[test]
fn a_deadline_that_is_set_anew_or_taken_away_does_not_fire_at_its_old_time() {
    on_one_thread(async {
        let mut bench = Bench::new().await;
        bench.timer.set(session(1), Some(noon().plus_secs(5)));
        bench.timer.set(session(2), Some(noon().plus_secs(5)));
        bench.timer.set(session(1), Some(noon().plus_secs(50)));
        bench.timer.set(session(2), None);
        bench.clock.advance(6 * SECOND);
        bench.expect_armed(Some(noon().plus_secs(50))).await;
        assert_eq!(bench.timer.len(), 1);
    });
}

#[test]
fn an_earlier_deadline_sets_the_alarm_anew() {
    on_one_thread(async {
        let mut bench = Bench::new().await;
        bench.timer.set(session(1), Some(noon().plus_secs(50)));
        bench.expect_armed(Some(noon().plus_secs(50))).await;
        bench.timer.set(session(2), Some(noon().plus_secs(5)));
        bench.expect_armed(Some(noon().plus_secs(5))).await;
    });
}

#[test]
fn a_deadline_in_the_past_fires_at_once_with_its_own_time() {
    on_one_thread(async {
        let mut bench = Bench::new().await;
        let at = noon().plus_secs(-2_400);
        bench.timer.set(session(1), Some(at));
        bench.expect_due(1, at).await;
    });
}

#[test]
fn a_session_may_set_its_next_deadline_while_the_timer_waits_to_tell_others() {
    on_one_thread(async {
        let mut bench = Bench::new().await;
        for n in 0..16 {
            bench.timer.set(session(n), Some(noon().plus_secs(1)));
        }
        bench.clock.advance(SECOND);
        for n in 0..16 {
            bench.expect_due(n, noon().plus_secs(1)).await;
            bench.timer.set(session(n), Some(noon().plus_secs(2)));
        }
        bench.expect_armed(Some(noon().plus_secs(2))).await;
        assert_eq!(bench.timer.len(), 16);
    });
}

// DESIGN 4: a step neither steals nor gives time.
#[test]
fn a_step_forward_is_told_before_anything_fires_and_nothing_fires_that_moved_with_it() {
    on_one_thread(async {
        let mut bench = Bench::new().await;
        let at = noon().plus_secs(600);
        bench.timer.set(session(1), Some(at));
        bench.expect_armed(Some(at)).await;
        bench.clock.step(3_600 * SECOND);
        let moved = at.plus_secs(3_600);
        bench.expect_step(1, 3_600 * SECOND, |timer| timer.set(session(1), Some(moved))).await;
        bench.expect_armed(Some(moved)).await;
        bench.clock.advance(600 * SECOND);
        bench.expect_due(1, moved).await;
    });
}

#[test]
fn a_step_back_brings_a_deadline_that_moved_with_it_nearer() {
    on_one_thread(async {
        let mut bench = Bench::new().await;
        let at = noon().plus_secs(600);
        bench.timer.set(session(1), Some(at));
        bench.expect_armed(Some(at)).await;
        bench.clock.step(-3_600 * SECOND);
        let moved = at.plus_secs(-3_600);
        bench.expect_step(1, -3_600 * SECOND, |timer| timer.set(session(1), Some(moved))).await;
        bench.expect_armed(Some(moved)).await;
    });
}

#[test]
fn nothing_fires_until_all_sessions_know_of_a_step() {
    on_one_thread(async {
        let mut bench = Bench::new().await;
        bench.timer.set(session(1), Some(noon().plus_secs(1)));
        bench.clock.step(3_600 * SECOND);
        assert!(matches!(bench.wake().await, Wake::Save(_)));
        let Wake::ClockStep { told, .. } = bench.wake().await else { panic!("a step") };
        for _ in 0..100 {
            tokio::task::yield_now().await;
        }
        assert!(bench.wakes.try_recv().is_err());
        drop(told);
        assert!(matches!(bench.wake().await, Wake::Save(_)));
        bench.expect_due(1, noon().plus_secs(1)).await;
    });
}

#[test]
fn whoever_looks_first_learns_of_a_step_and_the_timer_tells_the_others() {
    on_one_thread(async {
        let mut bench = Bench::new().await;
        bench.expect_armed(None).await;
        bench.clock.step(60 * SECOND);
        let look = bench.timer.look();
        assert_eq!(look.at, noon().plus_secs(60));
        assert_eq!(look.steps, [ClockStep { sequence: 1, step_micros: 60 * SECOND }]);
        bench.expect_step(1, 60 * SECOND, |_| ()).await;
        assert_eq!(bench.timer.look().steps, []);
    });
}

#[test]
fn a_step_that_a_crash_left_untold_is_told_at_the_next_start() {
    on_one_thread(async {
        let mut bench = Bench::new().await;
        bench.clock.step(60 * SECOND);
        let Wake::Save(saved) = bench.wake().await else { panic!("kept before it is told") };
        bench.task.abort();
        let mut next = Bench::start(bench.clock.clone(), Some(saved));
        let Wake::ClockStep { step, told } = next.wake().await else { panic!("a step") };
        assert_eq!(step, ClockStep { sequence: 1, step_micros: 60 * SECOND });
        told.send(()).unwrap();
        assert!(matches!(next.wake().await, Wake::Save(saved) if saved.pending.is_empty()));
        next.expect_armed(None).await;
    });
}

#[test]
fn a_suspend_is_told_and_deadlines_passed_in_it_fire() {
    on_one_thread(async {
        let mut bench = Bench::new().await;
        let at = noon().plus_secs(600);
        bench.timer.set(session(1), Some(at));
        bench.expect_armed(Some(at)).await;
        bench.clock.suspend(3_600 * SECOND);
        assert!(matches!(bench.wake().await, Wake::Suspended(3_600_000_000)));
        bench.expect_due(1, at).await;
    });
}

#[test]
fn ten_thousand_deadlines_fire_in_order() {
    on_one_thread(async {
        let mut bench = Bench::new().await;
        // 7,919 shares no factor with 10,000, so every second is taken once.
        for n in 0..10_000_u128 {
            let secs = i64::try_from(n * 7_919 % 10_000).unwrap();
            bench.timer.set(session(n), Some(noon().plus_secs(1 + secs)));
        }
        bench.clock.advance(20_000 * SECOND);
        for secs in 0..10_000 {
            let Wake::Due(due) = bench.wake().await else { panic!("a deadline") };
            assert_eq!(due.deadline, noon().plus_secs(1 + secs));
        }
        assert!(bench.timer.is_empty());
    });
}

/// Never rings, as if every wake-up were lost.
struct DeafAlarm;

impl Alarm for DeafAlarm {
    fn arm(&mut self, _at: Option<Time>) -> std::io::Result<()> {
        Ok(())
    }

    async fn ring(&mut self) -> std::io::Result<Ring> {
        std::future::pending().await
    }
}

/// Cannot be set.
struct BrokenAlarm;

impl Alarm for BrokenAlarm {
    fn arm(&mut self, _at: Option<Time>) -> std::io::Result<()> {
        Err(std::io::ErrorKind::Unsupported.into())
    }

    async fn ring(&mut self) -> std::io::Result<Ring> {
        Err(std::io::ErrorKind::Unsupported.into())
    }
}

async fn fires_with(alarm: impl Alarm + 'static, within: Duration) {
    let clock = ManualClock::new(noon(), "boot-1");
    let timer = Timer::new(Arc::new(clock.clone()), None);
    let (sink, mut wakes) = mpsc::channel(4);
    let _task = tokio::task::spawn_local(timer.clone().run(alarm, sink));
    assert!(matches!(wakes.recv().await, Some(Wake::Save(_))));
    timer.set(session(1), Some(noon().plus_secs(1)));
    tokio::task::yield_now().await;
    clock.advance(SECOND);
    // tokio's clock is paused and jumps to the timer's next look.
    let wake = tokio::time::timeout(within, wakes.recv()).await.unwrap();
    assert!(matches!(wake, Some(Wake::Due(_))));
}

#[test]
fn a_lost_wake_up_costs_15_seconds_at_most() {
    on_one_thread(fires_with(DeafAlarm, Duration::from_secs(16)));
}

#[test]
fn without_a_working_alarm_the_clock_is_looked_at_every_second() {
    on_one_thread(fires_with(BrokenAlarm, Duration::from_secs(3)));
}

#[test]
fn the_task_ends_when_nobody_receives_its_wakes() {
    on_one_thread(async {
        let bench = Bench::new().await;
        drop(bench.wakes);
        bench.task.await.unwrap();
    });
}

/// The real clock and the kernel's alarm, for tens of milliseconds.
#[tokio::test]
async fn the_kernel_rings_on_time() {
    let clock = Arc::new(SystemClock::new());
    let timer = Timer::new(clock.clone(), None);
    let (sink, mut wakes) = mpsc::channel(4);
    let run = timer.clone().run(KernelAlarm::new().unwrap(), sink);
    let listen = async {
        assert!(matches!(wakes.recv().await, Some(Wake::Save(_))));
        let deadline = clock.now().time.plus_micros(30_000);
        timer.set(session(1), Some(deadline));
        let Some(Wake::Due(due)) = wakes.recv().await else { panic!("a deadline") };
        let late = clock.now().time.micros_since(due.deadline);
        assert!((0..5 * SECOND).contains(&late), "{late} us after the deadline");
        drop(wakes);
    };
    tokio::join!(run, listen);
}

#[tokio::test]
async fn the_kernels_alarm_can_be_set_anew_after_it_rang_and_takes_any_time() {
    let mut alarm = KernelAlarm::new().unwrap();
    for _ in 0..3 {
        for at in [-1_000_000_000_000_000, -1, 0, 1] {
            alarm.arm(Some(Time::from_micros(at))).unwrap();
            let ring = tokio::time::timeout(Duration::from_secs(10), alarm.ring()).await;
            assert_eq!(ring.unwrap().unwrap(), Ring::Expired, "{at}");
        }
    }
    alarm.arm(None).unwrap();
    alarm.arm(Some(Time::from_micros(i64::MAX))).unwrap();
    let quiet = tokio::time::timeout(Duration::from_millis(20), alarm.ring()).await;
    assert!(quiet.is_err());
}
