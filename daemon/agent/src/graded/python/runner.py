"""Runs tests whose text came from outside, with pytest, and says what came of each on descriptor 3.

Nothing of the workspace steers it: no conftest.py, no configuration, no plugin, and what stands in the
workspace under the name of a module of pytest or of Python is found after those.
"""

import ast
import importlib.machinery
import json
import os
import sys
import threading
import types

RESULTS = 3
TEXT_MAX = 4000
LEFT_OUT = "\n[...]\n"
FILES_MAX = 200


def opening():
    """The one line with which the run begins: what to run, and the word that begins every answer."""
    line = b""
    while not line.endswith(b"\n"):
        chunk = os.read(RESULTS, 65536)
        if not chunk:
            os._exit(70)
        line += chunk
    return json.loads(line)


def speaker(word):
    """What writes an answer in one piece; kept from whoever replaces these functions later."""
    write, dumps = os.write, json.dumps

    def say(**answer):
        line = (word + " " + dumps(answer) + "\n").encode("utf-8", "backslashreplace")
        while line:
            line = line[write(RESULTS, line):]

    return say


def fixed(pytest, rewrite, texts):
    """A module of tests that is made of the text it had before the run."""

    class FixedModule(pytest.Module):
        def _getobj(self):
            path = str(self.path)
            text = texts[path]
            source = text.encode()
            try:
                tree = ast.parse(source, filename=path)
            except SyntaxError as error:
                place = f"{os.path.relpath(path, self.config.rootpath)}, line {error.lineno}"
                raise self.CollectError(f"SyntaxError: {error.msg} ({place})") from error
            rewrite(tree, source, path, self.config)
            code = compile(tree, path, "exec", dont_inherit=True)
            relative = os.path.relpath(path, self.config.rootpath)
            name = relative[: -len(".py")].replace(os.sep, ".")
            module = types.ModuleType(name)
            module.__file__ = path
            module.__package__ = name.rpartition(".")[0]
            sys.modules[name] = module
            exec(code, module.__dict__)
            return module

    return FixedModule


def shortened(text):
    """A text without its middle where it is too long, by whole lines: where something was called from stands
    at the beginning of a trace, and what was raised at its end."""
    if len(text) <= TEXT_MAX:
        return text
    half = (TEXT_MAX - len(LEFT_OUT)) // 2
    head, tail = text[:half], text[-half:]
    if "\n" in head:
        head = head[: head.rfind("\n")]
    return head + LEFT_OUT + tail[tail.find("\n") + 1 :]


def reporter(pytest, module, texts, workspace, say):
    def told(report):
        crash = getattr(report.longrepr, "reprcrash", None)
        path = str(getattr(crash, "path", "") or "")
        own = path.startswith(workspace + os.sep)
        message = getattr(crash, "message", "") or report.longreprtext
        return {
            "message": message[:TEXT_MAX],
            "line": getattr(crash, "lineno", None),
            "file": path[len(workspace) + 1 :] if own else path,
            "trace": shortened(str(report.longreprtext)),
        }

    class Reporter:
        @pytest.hookimpl(tryfirst=True)
        def pytest_pycollect_makemodule(self, module_path, parent):
            if str(module_path) in texts:
                return module.from_parent(parent, path=module_path)

        def pytest_collectreport(self, report):
            if report.failed:
                say(what="uncollected", id=report.nodeid, **told(report))

        def pytest_collection_finish(self, session):
            say(what="collected", ids=[item.nodeid for item in session.items])

        def pytest_runtest_logreport(self, report):
            if report.when != "call" and report.passed:
                return
            outcome = report.outcome
            if hasattr(report, "wasxfail"):
                outcome = "excused"
            more = told(report) if outcome != "passed" else {}
            say(what="test", id=report.nodeid, outcome=outcome, **more)

    return Reporter()


def prepare_hypothesis(tries):
    """The same examples every time, and no limit that a busy machine would reach. Where many programs are
    tried, a counterexample is not made smaller."""
    from hypothesis import Phase, configuration, settings

    configuration.set_hypothesis_home_dir("/tmp/hypothesis")
    phases = [Phase.explicit, Phase.generate] if tries else list(Phase)
    settings.register_profile(
        "graded", database=None, derandomize=True, deadline=None, print_blob=False, phases=phases
    )
    settings.load_profile("graded")


def changed_program(path, text):
    """Loads one file of the workspace with another text. Its folder alone is looked through anew: modules
    of Python's and of pytest's own are found as ever."""

    class Loader(importlib.machinery.SourceFileLoader):
        def get_data(self, asked):
            if asked == path:
                return text.encode()
            return super().get_data(asked)

        def path_stats(self, asked):
            if asked == path:
                raise OSError
            return super().path_stats(asked)

    found = importlib.machinery.FileFinder.path_hook(
        (importlib.machinery.ExtensionFileLoader, importlib.machinery.EXTENSION_SUFFIXES),
        (Loader, importlib.machinery.SOURCE_SUFFIXES),
    )
    folder = os.path.dirname(path)

    def hook(place):
        if place != folder:
            raise ImportError
        return found(place)

    sys.path_hooks.insert(0, hook)
    sys.path_importer_cache.pop(folder, None)


