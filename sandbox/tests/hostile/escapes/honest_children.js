// Does honest work: another program, a child that is spoken to, and a worker.
const { fork, spawnSync } = require("node:child_process");
const { Worker, isMainThread, parentPort } = require("node:worker_threads");
if (process.argv[2] === "child") {
    process.on("message", (message) => process.send(message * 2, () => process.exit()));
} else if (!isMainThread) {
    parentPort.postMessage(21);
} else {
    new Worker(__filename).on("message", (half) => {
        console.log("worker", half);
        const said = spawnSync(process.execPath, ["--openssl-config=/dev/null", "-p", "6 * 7"]);
        if (said.error) return console.log(said.error.code);
        console.log("spawned", String(said.stdout).trim());
        const child = fork(__filename, ["child"], { execArgv: ["--openssl-config=/dev/null"] });
        child.on("message", (whole) => console.log("child", whole));
        child.send(half);
    });
}
