"""Says whether a sentence of invariants.toml holds on one run of calls and their answers."""


def check(template, choices, calls, answers):
    """True: it holds on this run. False: the run contradicts it. None: it does not speak of it."""
    rule = {"same_keys": same_keys, "ends_of_the_order": ends, "update_keeps_size": update}[template]
    told = [rule(choices, cache) for cache in caches(calls, answers)]
    told = [holds for holds in told if holds is not None]
    return all(told) if told else None


def caches(calls, answers):
    """The calls of each cache by itself, with their answers: the capacity, then what was done."""
    made, current = [], None
    for (name, args), answer in zip(calls, answers):
        if name == "LRUCache":
            current = (args[0], [])
            made.append(current)
        elif "@" in name:
            current = made[int(name.split("@")[1]) - 1]
        else:
            current[1].append((name, args, answer))
    return made


def same_keys(choices, cache):
    capacity, done = cache
    agreed = [found == answer for found, answer in replayed(capacity, done)]
    if not agreed:
        return None
    relation = (all(agreed), not any(agreed), not all(agreed))[choices["relation"]]
    if choices["bound"] == 1:
        return relation
    stored = {args[0] for name, args, _ in done if name == "put"}
    if choices["bound"] == 0:
        return relation and len(stored) >= capacity
    if len(stored) <= capacity:
        return None
    both = zip(replayed(capacity, done), replayed(capacity + 1, done))
    more = any(strict == -1 != answer == found for (strict, answer), (found, _) in both)
    return relation and more


def ends(choices, cache):
    capacity, done = cache
    if len({args[0] for name, args, _ in done if name == "put"}) <= capacity:
        return None
    newest = ("stored", "used", "often")[choices["newest"]]
    oldest = ("first", "seldom", "end")[choices["oldest"]]
    return all(found == answer for found, answer in replayed(capacity, done, newest, oldest))


def update(choices, cache):
    capacity, done = cache
    stored, again = set(), False
    for name, args, _ in done:
        if name == "put":
            again = again or args[0] in stored
            stored.add(args[0])
    if not again:
        return None
    size, place = choices["size"] * -1 + 1, ("stays", "newest", "oldest")[choices["place"]]
    played = replayed(capacity, done, grows=size, place=place)
    return all(found == answer for found, answer in played)


def replayed(capacity, done, newest="used", oldest="end", grows=0, place="newest"):
    """What each `get` finds in a cache that works by these sentences, beside its answer."""
    values, order, first, uses, extra = {}, [], [], {}, 0
    told = []

    def drop():
        if not order:
            return
        victim = order[0]
        if oldest == "first":
            victim = first[0]
        elif oldest == "seldom":
            victim = min(order, key=lambda key: uses[key])
        elif newest == "often":
            victim = min(order, key=lambda key: (uses[key], order.index(key)))
        order.remove(victim)
        first.remove(victim)
        del values[victim], uses[victim]

    def use(key, writes):
        uses[key] += 1
        if writes or newest != "stored":
            order.remove(key)
            order.append(key)

    for name, args, answer in done:
        key = args[0]
        if name == "get":
            told.append((values.get(key, -1), answer))
            if key in values:
                use(key, False)
            continue
        if key in values:
            values[key] = args[1]
            if place == "newest":
                use(key, True)
            elif place == "oldest":
                order.remove(key)
                order.insert(0, key)
            extra += grows > 0
            if grows < 0 or len(values) + extra > capacity:
                extra = 0
                drop()
            continue
        if len(values) + extra >= capacity:
            drop()
        values[key] = args[1]
        order.append(key)
        first.append(key)
        uses[key] = 1
    return told
