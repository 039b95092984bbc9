"""Tries the sentences of `invariants.toml` on one run: calls, and what came back."""

import re


def check(template, choices, calls, answers):
    """True where the run agrees, False where it contradicts, None where it does not speak of it."""
    told = []
    for (_, (text,)), answer in zip(calls, answers):
        if type(answer) is not int:
            return False
        told += SENTENCES[template](choices, text, answer)
    return all(told) if told else None


def at(text, place):
    return text[place : place + 1] if place >= 0 else ""


def what_an_answer_is(choices, text, answer):
    if answer != -1:
        here = at(text, answer)
        kinds = [answer == len(text), here != "" and here in '+-"', here.isalpha()]
        yield kinds[choices["kind"]]
    if not re.search('[-+"]', text):
        yield answer == [0, len(text), -1][choices["plain"]]


def when_all_is_right(choices, text, answer):
    if answer != -1:
        return
    quotes = text.count('"')
    yield [quotes % 2 == 0, quotes % 2 == 1, quotes == 0][choices["quotes"]]
    marks = re.findall("[-+][a-z]", '"'.join(text.split('"')[::2]))
    more = sum(1 if mark[0] == "+" else -1 for mark in marks)
    yield [more > 0, not marks, more == 0][choices["marks"]]


def what_stands_around(choices, text, answer):
    here = at(text, answer)
    if here == '"':
        rest = text[answer + 1 :]
        mark = re.search("[-+][a-z]", rest) is not None
        yield [rest.count('"') == 0, rest.count('"') == 1, mark][choices["after"]]
    elif here and here in "+-":
        quotes = text[:answer].count('"')
        yield [quotes == 0, quotes % 2 == 0, quotes % 2 == 1][choices["before"]]


SENTENCES = {
    "what_an_answer_is": what_an_answer_is,
    "when_all_is_right": when_all_is_right,
    "what_stands_around": what_stands_around,
}
