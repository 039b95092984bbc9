"""Tries the statements of `invariants.toml` on a run: True where it bears them out, False where it
contradicts them, None where it does not speak of them."""

# What a question gets where no line holds.
NOTHING = 999


def check(template, choices, calls, answers):
    books, book, before, found = [], None, None, []
    for (name, args), answer in zip(calls, answers):
        if name == "SettingBook":
            book = {"lines": {}, "asked": {}}
            books.append(book)
            before = None
            continue
        if name.startswith("SettingBook@"):
            book = books[int(name.partition("@")[2]) - 1]
            before = None
            continue
        room, second = args[:2]
        lines = book["lines"].setdefault(room, {})
        now = {"name": name, "room": room, "second": second, "answer": answer}
        found.append(STATEMENTS[template](choices, now, before, lines, book["asked"]))
        if name == "note":
            now["degrees"] = lines[second] = args[2]
        elif name == "erase":
            now["degrees"] = lines.get(second)
            if answer is True:
                lines.pop(second, None)
        else:
            book["asked"][room, second] = answer
        before = now
    said = [held for held in found if held is not None]
    return all(said) if said else None


def fresh_line(choices, now, before, lines, asked):
    follows = before and before["name"] == "note" and before["room"] == now["room"]
    if not follows or now["name"] != "degrees_at":
        return None
    when = now["second"] - before["second"]
    if not (when == 0, when == -1, when > 0)[choices["when"]]:
        return None
    if choices["what"] == 0:
        key = now["room"], now["second"]
        return now["answer"] == asked[key] if key in asked else None
    return now["answer"] == (before["degrees"] if choices["what"] == 1 else NOTHING)


def erase_exact(choices, now, before, lines, asked):
    second, answer = now["second"], now["answer"]
    if now["name"] == "erase":
        holds = any(at <= second for at in lines)
        return answer is (holds, True, second in lines)[choices["when"]]
    follows = before and before["name"] == "erase" and before["answer"] is True
    same = follows and (before["room"], before["second"]) == (now["room"], second)
    if not same or now["name"] != "degrees_at":
        return None
    earlier = [at for at in lines if at < second]
    left = lines[max(earlier)] if earlier else NOTHING
    return answer == (left, before["degrees"], NOTHING)[choices["after"]]


def silence(choices, now, before, lines, asked):
    second, answer = now["second"], now["answer"]
    follows = before and before["name"] == "degrees_at" and before["room"] == now["room"]
    if now["name"] == "erase":
        wrote = follows and before["second"] == second and second not in lines
        return answer is True if wrote and choices["effect"] == 0 else None
    if now["name"] != "degrees_at":
        return None
    silent = (not lines, all(at > second for at in lines), second not in lines)[choices["when"]]
    if (answer == NOTHING) != silent:
        return False
    if follows and choices["effect"] == 1 and before["second"] == second:
        return answer == before["answer"]
    if follows and choices["effect"] == 2:
        return answer == NOTHING
    return True


STATEMENTS = {"fresh_line": fresh_line, "erase_exact": erase_exact, "silence": silence}
