"""Draws a recorded terminal session as an SVG: text in, colours kept, nothing invented.

Long parts of a screen are left out where CUTS says so, and the picture says that they are.

Usage: picture.py RECORDING SVG
"""

import html
import re
import sys
import unicodedata

WIDTH = 92
CELL, LINE, TOP = 7.8, 17, 46
COLOURS = {
    30: "#5c6370", 31: "#e06c75", 32: "#98c379", 33: "#e5c07b",
    34: "#61afef", 35: "#c678dd", 36: "#56b6c2", 37: "#dcdfe4",
    90: "#7f848e", 91: "#e06c75", 92: "#98c379", 93: "#e5c07b",
    94: "#61afef", 95: "#c678dd", 96: "#56b6c2", 97: "#ffffff",
}
ESCAPE = re.compile(r"\x1b\[([0-9;?]*)([A-Za-z])|\x1b\][^\x07]*\x07|\x1b[()][A-Z0-9]")
# What a run shows as progress is overwritten before it ends; the picture shows what stays.
PROGRESS = re.compile(r"[^\n]*\r(?!\n)")


# From the line after one that begins like the first, to the line before one that begins like the
# second.
CUTS = (
    ("capacity that drops", "A file to start from"),
    ("                ^ call", "💬 Feedback"),
    ("Rule: ", "# A second try"),
    ("$ vosimctl status", "$ vosimctl end"),
)


def cut(lines):
    out, until = [], None
    for line in lines:
        plain = ESCAPE.sub("", line)
        if until and plain.startswith(until):
            out += ["", line]
            until = None
        elif not until:
            out.append(line)
            for first, last in CUTS:
                if plain.startswith(first):
                    until = last
                    out += ["", "\x1b[2m      […]\x1b[0m"]
    return out


def cells(text):
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


def spans(line, style):
    """Splits a line into (text, style) at its escape sequences; the style goes on behind it."""
    out, at = [], 0
    for found in ESCAPE.finditer(line):
        if found.start() > at:
            out.append((line[at:found.start()], dict(style)))
        at = found.end()
        if found.group(2) == "m":
            for code in (int(c or 0) for c in (found.group(1) or "0").split(";")):
                if code == 0:
                    style.clear()
                elif code == 1:
                    style["bold"] = True
                elif code == 2:
                    style["dim"] = True
                elif code == 39:
                    style.pop("colour", None)
                elif code in (22,):
                    style.pop("bold", None), style.pop("dim", None)
                elif code in COLOURS:
                    style["colour"] = COLOURS[code]
    if at < len(line):
        out.append((line[at:], dict(style)))
    return out


def read(path):
    text = open(path, encoding="utf-8", errors="replace", newline="").read()
    text = "\n".join(l for l in text.split("\n") if not l.startswith("Script "))
    text = text.replace("\r\n", "\n")
    text = re.sub(r"\x1b\[[0-9]*[JK]", "", PROGRESS.sub("", text))
    return text.strip("\n").split("\n")


def draw(lines):
    height = TOP + LINE * len(lines) + 16
    width = WIDTH * CELL + 32
    yield (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height}" '
        f'viewBox="0 0 {width:.0f} {height}" role="img" '
        'xml:space="preserve" aria-label="A whole LRU Cache interview with vosimctl in a terminal">'
    )
    yield (
        "<style>text{font:13px ui-monospace,'DejaVu Sans Mono',Menlo,Consolas,monospace;"
        "white-space:pre;fill:#dcdfe4}</style>"
    )
    yield f'<rect width="{width:.0f}" height="{height}" rx="8" fill="#1e2127"/>'
    for x, colour in ((18, "#e06c75"), (38, "#e5c07b"), (58, "#98c379")):
        yield f'<circle cx="{x}" cy="18" r="6" fill="{colour}"/>'
    style = {}
    for row, line in enumerate(lines):
        column = 0
        for text, look in spans(line, style):
            kept = text.rstrip() if not text.strip() else text
            if kept:
                rules = []
                if look.get("colour"):
                    rules.append(f'fill:{look["colour"]}')
                if look.get("bold"):
                    rules.append("font-weight:bold")
                if look.get("dim"):
                    rules.append("opacity:.65")
                # A style attribute: the sheet's own rules are stronger than plain attributes.
                attributes = f' style="{";".join(rules)}"' if rules else ""
                x, y = 16 + column * CELL, TOP + row * LINE
                length = cells(kept) * CELL
                yield (
                    f'<text x="{x:.1f}" y="{y}" textLength="{length:.1f}"{attributes}>'
                    f"{html.escape(kept)}</text>"
                )
            column += cells(text)
    yield "</svg>"


def main():
    recording, target = sys.argv[1:3]
    lines = cut(read(recording))
    with open(target, "w", encoding="utf-8") as out:
        out.write("\n".join(draw(lines)) + "\n")


main()
