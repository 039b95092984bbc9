#!/usr/bin/env python3
"""A whole client of vosimd: Python 3.11 and its standard library, from docs/protocol.md alone.

    python3 docs/client.py start drill         # the session is the current one from now on
    python3 docs/client.py submit lru_cache.py # waits for the verdict
    python3 docs/client.py say "I would begin with a map."
    python3 docs/client.py follow              # what happens, until Ctrl-C; goes on after a restart
    python3 docs/client.py call session.list   # any method: NAME and parameters as JSON

As a module: `Client` carries each command out once, and `Client.follow` tells every event once and in order.
"""
import base64, contextlib, hashlib, json, os, select, socket, sys, time, uuid

FRAME_MAX_BYTES = 1024 * 1024
# Refusals after which the same request may be taken as it stands (`errors` of the description). The
# second group may have been carried out all the same, so what is repeated keeps its id.
LATER = {"busy", "hint_pending", "sandbox_failed"}
UNKNOWN = {"internal", "shutting_down", "store_unavailable"}
# Pauses before the next attempt, seconds; about half a minute in all.
PAUSES = [0.02, 0.05, 0.1, 0.2, 0.5] + [1.0] * 30


class Refused(Exception):
    """The daemon has said no: `code` is a word for programs, `next` what can be done about it."""

    def __init__(self, error):
        super().__init__(error["message"])
        self.code, self.next, self.data = error["code"], error.get("next", []), error.get("data")


class Lost(Exception):
    """The connection is gone; whether the last request was carried out is not known."""


def socket_path(env=os.environ):
    """Where the daemon listens, by the same rules as its own."""
    if env.get("VOSIM_SOCKET"):
        return os.path.abspath(env["VOSIM_SOCKET"])
    absolute = {name: path for name, path in env.items() if path.startswith("/")}
    runtime = absolute.get("XDG_RUNTIME_DIR", "/nowhere")
    path = os.path.join(runtime, "vosim/vosimd.sock")
    if os.path.isdir(runtime) and len(os.fsencode(path)) <= 107:
        found = os.stat(runtime)
        if found.st_uid == os.geteuid() and not found.st_mode & 0o077:
            return path
    data = absolute.get("XDG_DATA_HOME") or os.path.join(absolute["HOME"], ".local/share")
    name = hashlib.sha256(os.fsencode(os.path.join(data, "vosim"))).hexdigest()[:8]
    return f"/tmp/vosim-{os.geteuid()}-{name}/vosimd.sock"


def new_id():
    """Made once for each thing that somebody wants, and kept until it is known to be done."""
    return str(uuid.uuid4())


def blob(content):
    """How arguments name bytes, and the bytes as they travel."""
    lines = content.count(b"\n") + (content != b"" and not content.endswith(b"\n"))
    named = {"hash": "sha256:" + hashlib.sha256(content).hexdigest(), "bytes": len(content), "line_count": lines}
    return named, base64.b64encode(content).decode()


class Connection:
    """One connection: JSON objects, one a line. It never connects again by itself."""

    def __init__(self, path, need=()):
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            self.socket.connect(path)
        except OSError as error:
            raise Lost(f"nobody listens at {path}: {error.strerror}") from error
        self.socket.setblocking(False)
        self.received, self.searched, self.notices, self.last = bytearray(), 0, [], 0
        hello = {"protocol": [1, 1], "client": {"name": "client.py", "version": "1"}, "need": list(need)}
        self.hello = self.call("hello", hello)

    def close(self):
        self.socket.close()

    def call(self, method, params=None, within=60.0):
        """Asks and waits for the answer; notices that come meanwhile are kept."""
        self.last += 1
        frame = json.dumps({"id": self.last, "method": method, "params": params or {}}).encode()
        if len(frame) > FRAME_MAX_BYTES:
            raise ValueError(f"{method} would be larger than a frame may be")
        until, unsent = time.monotonic() + within, frame + b"\n"
        while True:
            message, unsent = self.exchange(until, unsent)
            if message is None:
                raise Lost(f"{method} was not answered within {within:.0f} s")
            if "method" in message:
                self.notices.append(message)
            elif "error" in message and message.get("id") in (self.last, None):
                raise Refused(message["error"])
            elif message["id"] == self.last:
                return message["result"]

    def notice(self, within):
        """The next notice; None when none has come in time."""
        until = time.monotonic() + within
        while not self.notices:
            message, _ = self.exchange(until, b"")
            if message is None:
                return None
            self.notices += [message] if "method" in message else []
        return self.notices.pop(0)

    def exchange(self, until, unsent):
        """Writes what is unsent and reads the next message; None when the time is over.

        It reads while it writes: the daemon reads no further request of a client that does not read.
        """
        while (end := self.received.find(b"\n", self.searched)) < 0:
            self.searched, left = len(self.received), until - time.monotonic()
            if left <= 0:
                return None, unsent
            try:
                readable, writable, _ = select.select([self.socket], [self.socket] if unsent else [], [], left)
                if writable:
                    unsent = unsent[self.socket.send(unsent):]
                part = self.socket.recv(1 << 16) if readable else None
            except OSError as error:
                raise Lost(f"the connection broke: {error.strerror}") from error
            if part == b"":
                raise Lost("the daemon has closed the connection")
            self.received += part or b""
        line, self.searched = bytes(self.received[:end]), 0
        del self.received[: end + 1]
        return (json.loads(line), unsent) if line.strip() else self.exchange(until, unsent)


