// Does honest work: asks for the machine's size, draws random bytes, packs text and copies a file.
const os = require("node:os");
const zlib = require("node:zlib");
const fs = require("node:fs");
console.log(typeof os.totalmem(), os.cpus().length >= 0);
console.log(require("node:crypto").randomBytes(16).length, zlib.gunzipSync(zlib.gzipSync("packed")).toString());
const folder = process.env.WORKSPACE;
fs.writeFileSync(folder + "/hostile-a", "text");
fs.copyFileSync(folder + "/hostile-a", folder + "/hostile-b");
console.log(fs.readFileSync(folder + "/hostile-b", "utf8"));
fs.rmSync(folder + "/hostile-a");
fs.rmSync(folder + "/hostile-b");
