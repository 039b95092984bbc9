// The candidate's file: a CommonJS module, an ES module, or a script that exports nothing.
// What it may load is Node's own; there are no other files.

/** What only a module may say, as far as it stands at the beginning of a line. */
const MODULE_WORDS =
  /^\s*(?:export\s+default\s|export\s+(?=\w)|export\s*\{[^}]*\}(?:\s*from\s*["'][^"']*["'])?|import\b[^("']*["'][^"']*["'])/gmu;

/**
 * Node tells no line for a module that cannot be read. The same text as the body of a function,
 * with blanks for what only a module may say, stumbles over the same slip, and there it does.
 */
function placed(error, source, filename) {
  const bare = source.replace(MODULE_WORDS, (words) => words.replace(/\S/gu, " "));
  try {
    new vm.Script(`(async () => {${bare}`, { filename });
  } catch (twin) {
    if (twin.message === error.message) return twin;
  }
  return error;
}

/** What V8 says of a script that is a module. */
const MODULE_SIGNS = [
  "Cannot use import statement outside a module",
  "Cannot use 'import.meta' outside a module",
  "Unexpected token 'export'",
  "await is only valid in async functions and the top level bodies of modules",
];

/** Compiled code that could not be. */
class Unreadable {
  constructor(error) {
    this.error = error;
  }
}

/** The candidate's file. */
class Program {
  constructor() {
    this.file = "";
    this.interface = null;
    this.instances = null;
    this.isClass = false;
    this.declared = null;
    this.target = undefined;
  }

  /** Runs it, now or, for an ES module, a little later; `done` is given its load body. */
  load(frame, done) {
    chance.begin();
    this.file = frame.file;
    this.interface = frame.interface;
    this.isClass = hasOwn(frame.interface, "methods");
    // `Name` makes an instance, `Name@1` goes back to the first.
    this.instances = { __proto__: null, [frame.interface.name]: 0 };
    for (let at = 1; at <= INSTANCES_MAX; at++) {
      this.instances[`${frame.interface.name}@${at}`] = at;
    }
    let source = scratch.latin1(frame.code).toString();
    if (source.startsWith("\ufeff")) source = source.slice(1);
    if (source.startsWith("#!")) source = `//${source.slice(2)}`;
    const named = this.isClass
      ? /^(?:export\s+(?:default\s+)?)?(?:class|(?:const|let|var)(?=.*=\s*class\b))\s+([\w$]+)/gmu
      : /^(?:export\s+(?:default\s+)?)?(?:(?:async\s+)?function\*?|const|let|var)\s+([\w$]+)/gmu;
    this.declared = Array.from(source.matchAll(named), (found) => found[1]);
    const own = `typeof ${frame.interface.name} === "function" ? ${frame.interface.name} : undefined;`;
    try {
      source = plain(source);
      const script = this.script(source, own);
      if (script === null) this.module(source, own, done);
      else done(this.run(script));
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error;
      done(`"load":"raised",${describeSyntax(error.error)}`);
    }
  }

  /** The file as a function; null when it is an ES module. */
  script(source, own) {
    if (this.file.endsWith(".mjs") || this.file.endsWith(".mts")) return null;
    const params = ["exports", "require", "module", "__filename", "__dirname"];
    const compile = (text) => compileFunction(text, params, { filename: this.file });
    try {
      compile(source);
    } catch (error) {
      if (MODULE_SIGNS.some((sign) => error.message.startsWith(sign))) return null;
      throw new Unreadable(error);
    }
    // What it defines is looked for even where it exports nothing.
    return compile(`${source}\n;return ${own}`);
  }

  run(script) {
    const path = `/work/${this.file}`;
    const module = { exports: {}, id: ".", filename: path, path: "/work", children: [], paths: [] };
    module.require = requireFor();
    try {
      const args = [module.exports, module.require, module, path, "/work"];
      const own = apply(script, module.exports, args);
      return this.check(module.exports, own);
    } catch (error) {
      return `"load":"raised",${describe(error)}`;
    }
  }

  module(source, own, done) {
    if (SourceTextModule === undefined) {
      const text = `this Node runs no ES modules here; end the file with module.exports = { ${this.interface.name} }`;
      throw new Unreadable(new SyntaxError(text));
    }
    let meta;
    const compile = (text) => {
      try {
        return new SourceTextModule(text, {
          identifier: this.file,
          initializeImportMeta: (given) => {
            meta = given;
            meta.url = `file:///work/${this.file}`;
          },
        });
      } catch (error) {
        throw new Unreadable(placed(error, source, this.file));
      }
    };
    compile(source);
    const module = compile(`${source}\n;import.meta.own = ${own}`);
    const raised = (error) => done(`"load":"raised",${describe(error)}`);
    const loaded = () => {
      let body;
      try {
        body = this.check(module.namespace, meta === undefined ? undefined : meta.own);
      } catch (error) {
        body = `"load":"raised",${describe(error)}`;
      }
      done(body);
    };
    process.once("beforeExit", () => raised(new Error("a top-level await never comes to an end")));
    then(module.link(builtin), () => then(module.evaluate(), loaded, raised), raised);
  }

  /** What is wrong with what it defines; nothing is when it says ok. */
  check(exported, own) {
    const { name } = this.interface;
    const target = this.pick(exported, own, name);
    if (target === undefined) {
      const there = this.isClass && typeof own === "function" ? `,"is":"function"` : "";
      return `"load":"missing","found":[${this.found(exported, name)}]${there}`;
    }
    this.target = target;
    const problems = this.isClass ? this.problems(target) : few(name, target, this.interface.params);
    return problems === "" ? '"load":"ok"' : `"load":"signature","problems":[${problems}]`;
  }

  pick(exported, own, name) {
    const holds = (typeof exported === "object" && exported !== null) || typeof exported === "function";
    if (holds && this.fits(exported[name])) return exported[name];
    if (this.fits(exported) && (nameOf(exported) === name || nameOf(exported) === "")) return exported;
    const usual = holds ? exported.default : undefined;
    if (this.fits(usual) && (nameOf(usual) === name || nameOf(usual) === "default")) return usual;
    return this.fits(own) ? own : undefined;
  }

  fits(value) {
    if (typeof value !== "function") return false;
    if (!this.isClass) return true;
    try {
      // Asks only whether `new` may be used with it.
      construct(Object, [], value);
      return true;
    } catch {
      return false;
    }
  }

  found(exported, name) {
    let list = "";
    let count = 0;
    const add = (found) => {
      if (found === name || count >= NAMES_MAX) return;
      list += `${count > 0 ? "," : ""}${quote(clean(found, 100))}`;
      count++;
    };
    for (let at = 0; at < this.declared.length; at++) add(this.declared[at]);
    if (count === 0 && typeof exported === "object" && exported !== null) {
      const names = keys(exported);
      for (let at = 0; at < names.length; at++) {
        if (typeof exported[names[at]] === "function") add(names[at]);
      }
    }
    if (count === 0 && nameOf(exported) !== "") add(nameOf(exported));
    return list;
  }

  problems(target) {
    const { name, constructor: wanted, methods } = this.interface;
    let list = few(name, target, wanted);
    let trial;
    for (let at = 0; at < methods.length; at++) {
      const method = methods[at];
      const prototype = dataOf(target, "prototype");
      let property = lookUp(prototype, method.name);
      if (property === undefined) {
        // It may be made in the constructor: only an instance can tell.
        if (trial === undefined) trial = attempt(target, wanted);
        if (trial === null) continue;
        property = lookUp(trial, method.name);
      }
      let problem;
      if (property === undefined) problem = absent(method.name, trial);
      else if (!hasOwn(property, "value")) problem = "";
      else if (typeof property.value === "function") {
        problem = few(method.name, property.value, method.params);
      } else {
        problem = tell(method.name, `${method.name} = ${kindOf(property.value)}`, "");
      }
      if (problem !== "") list += (list === "" ? "" : ",") + problem;
    }
    return list;
  }
}

function requireFor() {
  const require = (name) => {
    if (typeof name === "string" && isBuiltin(name)) return provided(name);
    throw absentModule(name);
  };
  require.cache = {};
  require.main = undefined;
  require.resolve = (name) => {
    if (typeof name === "string" && isBuiltin(name)) return name;
    throw absentModule(name);
  };
  return require;
}

function absentModule(name) {
  const error = new Error(`Cannot find module ${inspect(name)}: only Node's own modules are here`);
  error.code = "MODULE_NOT_FOUND";
  return error;
}

/** A module of Node's own for an `import`. */
function builtin(name) {
  if (!isBuiltin(name)) throw absentModule(name);
  const module = provided(name);
  const names = Object.keys(module).filter((key) => key !== "default");
  return new SyntheticModule(["default", ...names], function fill() {
    this.setExport("default", module);
    for (const key of names) this.setExport(key, module[key]);
  });
}
