// Makes one archive with Parlance and all its dependencies except Node.js, for machines without a network: unpack it and start
// bin/parlance.js. The archive is for the platform on which it is made.
//   node deploy/bundle.js [--to FOLDER]     after npm run build, with the packages of npm ci
import { spawn, spawnSync } from "node:child_process";
import {
  copyFileSync,
  cpSync,
  createWriteStream,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
} from "node:fs";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import { parseArgs } from "node:util";
import { createGzip } from "node:zlib";
import { removeStaleCode } from "./stale-code.js";

/** Most of the content are libraries and weights: higher levels take several times as long and save little. */
const COMPRESSION_LEVEL = 3;

const { values } = parseArgs({ options: { to: { type: "string", default: "." } } });
const { version, files } = JSON.parse(readFileSync("package.json", "utf8"));
const name = `parlance-${version}-${process.platform}-${process.arch}`;
const target = path.resolve(values.to);
const stage = path.join(target, name);
const fail = (message) => {
  throw new Error(message);
};

if (!existsSync("dist/compact/files.json") || !existsSync("dist/console/index.html"))
  fail("dist is not complete: run npm run build first");
removeStaleCode();
const lockFile = "node_modules/.package-lock.json";
if (!existsSync(lockFile)) fail(`there is no ${lockFile}: run npm ci first`);

/** A hard link where the file system allows one: the archive is made of it, and it is removed. */
function copyFile(from, to) {
  try {
    linkSync(from, to);
  } catch {
    copyFileSync(from, to);
  }
}

/** Packages inside of a package are listed on their own. */
function copyPackage(from, to) {
  mkdirSync(to, { recursive: true });
  for (const item of readdirSync(from, { withFileTypes: true })) {
    const [source, copy] = [path.join(from, item.name), path.join(to, item.name)];
    if (item.isDirectory() && item.name !== "node_modules") copyPackage(source, copy);
    else if (item.isFile()) copyFile(source, copy);
  }
}

rmSync(stage, { recursive: true, force: true });
mkdirSync(stage, { recursive: true });
try {
  const { packages } = JSON.parse(readFileSync(lockFile, "utf8"));
  for (const [place, { dev, link }] of Object.entries(packages)) {
    if (!dev && !link && existsSync(place)) copyPackage(place, path.join(stage, place));
  }
  const own = [...files.filter((file) => !file.startsWith("!")), "package.json", "README.md", "LICENSE"];
  const isShipped = (file) => !/\.(map|tsbuildinfo|build-lock)$/.test(file);
  for (const file of own.filter((one) => existsSync(one))) {
    cpSync(file, path.join(stage, file), { recursive: true, filter: isShipped });
  }
  const slimmed = spawnSync(process.execPath, ["deploy/slim.js", stage], { stdio: "inherit" });
  if (slimmed.status !== 0) fail("deploy/slim.js failed");

  const archive = path.join(target, `${name}.tar.gz`);
  const tar = spawn("tar", ["-cf", "-", "-C", target, name], { stdio: ["ignore", "pipe", "inherit"] });
  const ended = new Promise((resolve, reject) => {
    tar.once("error", reject);
    tar.once("exit", resolve);
  });
  await pipeline(tar.stdout, createGzip({ level: COMPRESSION_LEVEL }), createWriteStream(archive));
  if ((await ended) !== 0) fail("tar failed");
  process.stdout.write(`${archive}\n`);
} finally {
  rmSync(stage, { recursive: true, force: true });
}