def prepare(order, say):
    """What pytest is started with: its words, and the plugin that tells how the tests end."""
    import pytest
    from _pytest.assertion.rewrite import rewrite_asserts

    workspace = order["workspace"]
    texts = {os.path.join(workspace, test["path"]): test["text"] for test in order["tests"]}
    arguments = [
        "-q", "--noconftest", "-c", "/dev/null", "--rootdir", workspace, "--confcutdir", workspace,
        "-p", "no:cacheprovider", "-p", "no:stepwise", "-p", "no:pastebin", "-p", "no:junitxml",
        "--import-mode=importlib", "--maxfail=0", "--continue-on-collection-errors",
        "-W", "ignore::pytest.PytestUnknownMarkWarning",
    ]
    if any("hypothesis" in text for text in texts.values()):
        prepare_hypothesis(tries=bool(order["changes"]))
        arguments += ["-p", "_hypothesis_pytestplugin"]
    os.chdir(workspace)
    # After everything of Python's and of pytest's own.
    folders = {os.path.dirname(path) for path in texts} | {os.path.join(workspace, "src")}
    sys.path += [workspace, *sorted(folder for folder in folders if folder != workspace)]
    module = fixed(pytest, rewrite_asserts, texts)
    return arguments + list(texts), reporter(pytest, module, texts, workspace, say)


def run(order, say):
    import pytest

    arguments, told = prepare(order, say)
    return int(pytest.main(arguments, plugins=[told]))


def lines_of(code):
    """The lines of a program that can be run, with those of all that it defines."""
    lines = {line for _, _, line in code.co_lines() if line}
    for part in code.co_consts:
        if isinstance(part, types.CodeType):
            lines |= lines_of(part)
    return lines


def program(workspace, tests):
    """The lines of each file of the workspace that is no test and can be read as Python, at most so many."""
    files = {}
    for folder, folders, names in os.walk(workspace):
        hidden = ("__pycache__", "node_modules", "venv")
        folders[:] = [name for name in folders if name not in hidden and not name.startswith(".")]
        for path in (os.path.join(folder, name) for name in names if name.endswith(".py")):
            if path in tests or os.path.basename(path) == "conftest.py" or len(files) == FILES_MAX:
                continue
            try:
                with open(path, "rb") as file:
                    files[path] = lines_of(compile(file.read(), path, "exec", dont_inherit=True))
            except (OSError, SyntaxError, ValueError):
                continue
    return files


def covering(workspace, tests):
    """Follows from now on which lines of the program are run; what is returned says how many there are, and
    how many were. A function of which nothing is left to be seen is followed no more: this is slow."""
    files, seen, left = program(workspace, tests), set(), {}

    def line(frame, event, argument):
        if event == "line":
            seen.add((frame.f_code.co_filename, frame.f_lineno))
            left[id(frame.f_code)][1].discard(frame.f_lineno)
        return line

    def call(frame, event, argument):
        code = frame.f_code
        if id(code) not in left:
            own = code.co_filename in files
            # The code is kept with it: another one could get its number.
            left[id(code)] = (code, {at for _, _, at in code.co_lines() if at} if own else set())
        lines = left[id(code)][1]
        if not lines:
            return None
        # Nothing else tells of the line that it begins with.
        seen.add((code.co_filename, frame.f_lineno))
        lines.discard(frame.f_lineno)
        return line

    def covered():
        sys.settrace(None)
        ran = sum(len(lines & {at for path, at in seen if path == file}) for file, lines in files.items())
        return {"lines": sum(map(len, files.values())), "ran": ran}

    threading.settrace(call)
    sys.settrace(call)
    return covered


def try_changes(order, say):
    """Each change in a process of its own, one after the other: do the tests notice it?

    pytest is started once, before there is any child: that takes longer than most tests. Nor does a child
    put anything in order at its end, or say at length what failed."""
    import gc
    import pdb  # Every session of pytest asks for it.
    import signal

    from _pytest.config import _prepareconfig

    assert pdb

    covered = None

    class Ends:
        def pytest_sessionfinish(self, exitstatus):
            if covered is not None:
                say(what="covered", **covered())
            os._exit(int(exitstatus))

    def tell(what="", id="", outcome="", **more):
        if order["each_test"] and what == "test":
            say(what="tried", number=number, id=id, passed=outcome == "passed")

    arguments, told = prepare(order, tell)
    # What children print is kept by each of them, and not in one file of all.
    config = _prepareconfig(["--capture=sys", "--tb=native", *arguments], [told, Ends()])
    if "hypothesis" in sys.modules:
        from hypothesis import given, strategies

        # Its first test loads most of it: here, and not in every child.
        given(strategies.integers())(lambda number: None)()
    gc.freeze()

    def child(begin):
        """Runs the tests in a process of its own; returns how that ended."""
        nonlocal covered
        pid = os.fork()
        if pid == 0:
            status = 99
            try:
                null = os.open("/dev/null", os.O_WRONLY)
                os.dup2(null, 1)
                os.dup2(null, 2)
                signal.setitimer(signal.ITIMER_REAL, order["change_secs"])
                covered = begin()
                status = int(config.hook.pytest_cmdline_main(config=config))
            finally:
                os._exit(status)
        return os.waitpid(pid, 0)[1]

    workspace = order["workspace"]
    if order["cover"]:
        tests = {os.path.join(workspace, test["path"]) for test in order["tests"]}
        number = None
        child(lambda: covering(workspace, tests))
    for number, change in enumerate(order["changes"]):
        path = os.path.join(workspace, change["path"])
        status = child(lambda: changed_program(path, change["text"]))
        slow = os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGALRM
        say(what="change", number=number, noticed=status != 0, slow=slow)


def main():
    order = opening()
    say = speaker(order["word"])
    sys.path.append(order["environment"])
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    status = 0
    if not order["tests"]:
        status = 5  # Without a name pytest would look for tests by itself.
    elif order["changes"]:
        try_changes(order, say)
    else:
        status = run(order, say)
    say(what="done", status=status)
    return status


if __name__ == "__main__":
    status = main()
    sys.stdout.flush()
    os._exit(status)
