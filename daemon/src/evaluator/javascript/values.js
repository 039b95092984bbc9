// Values with their types, for the daemon to compare, and a text of any value for people.
// Bounded in depth, parts and text; nothing here throws or asks a value what it thinks it is.

/** Writes values with their types. Bounded in depth, parts and text; never throws. */
class Encoder {
  constructor() {
    this.nodes = 0;
    this.text = 0;
  }

  encode(value) {
    this.nodes = NODES_MAX;
    this.text = TEXT_MAX;
    try {
      return this.value(value, 0);
    } catch {
      this.text = TEXT_MAX;
      return this.other(value);
    }
  }

  /** Takes room for a text; where there is none, the whole value is too large to be sent. */
  take(text) {
    this.text -= text.length;
    if (this.text < 0) throw "too large";
    return text;
  }

  /** A value for display. */
  other(value) {
    return this.take(`{"type":${quote(kindOf(value))},"repr":${quote(look(value))}}`);
  }

  value(value, depth) {
    switch (typeof value) {
      case "undefined":
        return "{}";
      case "boolean":
        return value ? "true" : "false";
      case "number":
        return this.number(value);
      case "string":
        return this.string(value);
      case "bigint":
        return this.bigint(value);
      case "object":
        return value === null ? "null" : this.object(value, depth);
      default:
        return this.other(value);
    }
  }

  number(value) {
    if (isSafeInteger(value)) return `${value}`;
    return isInteger(value) ? this.take(large(toBigInt(value))) : `{"float":${quote(`${value}`)}}`;
  }

  /** Taken for a whole number only where a number could not hold it. */
  bigint(value) {
    const small = value <= 9007199254740991n && value >= -9007199254740991n;
    if (small || value > LARGEST_BIGINT || value < -LARGEST_BIGINT) return this.other(value);
    return this.take(large(value));
  }

  string(value) {
    return wellFormed(this.take(value)) === value ? quote(value) : this.other(value);
  }

  /** What is not exactly one of the plain kinds is shown and equals nothing. */
  object(value, depth) {
    if (isProxy(value) || depth >= DEPTH_MAX) return this.other(value);
    const kind = getPrototypeOf(value);
    if (isArray(value)) return kind === ListOnly ? this.list(value, depth + 1) : this.other(value);
    if (isMap(value)) return kind === MapOnly ? this.map(value, depth + 1) : this.other(value);
    if (isSet(value)) return kind === SetOnly ? this.set(value, depth + 1) : this.other(value);
    return kind === ObjectOnly || kind === null ? this.plain(value, depth + 1) : this.other(value);
  }

  /** False when there is no room for so many parts. */
  takes(count) {
    this.nodes -= count;
    return this.nodes >= 0;
  }

  list(value, depth) {
    if (!this.takes(value.length)) return this.other(value);
    let parts = "";
    for (let at = 0; at < value.length; at++) {
      parts += (at > 0 ? "," : "") + this.value(value[at], depth);
    }
    return `[${parts}]`;
  }

  map(value, depth) {
    if (!this.takes(sizeOfMap(value))) return this.other(value);
    let parts = "";
    eachOfMap(value, (item, key) => {
      const pair = `[${this.value(key, depth)},${this.value(item, depth)}]`;
      parts += (parts === "" ? "" : ",") + pair;
    });
    return `{"map":[${parts}]}`;
  }

  set(value, depth) {
    if (!this.takes(sizeOfSet(value))) return this.other(value);
    let parts = "";
    eachOfSet(value, (item) => {
      parts += (parts === "" ? "" : ",") + this.value(item, depth);
    });
    return `{"set":[${parts}]}`;
  }

  plain(value, depth) {
    const names = keys(value);
    if (!this.takes(names.length)) return this.other(value);
    let parts = "";
    for (let at = 0; at < names.length; at++) {
      const name = names[at];
      parts += `${at > 0 ? "," : ""}[${this.string(name)},${this.value(value[name], depth)}]`;
    }
    return `{"dict":[${parts}]}`;
  }
}

/** A whole number beyond those a number is sure of. */
function large(value) {
  const plain = value >= -9223372036854775808n && value <= 9223372036854775807n;
  return plain ? digits(value) : `{"int":"${digits(value)}"}`;
}

function look(value) {
  try {
    if (typeof value === "bigint" && (value > LARGEST_BIGINT || value < -LARGEST_BIGINT)) {
      return "<bigint of more than 4000 digits>";
    }
    const shown = typeof value === "string" ? cut(value, 0, REPR_MAX) : value;
    const text = inspect(shown, {
      depth: 2,
      customInspect: false,
      getters: false,
      showProxy: true,
      maxArrayLength: 50,
      maxStringLength: REPR_MAX,
      breakLength: Infinity,
      compact: true,
    });
    return clean(withoutSteps(text), REPR_MAX);
  } catch {
    return "<cannot be shown>";
  }
}

/** A text without the lines of a stack, which an error brings along: most of them are ours. */
function withoutSteps(text) {
  let kept = "";
  for (let from = 0; from < text.length; ) {
    const end = find(text, "\n", from);
    const line = cut(text, from, end < 0 ? text.length : end + 1);
    let begin = 0;
    while (begin < line.length && code(line, begin) === 32) begin++;
    if (begin < 4 || cut(line, begin, begin + 3) !== "at ") kept += line;
    from += line.length;
  }
  return cut(kept, -1) === "\n" ? cut(kept, 0, -1) : kept;
}

/** A text that can be sent. */
function clean(text, longest) {
  if (typeof text !== "string") return "?";
  return wellFormed(text.length <= longest ? text : `${cut(text, 0, longest)}…`);
}

/** The same text, with a mark in place of each half of a pair that stands alone. */
function wellFormed(text) {
  let whole = "";
  let from = 0;
  for (let at = 0; at < text.length; at++) {
    const unit = code(text, at);
    if (unit < 0xd800 || unit > 0xdfff) continue;
    const next = at + 1 < text.length ? code(text, at + 1) : 0;
    if (unit < 0xdc00 && next >= 0xdc00 && next <= 0xdfff) {
      at++;
    } else {
      whole += `${cut(text, from, at)}\ufffd`;
      from = at + 1;
    }
  }
  return from === 0 ? text : whole + cut(text, from);
}

/** The name of a value's kind, past anything that its getters may say. */
function kindOf(value) {
  if (typeof value === "function") return "Function";
  if (typeof value !== "object") return typeof value;
  if (value === null) return "null";
  if (isProxy(value)) return "Proxy";
  let kind = value;
  while ((kind = getPrototypeOf(kind)) !== null && !isProxy(kind)) {
    const name = nameOf(dataOf(kind, "constructor"));
    if (name !== "") return name;
  }
  return "Object";
}

function nameOf(maker) {
  const name = typeof maker === "function" && !isProxy(maker) ? dataOf(maker, "name") : "";
  return typeof name === "string" ? clean(name, NAME_MAX) : "";
}

/** The value of an own property that is plain data. */
function dataOf(object, name) {
  const property = getOwnPropertyDescriptor(object, name);
  return property !== undefined && hasOwn(property, "value") ? property.value : undefined;
}
