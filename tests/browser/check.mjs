// Opens a page of `--html` in a real browser and prints what is wrong with it, as JSON: what the console
// says, what is asked of anybody but the page's own file, and what axe finds that is serious, in light, in
// dark and on paper. Nothing is fetched: the browser and axe are given.
//
//   node check.mjs BROWSER AXE PAGE...
//
// The browser is spoken to over two pipes (--remote-debugging-pipe), so no port is opened.

import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [browser, axe, ...pages] = process.argv.slice(2);
const profile = mkdtempSync(join(tmpdir(), "vosim-browser-"));
const child = spawn(
  browser,
  [
    "--headless",
    "--remote-debugging-pipe",
    "--no-first-run",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    `--user-data-dir=${profile}`,
    // Its own sandbox needs namespaces that root and containers do not have; the page is ours.
    "--no-sandbox",
  ],
  { stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"] },
);
const [, , , write, read] = child.stdio;

const waiting = new Map();
const heard = [];
let last = 0;
let rest = Buffer.alloc(0);
read.on("data", (bytes) => {
  rest = Buffer.concat([rest, bytes]);
  for (let end = rest.indexOf(0); end >= 0; end = rest.indexOf(0)) {
    const message = JSON.parse(rest.subarray(0, end).toString("utf8"));
    rest = rest.subarray(end + 1);
    if (message.id === undefined) {
      heard.forEach((hear) => hear(message));
    } else {
      const { done, failed } = waiting.get(message.id);
      waiting.delete(message.id);
      message.error ? failed(new Error(message.error.message)) : done(message.result);
    }
  }
});
child.on("exit", (code) => {
  for (const { failed } of waiting.values()) failed(new Error(`the browser ended with ${code}`));
});

function ask(method, params = {}, sessionId = undefined) {
  last += 1;
  const id = last;
  write.write(JSON.stringify({ id, method, params, sessionId }) + "\0");
  return new Promise((done, failed) => waiting.set(id, { done, failed }));
}

async function look(file) {
  const url = pathToFileURL(resolve(file)).href;
  const found = { page: file, console: [], asked: [], axe: [], links: 0, title: "" };
  const { targetId } = await ask("Target.createTarget", { url: "about:blank" });
  const { sessionId } = await ask("Target.attachToTarget", { targetId, flatten: true });
  const say = (method, params) => ask(method, params, sessionId);
  let loaded;
  const whole = new Promise((done) => (loaded = done));
  heard.push(({ method, params, sessionId: of }) => {
    if (of !== sessionId) return;
    if (method === "Page.loadEventFired") loaded();
    if (method === "Runtime.exceptionThrown") found.console.push(params.exceptionDetails.text);
    if (method === "Runtime.consoleAPICalled") {
      found.console.push(params.args.map((one) => one.value ?? one.description).join(" "));
    }
    if (method === "Log.entryAdded") found.console.push(`${params.entry.level}: ${params.entry.text}`);
    if (method === "Network.requestWillBeSent") {
      const to = params.request.url;
      if (to !== url && !to.startsWith("data:")) found.asked.push(to);
    }
  });
  for (const domain of ["Page", "Runtime", "Log", "Network"]) await say(`${domain}.enable`);
  await say("Page.navigate", { url });
  await whole;
  const evaluate = async (expression) => {
    const answer = await say("Runtime.evaluate", {
      expression,
      awaitPromise: true,
      returnByValue: true,
    });
    if (answer.exceptionDetails) throw new Error(answer.exceptionDetails.text);
    return answer.result.value;
  };
  found.title = await evaluate("document.title");
  // Each link is followed as a reader would: its place must be there.
  const lost =
    "[...document.links].filter((a) => !document.getElementById(a.hash.slice(1))).map((a) => a.href)";
  found.lost = await evaluate(lost);
  found.links = await evaluate("document.links.length");
  await evaluate(readFileSync(axe, "utf8") + ";0");
  const run = `axe.run({ resultTypes: ["violations"] }).then(({ violations }) => violations
    .filter((one) => one.impact === "serious" || one.impact === "critical")
    .map((one) => one.id + ": " + one.nodes.map((node) => node.target).join(", ")))`;
  for (const scheme of ["light", "dark"]) {
    const features = [{ name: "prefers-color-scheme", value: scheme }];
    await say("Emulation.setEmulatedMedia", { features });
    found.axe.push(...(await evaluate(run)).map((one) => `${scheme}: ${one}`));
  }
  const paper = await say("Page.printToPDF", {});
  found.paper = Buffer.from(paper.data, "base64").length;
  await ask("Target.closeTarget", { targetId });
  return found;
}

try {
  const all = [];
  for (const page of pages) all.push(await look(page));
  console.log(JSON.stringify(all));
} finally {
  const gone = new Promise((done) => child.on("exit", done));
  const late = setTimeout(() => child.kill("SIGKILL"), 5000);
  if (child.exitCode === null && child.signalCode === null) {
    ask("Browser.close").catch(() => {});
    await gone;
  }
  clearTimeout(late);
  // What it leaves behind is nobody's fault here.
  try {
    rmSync(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  } catch {}
}
