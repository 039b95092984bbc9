"""Draws the pictures of the README from real runs: nothing in them is invented.

Programs run on a terminal of ours, whose cells are drawn as SVG, colours kept. Frames are drawn as lines and
each wide sign stands at its own place, so no picture depends on how wide a font draws an emoji. Long parts
of a run are left out, and the picture says that they are.

Usage: picture.py BINDIR FOLDER, which writes drill.svg and interview.svg there
"""

import fcntl
import html
import os
import pty
import re
import select
import shutil
import struct
import subprocess
import sys
import tempfile
import termios
import time
import unicodedata

LINES_MAX = 40
CELL, LINE, TOP, LEFT = 7.8, 17, 34, 16
FOREGROUND, BACKGROUND = "#dcdfe4", "#1e2127"
COLOURS = (
    "#5c6370", "#e06c75", "#98c379", "#e5c07b", "#61afef", "#c678dd", "#56b6c2", "#dcdfe4",
    "#7f848e", "#e06c75", "#98c379", "#e5c07b", "#61afef", "#c678dd", "#56b6c2", "#ffffff",
)
SEQUENCE = re.compile(
    r"\x1b\[(?P<args>[0-9;?>]*)(?P<last>[@-~])|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b[()][A-Z0-9]|\x1b[=>78]"
)
# How far each sign of a frame reaches from the middle of its cell: left, right, up, down.
FRAME = {
    "─": "lr", "│": "ud", "╭": "rd", "╮": "ld", "╰": "ru", "╯": "lu", "├": "rud", "┤": "lud",
}


class Cell:
    __slots__ = ("text", "style")

    def __init__(self, text=" ", style=()):
        self.text, self.style = text, style


class Screen:
    """The cells of a terminal, by what programs write to it."""

    def __init__(self, columns, rows):
        self.columns, self.rows = columns, rows
        self.row = self.column = 0
        self.style = {}
        self.rest = ""
        self.clear()

    def clear(self):
        self.cells = [[Cell() for _ in range(self.columns)] for _ in range(self.rows)]

    def write(self, text):
        text = self.rest + text
        at = 0
        while at < len(text):
            if text[at] == "\x1b":
                found = SEQUENCE.match(text, at)
                if not found:
                    if len(text) - at < 64:
                        break
                    at += 1
                    continue
                if found.group("last"):
                    self.control(found.group("args"), found.group("last"))
                at = found.end()
            else:
                self.sign(text[at])
                at += 1
        self.rest = text[at:]

    def sign(self, sign):
        if sign == "\r":
            self.column = 0
        elif sign == "\n":
            self.row = min(self.row + 1, self.rows - 1)
        elif sign == "\b":
            self.column = max(self.column - 1, 0)
        elif sign >= " ":
            self.put(sign)

    def put(self, sign):
        wide = width(sign)
        if wide == 0:
            self.cells[self.row][max(self.column - 1, 0)].text += sign
            return
        if self.column + wide > self.columns:
            self.column, self.row = 0, min(self.row + 1, self.rows - 1)
        style = tuple(sorted(self.style.items()))
        self.cells[self.row][self.column] = Cell(sign, style)
        for beside in range(self.column + 1, self.column + wide):
            self.cells[self.row][beside] = Cell("", style)
        self.column += wide

    def control(self, args, last):
        numbers = [int(n or 0) for n in args.split(";")] if args and args[0] not in "?>" else [0]
        first = numbers[0]
        if last in "Hf":
            self.row = min(max(first, 1), self.rows) - 1
            self.column = min(max((numbers + [1])[1] if len(numbers) > 1 else 1, 1), self.columns) - 1
        elif last == "A":
            self.row = max(self.row - max(first, 1), 0)
        elif last == "B":
            self.row = min(self.row + max(first, 1), self.rows - 1)
        elif last == "C":
            self.column = min(self.column + max(first, 1), self.columns - 1)
        elif last == "D":
            self.column = max(self.column - max(first, 1), 0)
        elif last == "G":
            self.column = max(first, 1) - 1
        elif last == "J" and first in (2, 3):
            self.clear()
        elif last == "J":
            self.erase(self.row, self.column)
            for row in range(self.row + 1, self.rows):
                self.erase(row, 0)
        elif last == "K":
            self.erase(self.row, 0 if first == 2 else self.column)
        elif last == "m":
            self.colour(numbers)

    def erase(self, row, column):
        self.cells[row][column:] = [Cell() for _ in range(self.columns - column)]

    def colour(self, codes):
        codes = list(codes)
        while codes:
            code = codes.pop(0)
            if code == 0:
                self.style = {}
            elif code in (1, 2, 7):
                self.style[{1: "bold", 2: "dim", 7: "reversed"}[code]] = True
            elif code == 22:
                self.style.pop("bold", None), self.style.pop("dim", None)
            elif code == 27:
                self.style.pop("reversed", None)
            elif 30 <= code <= 37 or 90 <= code <= 97:
                self.style["colour"] = code - 30 if code < 90 else code - 82
            elif code == 39:
                self.style.pop("colour", None)
            elif code in (38, 48) and codes[:1] == [5]:
                number = (codes + [0, 0])[1]
                del codes[:2]
                if code == 38 and number < 16:
                    self.style["colour"] = number

    def lines(self):
        """The rows down to the last one that is written on."""
        used = [row for row in range(self.rows) if text_of(self.cells[row])]
        return self.cells[: used[-1] + 1] if used else []


