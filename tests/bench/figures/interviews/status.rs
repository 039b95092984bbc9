//! A whole `vosimctl status` beside few and many live interviews.

use std::process::Stdio;

use super::super::table::{Bar, Series, Table};
use super::POPULATIONS;
use super::crowd::Crowd;

const TURNS: usize = 150;

pub(super) fn measure(table: &Table, crowds: Vec<Crowd>) {
    let alone = Crowd::alone();
    let mut base = Series::new("1");
    let populations = table.numbers(POPULATIONS);
    let mut others = populations.map(|n| Series::new(&n.to_string()));
    for _ in 0..table.turns(TURNS) {
        ask(&alone, &mut base);
        for (crowd, series) in crowds.iter().zip(&mut others) {
            ask(crowd, series);
        }
    }
    for (n, series) in populations.iter().zip(&others) {
        let name = format!("vosimctl status beside {n} interviews against 1");
        table.ratio(&name, series, &base, Bar::AtMost(1.1, ""));
    }
}

fn ask(crowd: &Crowd, series: &mut Series) {
    let mut status = crowd.daemon.home().program("vosimctl");
    status.arg("status").stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    assert!(series.time(|| status.status().unwrap()).success());
}