class Client:
    """Connects when it has to, repeats what may be repeated, and never the thing itself."""

    connection_type = Connection

    def __init__(self, path=None, pauses=PAUSES):
        self.path, self.pauses = path or socket_path(), pauses
        self.connection, self.store_id = None, None

    def connect(self):
        """A connection of its own; events are followed on one while commands go on another."""
        connection = self.connection_type(self.path)
        # The numbers of events mean nothing in another store.
        if self.store_id not in (None, connection.hello["store_id"]):
            raise RuntimeError("the daemon has another store now")
        self.store_id = connection.hello["store_id"]
        return connection

    def close(self):
        if self.connection:
            self.connection.close()
        self.connection = None

    def call(self, method, params=None, within=60.0):
        """Asks until there is an answer: for what reads, or bears its id (`repeated` in the description)."""
        for pause in [*self.pauses, None]:
            try:
                self.connection = self.connection or self.connect()
                return self.connection.call(method, params, within)
            except (Lost, Refused) as error:
                if isinstance(error, Lost) or error.code == "shutting_down":
                    self.close()
                if pause is None or isinstance(error, Refused) and error.code not in LATER | UNKNOWN:
                    raise
            time.sleep(pause)

    def start(self, kind="drill", beside=False, **args):
        """Starts a session; the same id finds the session that a lost answer was about."""
        params = {"session_id": new_id(), "kind": kind, "beside": beside, "args": args}
        return self.call("session.create", params)["head"]

    def do(self, command, args=None, session=None, command_id=None, blobs=(), **more):
        """Gives a command once, however often it has to be asked for; what it has caused."""
        params = {"session": session, "command": command, "command_id": command_id or new_id(),
                  "args": args or {}, "blobs": list(blobs)}
        return self.call("session.do", params | more)

    def submit(self, path, content, session=None, language="python", again=False):
        """Has a file judged; the verdict comes as an event."""
        code, encoded = blob(content)
        args = {"file_path": os.path.abspath(path), "code": code, "language": language, "again": again}
        return self.do("submit", args, session, blobs=[encoded])

    def fetch(self, digest, session, role="candidate"):
        """The bytes that an event names."""
        content, whole = b"", 1
        while len(content) < whole:
            params = {"session": session, "hash": digest, "offset": len(content), "role": role}
            answer = self.call("blob.get", params)
            content, whole = content + base64.b64decode(answer["part"]), answer["bytes"]
        return content

    def follow(self, session=None, after=0, role="candidate", quiet=None):
        """Every event after `after` that the role may see, once and in order.

        It goes on through restarts of the daemon, and ends when the session is erased, or when nothing has
        been heard of it for `quiet` seconds.
        """
        session = session or self.call("session.view", {"role": role})["session_id"]
        attempts = iter(self.pauses)
        while True:
            try:
                with contextlib.closing(self.connect()) as connection:
                    params = {"session": session, "from": after, "role": role}
                    stream = connection.call("session.subscribe", params)["subscription"]
                    attempts, ended = iter(self.pauses), False
                    # Marks come every 15 s: a connection without one is dead.
                    while not ended and (notice := connection.notice(quiet or 60.0)):
                        told, ended = notice["params"], notice["method"] == "end"
                        if notice["method"] == "event":
                            after = told["record"]["event_id"]
                            yield told["record"]
                        elif told.get("subscription") == stream:
                            after = told.get("resume_from", told.get("cursor", after))
                    if told["reason"] in ("deleted", "damaged") if ended else quiet:
                        return
            except (Lost, Refused) as error:
                pause = next(attempts, None)
                if pause is None or isinstance(error, Refused) and error.code not in LATER | UNKNOWN:
                    raise
                time.sleep(pause)


def told(record):
    """What an event says, on one line."""
    spoken = record.get("telling", {})
    text = (spoken.get("line") or spoken.get("gist") or {}).get("text", record["event_type"])
    return f"{record['event_id']:>4} {record['timestamp'][11:19]} {text}"


def main(words):
    client = Client(pauses=PAUSES[:4])
    match words:
        case ["start", kind]:
            head = client.start(kind)
            print(f"session {head['session_id']}: {head['title']}, {head['phase']}")
        case ["submit", path]:
            with open(path, "rb") as file:
                accepted = client.submit(path, file.read())
            first = accepted["events"][0]["event_id"]
            for record in client.follow(accepted["session_id"], first - 1):
                print(told(record))
                if record["event_type"] in ("EVAL_RESULT", "EVAL_ABORTED"):
                    break
        case ["say", text]:
            print(*map(told, client.do("say", {"text": text})["events"]), sep="\n")
        case ["follow"]:
            for record in client.follow():
                print(told(record), flush=True)
        case ["call", method, *params]:
            print(json.dumps(client.call(method, *map(json.loads, params)), indent=2))
        case _:
            print(__doc__, file=sys.stderr)
            return 2
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except Refused as refused:
        steps = [step.get("to") or step.get("how") or step.get("until") for step in refused.next]
        sys.exit("\n".join([f"{refused.code}: {refused}", *(f"  then: {step}" for step in steps if step)]))
    except Lost as lost:
        sys.exit(f"{lost}\n  then: vosimctl daemon start")
    except (KeyboardInterrupt, BrokenPipeError):
        sys.exit(130)
    except OSError as error:
        sys.exit(f"{error.filename}: {error.strerror}")
    except json.JSONDecodeError as error:
        sys.exit(f"the parameters are no JSON: {error}")
