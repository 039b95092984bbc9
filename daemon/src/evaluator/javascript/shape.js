// Whether what the file defines can be called as the problem says, and what is there instead.
// Only what surely cannot work is refused.

function tell(need, found, others) {
  const text = found === null ? "null" : quote(clean(found, NAME_MAX));
  return `{"need":${quote(need)},"found":${text},"others":[${others}]}`;
}

function lookUp(object, name) {
  while ((typeof object === "object" || typeof object === "function") && object !== null) {
    if (isProxy(object)) return { get: undefined };
    const property = getOwnPropertyDescriptor(object, name);
    if (property !== undefined) return property;
    object = getPrototypeOf(object);
  }
  return undefined;
}

/** An instance made with ones; null when it cannot be had. */
function attempt(target, count) {
  let ones = "";
  for (let at = 0; at < count; at++) ones += at > 0 ? ",1" : "1";
  try {
    return construct(target, parse(`[${ones}]`));
  } catch {
    return null;
  }
}

/** A method that is not there, with one that is spelt almost like it. */
function absent(name, object) {
  let near = null;
  let others = "";
  let count = 0;
  while (object !== null && object !== ObjectOnly && !isProxy(object)) {
    const names = ownKeys(object);
    for (let at = 0; at < names.length; at++) {
      const key = names[at];
      if (typeof key !== "string" || key === "constructor") continue;
      if (typeof dataOf(object, key) !== "function") continue;
      if (near === null && folded(key) === folded(name)) near = key;
      if (count < NAMES_MAX) others += `${count > 0 ? "," : ""}${quote(clean(key, 100))}`;
      count++;
    }
    object = getPrototypeOf(object);
  }
  return tell(name, near, others);
}

function folded(name) {
  let plain = "";
  for (let at = 0; at < name.length; at++) if (name[at] !== "_") plain += name[at];
  return lower(plain);
}

/**
 * A problem when a function surely leaves out arguments it is given. Taking more is none: what is
 * not given is undefined, and many a helper counts on that.
 */
function few(name, target, wanted) {
  const declared = dataOf(target, "length");
  if (typeof declared !== "number" || declared >= wanted) return "";
  const source = sourceOf(target);
  const params = paramsOf(source);
  const open = params === undefined || find(params, "...") >= 0 || find(params, "=") >= 0;
  if (open || find(source, "arguments") >= 0) return "";
  return tell(name, `${name}(${params})`, "");
}

/** The parameters as they are written; undefined where that cannot be told. */
function paramsOf(source) {
  let from = find(source, "(");
  if (cut(source, 0, 5) === "class") {
    const made = find(source, "constructor");
    const body = find(source, "{");
    if (made < 0) return find(cut(source, 0, body), "extends") < 0 ? "" : undefined;
    from = find(source, "(", made);
    if (trimmed(cut(source, made + 11, from)) !== "") return undefined;
  }
  const arrow = find(source, "=>");
  if (from < 0 || (arrow >= 0 && arrow < from) || find(source, "[native code]") >= 0) {
    return undefined;
  }
  let depth = 0;
  for (let at = from; at < source.length; at++) {
    const sign = source[at];
    if (sign === "'" || sign === '"' || sign === "`" || sign === "/") return undefined;
    if (sign === "(" || sign === "[" || sign === "{") depth++;
    if (sign === ")" || sign === "]" || sign === "}") depth--;
    if (depth === 0) return trimmed(cut(source, from + 1, at));
  }
  return undefined;
}

/** With one blank for every run of blanks, and none at the ends. */
function trimmed(text) {
  let plain = "";
  let blank = false;
  for (let at = 0; at < text.length; at++) {
    const sign = text[at];
    if (sign === " " || sign === "\n" || sign === "\r" || sign === "\t") {
      blank = plain !== "";
    } else {
      plain += blank ? ` ${sign}` : sign;
      blank = false;
    }
  }
  return plain;
}
