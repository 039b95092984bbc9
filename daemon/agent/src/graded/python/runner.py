"""Runs tests whose text came from outside, with pytest, and says what came of each on descriptor 3.

Nothing of the workspace steers it: no conftest.py, no configuration, no plugin, and what stands in the
workspace under the name of a module of pytest or of Python is found after those.
"""

import ast
import importlib.machinery
import json
import os
import sys
import types

RESULTS = 3
TEXT_MAX = 4000


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
            "trace": str(report.longreprtext)[-TEXT_MAX:],
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


def prepare_hypothesis():
    """The same examples every time, and no limit that a busy machine would reach."""
    from hypothesis import configuration, settings

    configuration.set_hypothesis_home_dir("/tmp/hypothesis")
    settings.register_profile(
        "graded", database=None, derandomize=True, deadline=None, print_blob=False
    )
    settings.load_profile("graded")


def changed_program(path, text):
    """Loads one file of the workspace with another text."""

    class Loader(importlib.machinery.SourceFileLoader):
        def get_data(self, asked):
            if asked == path:
                return text.encode()
            return super().get_data(asked)

        def path_stats(self, asked):
            if asked == path:
                raise OSError
            return super().path_stats(asked)

    hook = importlib.machinery.FileFinder.path_hook((Loader, [".py"]))
    sys.path_hooks.insert(0, hook)
    sys.path_importer_cache.clear()


def run(order, say):
    import pytest
    from _pytest.assertion.rewrite import rewrite_asserts

    workspace = order["workspace"]
    texts = {os.path.join(workspace, test["path"]): test["text"] for test in order["tests"]}
    if not texts:
        return 5  # Without a name it would look for tests by itself.
    arguments = [
        "-q", "--noconftest", "-c", "/dev/null", "--rootdir", workspace, "--confcutdir", workspace,
        "-p", "no:cacheprovider", "-p", "no:stepwise", "-p", "no:pastebin", "-p", "no:junitxml",
        "--import-mode=importlib", "--maxfail=0", "--continue-on-collection-errors",
        "-W", "ignore::pytest.PytestUnknownMarkWarning",
    ]
    if any("hypothesis" in text for text in texts.values()):
        prepare_hypothesis()
        arguments += ["-p", "_hypothesis_pytestplugin"]
    os.chdir(workspace)
    # After everything of Python's and of pytest's own.
    folders = {os.path.dirname(path) for path in texts} | {os.path.join(workspace, "src")}
    sys.path += [workspace, *sorted(folder for folder in folders if folder != workspace)]
    module = fixed(pytest, rewrite_asserts, texts)
    told = reporter(pytest, module, texts, workspace, say)
    return int(pytest.main(arguments + list(texts), plugins=[told]))


def teller(order, say, number):
    """What a change's own process says: where it is asked for, how each test ended."""

    def tell(what="", id="", outcome="", **more):
        if order["each_test"] and what == "test":
            say(what="tried", number=number, id=id, passed=outcome == "passed")

    return tell


def try_changes(order, say):
    """Each change in a process of its own, one after the other: do the tests notice it?"""
    import signal

    import pytest  # Loaded once for all of them.

    assert pytest
    for number, change in enumerate(order["changes"]):
        child = os.fork()
        if child == 0:
            status = 99
            try:
                null = os.open("/dev/null", os.O_WRONLY)
                os.dup2(null, 1)
                os.dup2(null, 2)
                signal.setitimer(signal.ITIMER_REAL, order["change_secs"])
                changed_program(os.path.join(order["workspace"], change["path"]), change["text"])
                status = run(order, teller(order, say, number))
            finally:
                os._exit(status)
        _, status = os.waitpid(child, 0)
        slow = os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGALRM
        say(what="change", number=number, noticed=status != 0, slow=slow)


def main():
    order = opening()
    say = speaker(order["word"])
    sys.path.append(order["environment"])
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    if order.get("changes"):
        try_changes(order, say)
        say(what="done", status=0)
        return 0
    status = run(order, say)
    say(what="done", status=status)
    return status


if __name__ == "__main__":
    status = main()
    sys.stdout.flush()
    os._exit(status)