def width(sign):
    if unicodedata.combining(sign) or sign in "\u200d\ufe0f":
        return 0
    return 2 if unicodedata.east_asian_width(sign) in "WF" else 1


def text_of(cells):
    return "".join(cell.text for cell in cells).rstrip()


class Terminal:
    """A program on a terminal of its own."""

    def __init__(self, command, columns, rows, environment, folder):
        self.screen = Screen(columns, rows)
        self.master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        self.program = subprocess.Popen(
            command, stdin=slave, stdout=slave, stderr=slave, env=environment, cwd=folder,
            start_new_session=True,
        )
        os.close(slave)

    def read(self, within):
        """Takes what comes within so many seconds; False once nobody writes any more."""
        ready, _, _ = select.select([self.master], [], [], within)
        if not ready:
            return None
        try:
            data = os.read(self.master, 65536)
        except OSError:
            return False
        self.screen.write(data.decode("utf-8", "replace"))
        return bool(data)

    def ends(self):
        while self.read(60):
            pass
        self.program.wait()

    def shows(self, text):
        """Waits until this is on the screen."""
        until = time.monotonic() + 30
        while not any(text in text_of(row) for row in self.screen.cells):
            if self.read(0.2) is False or time.monotonic() > until:
                shown = "\n".join(text_of(row) for row in self.screen.lines())
                raise SystemExit(f"{text!r} was not shown:\n{shown}")

    def rests(self):
        """Waits until the screen has been still but for its clock."""
        before, still = None, 0
        while still < 5:
            self.read(0.2)
            now = re.sub(r"\d", "", "\n".join(text_of(row) for row in self.screen.cells))
            still = still + 1 if now == before else 0
            before = now

    def types(self, text):
        os.write(self.master, text.encode())


def styled(text, **style):
    return [Cell(sign, tuple(sorted(style.items()))) for sign in text]


def runs(row):
    """Parts of a row that are drawn at once: (column, text, cells, style)."""
    out, column = [], 0
    for cell in row:
        alone = cell.text in FRAME or len(cell.text) != 1 or width(cell.text) != 1
        last = out[-1] if out else None
        if cell.text == "":
            pass
        elif last and not alone and not last[4] and last[3] == cell.style and last[0] + last[2] == column:
            out[-1] = (last[0], last[1] + cell.text, last[2] + 1, cell.style, False)
        else:
            out.append((column, cell.text, 1, cell.style, alone))
        column += 1
    return out


def frame(sign, x, top):
    """A sign of a frame as a path that fills its cell."""
    middle, centre = top + LINE / 2, x + CELL / 2
    ends = {
        "l": (x, middle), "r": (x + CELL, middle), "u": (centre, top), "d": (centre, top + LINE),
    }
    reach = FRAME[sign]
    if len(reach) == 2 and reach not in ("lr", "ud"):
        (ax, ay), (bx, by) = ends[reach[0]], ends[reach[1]]
        return f"M{ax:.1f} {ay:.1f}Q{centre:.1f} {middle:.1f} {bx:.1f} {by:.1f}"
    return "".join(
        f"M{centre:.1f} {middle:.1f}L{ends[to][0]:.1f} {ends[to][1]:.1f}" for to in reach
    )


def draw(rows, columns, label):
    height = TOP + LINE * len(rows) + 14
    across = columns * CELL + 2 * LEFT
    yield (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{across:.0f}" height="{height}" '
        f'viewBox="0 0 {across:.0f} {height}" role="img" xml:space="preserve" '
        f'aria-label="{html.escape(label)}">'
    )
    yield (
        "<style>text{font:13px ui-monospace,'DejaVu Sans Mono',Menlo,Consolas,monospace;"
        f"white-space:pre;fill:{FOREGROUND}}}path{{stroke:{COLOURS[8]};fill:none}}</style>"
    )
    yield f'<rect width="{across:.0f}" height="{height}" rx="8" fill="{BACKGROUND}"/>'
    for x, colour in ((18, "#e06c75"), (38, "#e5c07b"), (58, "#98c379")):
        yield f'<circle cx="{x}" cy="16" r="6" fill="{colour}"/>'
    for number, row in enumerate(rows):
        top = TOP + number * LINE
        frames = []
        for column, text, cells, style, _ in runs(row):
            style, x = dict(style), LEFT + column * CELL
            if style.get("reversed"):
                yield (
                    f'<rect x="{x:.1f}" y="{top}" width="{cells * CELL:.1f}" height="{LINE}" '
                    f'fill="{FOREGROUND}"/>'
                )
            if text in FRAME:
                frames.append(frame(text, x, top))
            elif text.strip():
                yield words(text, x, top + 13, cells, style)
        if frames:
            yield f'<path d="{"".join(frames)}"/>'
    yield "</svg>"


