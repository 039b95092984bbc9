//! The same as one page for a browser.

use maud::{Markup, html};
use vosim_protocol::v1::report::Report;

use super::{Cells, Table, cells, heading, tables};
use crate::render::look::Look;
use crate::render::report::html::framed;
use crate::render::text::clean_text as clean;

/// The whole page.
pub(crate) fn page(reports: &[Report], omitted: usize, look: &Look) -> String {
    let tables = tables(reports);
    let body = html! {
        section aria-labelledby="sessions" {
            h2 #sessions { (heading(reports.len(), omitted)) }
            @if reports.is_empty() {
                p { "No session about a problem has ended yet." }
            } @else {
                (sessions(reports, look))
            }
        }
        @if !tables.is_empty() {
            section aria-labelledby="halves" {
                h2 #halves { "The earlier half and the later one" }
                @for table in &tables { (compared(table)) }
            }
        }
    };
    framed("Progress", &html! { h1 { "Progress" } }, &html! {}, &body, "the logs of these sessions")
}

fn sessions(reports: &[Report], look: &Look) -> Markup {
    html! {
        table {
            caption { "How each session came out" }
            thead {
                tr {
                    th scope="col" { "Session" }
                    th scope="col" { "Began" }
                    th scope="col" { "Kind" }
                    th scope="col" { "Problem" }
                    th scope="col" { "Outcome" }
                    th scope="col" { "First pass after" }
                    th scope="col" { "Heard" }
                }
            }
            tbody {
                @for report in reports {
                    @let Cells { when, kind, title, outcome, first_pass, heard, session }
                        = cells(report, look);
                    tr {
                        th scope="row" { (session) }
                        td { (when) }
                        td { (kind) }
                        td { (clean(&title)) }
                        td { (outcome) }
                        td { (first_pass.unwrap_or_else(|| "no pass".to_owned())) }
                        td { (heard.unwrap_or_else(|| "no interview".to_owned())) }
                    }
                }
            }
        }
    }
}

fn compared(table: &Table) -> Markup {
    html! {
        table {
            caption { (table.title) }
            thead {
                tr { th scope="col" { "What" } th scope="col" { "Earlier" } th scope="col" { "Later" } }
            }
            tbody {
                @for row in &table.rows {
                    tr { th scope="row" { (clean(&row.name)) } td { (row.earlier) } td { (row.later) } }
                }
            }
        }
    }
}
