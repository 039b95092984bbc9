//! From a save to its verdict: `vosimctl test --watch` on a file that is saved again and again, right
//! and wrong in turn, each as an editor does that renames and each as one that writes in place.

use std::fs;

use vosim_tests::{CORRECT, TestDaemon, WRONG};

use super::quiet::wait_until_quiet;
use super::table::{Bar, Series, Table};

const SAVES: usize = 100;
/// Waiting drivers of the language, as by default.
const WARM: usize = 2;

pub(crate) fn measure(table: &Table) {
    let daemon = TestDaemon::start();
    daemon.ctl("start --no-file").ok();
    let path = daemon.home().file("a.py", CORRECT.text());
    let mut watch = daemon.command(["test", "--watch", "a.py"]).spawn();
    watch.stdout.wait_for(|line| line.contains("Passed: "));
    let mut series = Series::new("save to verdict");
    for turn in 0..table.turns(SAVES) {
        wait_until_quiet(daemon.pid(), WARM);
        let (program, verdict) = match turn % 2 {
            0 => (WRONG, "Failed: "),
            _ => (CORRECT, "Passed: "),
        };
        let text = format!("{}# save {turn}\n", program.text());
        series.time(|| {
            if turn % 4 < 2 {
                fs::write(&path, &text).unwrap();
            } else {
                let beside = path.with_extension("tmp");
                fs::write(&beside, &text).unwrap();
                fs::rename(&beside, &path).unwrap();
            }
            watch.stdout.wait_for(|line| line.contains(verdict));
        });
    }
    watch.interrupt();
    table.quantile("a save to its verdict, p50", &series, 50, Bar::AtMost(100.0, " ms"));
    table.quantile("a save to its verdict, p99", &series, 99, Bar::Told);
}
