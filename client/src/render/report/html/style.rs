//! How the page looks: light and dark, on a screen and on paper, in the reader's own fonts.

/// Nothing in it is asked of anybody.
pub(super) const STYLE: &str = "
:root { color-scheme: light dark; --ground: #ffffff; --text: #1b1b1b; --dim: #555555; --line: #c4c4c4;
  --soft: #f3f3f3; --good: #0b6b2e; --bad: #a11212; --warn: #7a5200; --link: #0645ad; }
@media (prefers-color-scheme: dark) {
  :root { --ground: #14161a; --text: #e8e8e8; --dim: #b4b4b4; --line: #4a4d55; --soft: #1f2228;
    --good: #7fd89a; --bad: #ff9d94; --warn: #f0c674; --link: #9ecbff; } }
body { margin: 0 auto; max-width: 60rem; padding: 1rem; background: var(--ground); color: var(--text);
  font: 1rem/1.5 system-ui, sans-serif; }
a { color: var(--link); }
.skip { position: absolute; left: -100rem; }
.skip:focus { position: static; }
h1, h2, h3, h4 { line-height: 1.25; }
h2 { border-bottom: 1px solid var(--line); margin-top: 2.5rem; }
h4 { margin: 1.25rem 0 0.25rem; font-size: 1rem; }
nav ul { display: flex; flex-wrap: wrap; gap: 0.5rem 1.5rem; list-style: none; padding: 0; }
dl { margin: 0.25rem 0 1rem; }
dl div { display: flex; flex-wrap: wrap; gap: 0 0.75rem; margin: 0.25rem 0; }
dt { color: var(--dim); min-width: 9rem; }
dd { margin: 0; flex: 1 1 20rem; }
table { border-collapse: collapse; width: 100%; }
caption { text-align: left; font-weight: bold; padding: 0.5rem 0; }
th, td { text-align: left; vertical-align: top; padding: 0.25rem 0.75rem 0.25rem 0;
  border-bottom: 1px solid var(--line); }
.text { white-space: pre-wrap; overflow-wrap: anywhere; }
.time, .events-of { color: var(--dim); }
.good { color: var(--good); } .bad { color: var(--bad); } .warn { color: var(--warn); }
.next li, .steps li { margin: 0.5rem 0; } .next p { margin: 0.25rem 0; }
pre { background: var(--soft); padding: 0.75rem; white-space: pre-wrap; overflow-wrap: anywhere;
  font: 0.875rem/1.4 ui-monospace, monospace; }
del { color: var(--bad); text-decoration: none; } ins { color: var(--good); text-decoration: none; }
.gap { color: var(--dim); }
svg { width: 100%; height: auto; }
svg text { fill: var(--text); font: 12px system-ui, sans-serif; }
svg .axis { stroke: var(--line); fill: none; } svg .curve { stroke: var(--link); fill: none; }
svg .bar { fill: var(--soft); stroke: var(--line); } svg .mark { fill: var(--link); }
svg .pass { fill: var(--good); } svg .fail { stroke: var(--bad); fill: none; stroke-width: 2; }
:target { background: var(--soft); }
@media print { nav, .skip { display: none; } body { max-width: none; font-size: 10pt; }
  h2, h3, h4 { break-after: avoid; } tr, .dimension, .next li { break-inside: avoid; } }
";
