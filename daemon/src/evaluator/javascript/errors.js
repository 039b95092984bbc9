// What was thrown, in words: kind, text, and the candidate's own lines, never one of ours.

/** Something thrown: its kind, its text, the candidate's own lines it went through. */
function describe(error) {
  let kind = "Thrown value";
  let message = "";
  let trace = "";
  let short = "";
  try {
    const object = typeof error === "object" && error !== null && !isProxy(error);
    const said = object ? error.message : undefined;
    if (object && typeof said === "string") {
      kind = kindOf(error);
      message = clean(said, REPR_MAX);
      const lack = lacking(error, kind, said);
      if (lack !== "") short = `,"short_of":${lack}`;
    } else {
      message = look(error);
    }
    if (object) trace = traceOf(error.stack);
  } catch {
    // What it told so far stands.
  }
  return `"error":{"type":${quote(kind)},"message":${quote(message)},"trace":[${trace}]${short}}`;
}

/** What was not to be had, by what the runtime says of it. */
function lacking(error, kind, said) {
  // Who says the same by hand stands at the top of the stack himself.
  if (isOwnThrow(error.stack)) return "";
  if (kind === "RangeError" && said === "Array buffer allocation failed") return '"memory"';
  if (error.code === "ERR_WORKER_INIT_FAILED") return said === "EAGAIN" ? '"processes"' : "";
  const { syscall } = error;
  const spawns = typeof syscall === "string" && cut(syscall, 0, 5) === "spawn";
  return spawns && error.code === "EAGAIN" ? '"processes"' : "";
}

/** Whether an error was made by a line of the candidate's, and not below one. */
function isOwnThrow(stack) {
  if (typeof stack !== "string") return true;
  const start = find(stack, "\n    at ") + 1;
  const end = find(stack, "\n", start);
  return start > 0 && stepOf(cut(stack, start, end < 0 ? stack.length : end)) !== "";
}

/** Lines of the candidate's file in a stack, outermost first. */
function traceOf(stack) {
  if (typeof stack !== "string") return "";
  let trace = "";
  let count = 0;
  for (let from = 0; from < stack.length && count < TRACE_MAX; ) {
    const at = find(stack, "\n", from);
    const end = at < 0 ? stack.length : at;
    const step = stepOf(cut(stack, from, end));
    if (step !== "") {
      trace = trace === "" ? step : `${step},${trace}`;
      count++;
    }
    from = end + 1;
  }
  return trace;
}

/** `    at get (solution.js:8:19)` as a line and a function; nothing for a line of anybody else. */
function stepOf(text) {
  const start = "    at ";
  if (cut(text, 0, start.length) !== start) return "";
  const closed = cut(text, -1) === ")" ? -1 : text.length;
  const place = cut(text, start.length, closed);
  const column = findLast(place, ":");
  const mark = column < 1 ? -1 : findLast(place, ":", column - 1);
  const line = mark < 0 ? "" : cut(place, mark + 1, column);
  const before = cut(place, 0, mark < 0 ? 0 : mark);
  const named = before.length - program.file.length;
  if (!isNumber(line) || named < 0 || cut(before, named) !== program.file) return "";
  if (named === 0) return `[${line},"<module>"]`;
  if (closed > 0 || cut(before, named - 2, named) !== " (") return "";
  const name = cut(before, 0, named - 2);
  const shown = name === "Object.<anonymous>" ? "<module>" : clean(name, NAME_MAX);
  return `[${line},${quote(shown)}]`;
}

function isNumber(text) {
  if (text === "" || text.length > 9) return false;
  for (let at = 0; at < text.length; at++) {
    const unit = code(text, at);
    if (unit < 48 || unit > 57) return false;
  }
  return text === "0" || code(text, 0) !== 48;
}

/** A file that cannot be read as a program; the line stands before the text in its stack. */
function describeSyntax(error) {
  const stack = typeof error.stack === "string" ? error.stack : "";
  const start = `${program.file}:`;
  const end = find(stack, "\n");
  const line = end > 0 && cut(stack, 0, start.length) === start ? cut(stack, start.length, end) : "";
  const shown = clean(`${error.message}`, REPR_MAX);
  const where = isNumber(line) ? line : "null";
  return `"error":{"type":"SyntaxError","message":${quote(shown)},"trace":[],"syntax":${where}}`;
}
