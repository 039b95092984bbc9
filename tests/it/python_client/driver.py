"""Several clients at once, made of docs/client.py, while the daemon is killed by somebody else.

    driver.py SEED WORKERS MESSAGES right|forgetful

What was wanted, what was acknowledged and what each stream told is written to standard output, one JSON
object a line. A forgetful client makes a new id when it asks again: what it does is to be found out.
"""
import hashlib
import json
import random
import sys
import threading

import client

LAST = "And with this I have said everything."
PAUSES = [0.01] * 20 + [0.05] * 600
lock = threading.Lock()


def report(**what):
    with lock:
        print(json.dumps(what, ensure_ascii=False, separators=(",", ":")), flush=True)


class Flaky(client.Connection):
    """Loses some answers that were on their way, and some connections on which events come."""

    chance = random.Random()
    forgetful = False

    def call(self, method, params=None, within=60.0):
        if self.forgetful and method == "session.do" and params["command"] == "say":
            params = params | {"command_id": client.new_id()}
        answer = super().call(method, params, within)
        if method in ("session.do", "session.create") and self.chance.random() < 0.3:
            raise client.Lost("the answer was lost on its way")
        return answer

    def notice(self, within):
        if self.chance.random() < 0.03:
            raise client.Lost("the connection was lost")
        return super().notice(within)


def new_client():
    made = client.Client(pauses=PAUSES)
    made.connection_type = Flaky
    return made


def give(vosim, session, command, args, **more):
    command_id = client.new_id()
    report(wanted=command_id, session=session, text=args.get("text"))
    accepted = vosim.do(command, args, session, command_id, **more)
    report(given=command_id, session=session, events=accepted["events"])
    return accepted


def work(number, messages, own, shared):
    vosim = new_client()
    for message in range(messages):
        text = f"Client {number} says “{message}”: a map, and a list in order of use."
        give(vosim, shared if message % 3 == 0 else own, "say", {"text": text})
    vosim.close()


def listen(session, role):
    for record in new_client().follow(session, role=role):
        record.pop("telling", None)
        report(told=record, session=session, role=role)
        if record["event_type"] == "SESSION_ENDED" or record["payload"].get("text") == LAST:
            return


def begin_all(count):
    vosim = new_client()
    sessions = [vosim.start("interview", beside=True)["session_id"] for _ in range(count)]
    for session in sessions:
        give(vosim, session, "begin", {})
    return vosim, sessions


def main():
    seed, workers, messages = (int(word) for word in sys.argv[1:4])
    Flaky.chance, Flaky.forgetful = random.Random(seed), sys.argv[4] == "forgetful"
    vosim, sessions = begin_all(workers + 1)
    shared, *own = sessions
    drill = vosim.start("drill", beside=True)["session_id"]
    code = b"class LRUCache:\n    def __init__(self, capacity):\n        pass\n# " + bytes(range(32, 127)) * 2000
    named, encoded = client.blob(code)
    args = {"file_path": "/tmp/solution.py", "code": named, "language": "python"}
    give(vosim, drill, "submit", args, blobs=[encoded])
    listeners = [threading.Thread(target=listen, args=(session, role))
                 for session in [*sessions, drill] for role in ("candidate", "interviewer")]
    clients = [threading.Thread(target=work, args=(number, messages, mine, shared))
               for number, mine in enumerate(own)]
    for thread in listeners + clients:
        thread.start()
    for thread in clients:
        thread.join()
    for session in sessions:
        give(vosim, session, "say", {"text": LAST})
    # An end while it is judged would cancel the run.
    for record in new_client().follow(drill):
        if record["event_type"] == "AGENT_RESPONSE":
            break
    give(vosim, drill, "end", {})
    for thread in listeners:
        thread.join()
    kept = vosim.fetch(named["hash"], drill)
    assert hashlib.sha256(kept).hexdigest() == named["hash"].removeprefix("sha256:") and kept == code
    report(ended=True)


main()