def words(text, x, y, cells, style):
    rules = []
    if style.get("reversed"):
        rules.append(f"fill:{BACKGROUND}")
    elif "colour" in style:
        rules.append(f'fill:{COLOURS[style["colour"]]}')
    if style.get("bold"):
        rules.append("font-weight:bold")
    if style.get("dim"):
        rules.append("opacity:.65")
    # A style attribute: the sheet's own rules are stronger than plain attributes.
    attributes = f' style="{";".join(rules)}"' if rules else ""
    # What is as wide as its cells is held to them; an emoji keeps its own width.
    kept = text.rstrip()
    if len(kept) > 1:
        attributes += f' textLength="{len(kept) * CELL:.1f}"'
    return f'<text x="{x:.1f}" y="{y}"{attributes}>{html.escape(kept)}</text>'


class Home:
    """Folders of their own for a run, and the daemon that it starts."""

    def __init__(self, programs):
        self.path = tempfile.mkdtemp(prefix="vosim-picture.")
        self.work = os.path.join(self.path, "work")
        run = os.path.join(self.path, "run")
        os.mkdir(self.work)
        os.mkdir(run, 0o700)
        kept = {name: os.environ[name] for name in ("PATH", "USER") if name in os.environ}
        kept["PATH"] = programs + ":" + kept.get("PATH", "/usr/bin:/bin")
        self.environment = kept | {
            "HOME": self.path, "XDG_RUNTIME_DIR": run, "LC_ALL": "C.UTF-8", "TERM": "xterm-256color",
        }

    def on_terminal(self, command, columns, rows):
        return Terminal(command, columns, rows, self.environment, self.work)

    def does(self, *command):
        done = subprocess.run(
            command, env=self.environment, cwd=self.work, capture_output=True, stdin=subprocess.DEVNULL,
        )
        if done.returncode:
            raise SystemExit(f"{' '.join(command)}: {done.stderr.decode()}")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        subprocess.run(
            ["vosimctl", "daemon", "stop"], env=self.environment, capture_output=True,
            stdin=subprocess.DEVNULL,
        )
        shutil.rmtree(self.path, ignore_errors=True)


def drill(programs, submissions):
    """A drill, command by command: a wrong submission, a hint, a right one."""
    columns, rows = 80, []
    with Home(programs) as home:
        def say(command, most):
            terminal = home.on_terminal(command.split(), columns, 200)
            terminal.ends()
            shown = terminal.screen.lines()
            rows.append(styled(f"$ {command}", bold=True))
            rows.extend(shown[:most])
            if len(shown) > most:
                rows.append(styled("      […]", dim=True))

        solution = os.path.join(home.work, "lru_cache.py")
        home.does("vosimctl", "start")
        shutil.copy(os.path.join(submissions, "wrong_answer/first_in_first_out.py"), solution)
        say("vosimctl submit lru_cache.py", 19)
        say("vosimctl hint", 4)
        shutil.copy(os.path.join(submissions, "accepted/linked_list.py"), solution)
        say("vosimctl submit lru_cache.py", 10)
    return rows, columns, "An LRU Cache drill with vosimctl in a terminal"


def interview(programs, _):
    """The live screen of an interview, in the middle of a conversation."""
    columns = 92
    with Home(programs) as home:
        home.does("vosimctl", "interview", "start", "--file", "lru_cache.py")
        terminal = home.on_terminal(["vosimctl", "attach", "--as", "candidate"], columns, LINES_MAX - 8)
        terminal.shows("Interviewer")
        for line in (
            "It stores values under keys and has room for a fixed number of them.",
            "When a new key comes and it is full, the one that was not used for the longest time goes.",
        ):
            terminal.types(line + "\r")
            terminal.shows(line[:40])
            terminal.rests()
        terminal.types("/ask What is a doubly linked list?\r")
        terminal.shows("Assistant")
        terminal.rests()
        terminal.types("Both get and put count as a use of the key, so")
        terminal.rests()
        rows = [row[:] for row in terminal.screen.cells]
        terminal.types("\x03\x04")
        terminal.ends()
    rows.insert(0, styled("$ vosimctl attach --as candidate", bold=True))
    return rows, columns, "The live screen of an interview in a terminal"


def main():
    programs, folder = map(os.path.abspath, sys.argv[1:3])
    here = os.path.dirname(os.path.abspath(__file__))
    submissions = os.path.join(here, "../daemon/content/problems/lrucache/submissions")
    for name, scene in (("drill", drill), ("interview", interview)):
        rows, columns, label = scene(programs, submissions)
        if len(rows) > LINES_MAX:
            raise SystemExit(f"{name}: {len(rows)} lines, and a picture has at most {LINES_MAX}")
        path = os.path.join(folder, name + ".svg")
        with open(path, "w", encoding="utf-8") as out:
            out.write("\n".join(draw(rows, columns, label)) + "\n")
        print(f"{path} was made from this run")


if __name__ == "__main__":
    main()
