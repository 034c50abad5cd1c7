#!/usr/bin/env node
// Entry of the command line. In a clone the compiled code is made on the first run and whenever the source is newer;
// an installed package brings it along.
import { spawnSync } from "node:child_process";
import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  rmSync,
  statSync,
  utimesSync,
} from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const source = path.join(root, "src");
const dist = path.join(root, "dist");
const entry = path.join(dist, "compact", "cli", "main.js");
/** deploy/compact.js writes it last. */
const compactList = path.join(dist, "compact", "files.json");
const consoleSource = path.join(root, "console");
const consolePage = path.join(dist, "console", "index.html");

/** Latest time of change of a file below a folder, milliseconds. Times in the future and files that cannot be read do not count. */
function newest(folder) {
  const now = Date.now();
  let latest = 0;
  for (const item of readdirSync(folder, { withFileTypes: true })) {
    const file = path.join(folder, item.name);
    if (file.endsWith(".test.ts")) continue;
    let time = 0;
    try {
      time = item.isDirectory() ? newest(file) : statSync(file).mtimeMs;
    } catch {}
    if (time <= now) latest = Math.max(latest, time);
  }
  return latest;
}

/** Build tools see no setting of the service, and write below dist alone: Vite has a compile cache in the temporary folder. */
const temporary = path.join(dist, "tmp");
const buildEnvironment = {
  PATH: process.env.PATH,
  SYSTEMROOT: process.env.SYSTEMROOT,
  HOME: temporary,
  TMPDIR: temporary,
  TEMP: temporary,
  TMP: temporary,
  NODE_DISABLE_COMPILE_CACHE: "1",
  ORT_DISABLE_TELEMETRY: "1",
};

/** Its time of change is the start of the last build. */
const stamp = path.join(dist, ".tsbuildinfo");
let isBuildShown = false;
/** Descriptor of the locked file. The kernel releases the lock when every process that has the descriptor has closed it or ended. */
let buildLock;

/** @param what  the step, for the message */
function run(what, tool, ...args) {
  try {
    accessSync(existsSync(dist) ? dist : root, constants.W_OK);
    mkdirSync(temporary, { recursive: true });
  } catch (error) {
    process.stderr.write(
      `parlance: the compiled code is missing or older than the source, and ${dist} cannot be written (${error.code}). ` +
        "Run npm start once as the owner of the source.\n",
    );
    process.exit(1);
  }
  if (!isBuildShown)
    process.stderr.write(
      "parlance: building the compiled code from the source. This is necessary once, and after changes; it takes a minute, on a slow machine several\n",
    );
  isBuildShown = true;
  const began = Date.now();
  process.stderr.write(`parlance: ${what} …\n`);
  const built = spawnSync(process.execPath, [tool, ...args], {
    // tsc writes errors to its standard output. The build tool inherits the lock, so the lock outlives a kill of this process.
    stdio: ["ignore", 2, 2, ...(buildLock === undefined ? [] : [buildLock])],
    cwd: root,
    env: buildEnvironment,
  });
  rmSync(temporary, { recursive: true, force: true });
  if (built.status === 0) {
    process.stderr.write(`parlance: ${what}: done after ${Math.ceil((Date.now() - began) / 1000)} s\n`);
    return;
  }
  // Without this file, the next start compiles again.
  rmSync(stamp, { force: true });
  process.exit(built.status ?? 1);
}

/** Ends the process with advice where the tool is not installed, as after npm ci --omit=dev. */
function toolOf(name, file) {
  try {
    return path.join(path.dirname(createRequire(import.meta.url).resolve(`${name}/package.json`)), file);
  } catch {
    process.stderr.write(
      `parlance: the source must be compiled first, and ${name} is not installed. Run npm ci (without --omit=dev) and npm run build once; ` +
        "afterwards npm prune --omit=dev may remove the build tools. Or install the package that npm run package makes.\n",
    );
    process.exit(1);
  }
}

/** Whether a file that each build writes is missing or older than a folder of the source. */
function isOlder(file, folder) {
  return !existsSync(file) || (existsSync(folder) && statSync(file).mtimeMs < newest(folder));
}

/** Time of change of a file whose build is not complete: if the build is interrupted, the next start builds again. */
const NEVER = new Date(0);

function setTime(file, time) {
  try {
    utimesSync(file, time, time);
  } catch {
    // The file is missing, or belongs to another user of the clone.
  }
}

const isCompiledOld = () => isOlder(stamp, source);
/** What the compact code is made of besides the compiled code. npm writes the first at each installation. */
const joinedWith = [path.join(root, "node_modules", ".package-lock.json"), path.join(root, "deploy", "compact.js")];
/** Without the build tools (npm prune --omit=dev), packages stay as they were joined. */
const canJoin = existsSync(path.join(root, "node_modules", "esbuild", "package.json"));
/** An installed package has no stamp: its compact code is that of its compiled code. */
const isCompactOld = () =>
  !existsSync(entry) ||
  !existsSync(compactList) ||
  (existsSync(stamp) &&
    [stamp, ...(canJoin ? joinedWith : [])].some(
      (file) => existsSync(file) && statSync(compactList).mtimeMs < statSync(file).mtimeMs,
    ));
const isCodeOld = () => isCompiledOld() || isCompactOld();
const isConsoleOld = () => process.argv[2] === "serve" && isOlder(consolePage, consoleSource);

function build() {
  if (isCompiledOld()) {
    const started = new Date();
    run("compiling the service", toolOf("typescript", "bin/tsc"), "-p", path.join(root, "tsconfig.build.json"));
    setTime(stamp, NEVER);
    run("preparing a new database", path.join(dist, "platform", "storage", "db", "embedded", "make-database.js"));
    // tsc leaves the file as it is if no output has changed. Every command would then compile again.
    setTime(stamp, started);
  }
  if (isCompactOld()) {
    toolOf("esbuild", "lib/main.js");
    run("joining the compiled code", path.join(root, "deploy", "compact.js"));
  }
  if (isConsoleOld()) {
    setTime(consolePage, NEVER);
    run(
      "building the web console",
      toolOf("vite", "bin/vite.js"),
      "build",
      "-c",
      path.join(consoleSource, "vite.config.ts"),
      "--logLevel",
      "warn",
    );
  }
}

/** Only one process builds at a time. The others wait, then build what is still old. */
async function buildAlone() {
  try {
    mkdirSync(dist, { recursive: true });
    buildLock = openSync(path.join(dist, ".build-lock"), constants.O_RDWR | constants.O_CREAT);
    const { tryLock, waitForLock } = createRequire(import.meta.url)("fs-native-extensions");
    if (!tryLock(buildLock)) {
      process.stderr.write("parlance: waiting for another process that is building the compiled code\n");
      await waitForLock(buildLock);
    }
  } catch {
    // run() reports missing write access. Without the package, or on a file system without locks, several processes may build at once.
  }
  build();
  if (buildLock !== undefined) closeSync(buildLock);
}

// An installed package has no source.
if (existsSync(source) && (isCodeOld() || isConsoleOld())) await buildAlone();

// npm passes a signal to the shell that it started, and the shell does not pass it on. When that parent is gone, the service stops.
if (process.env.npm_lifecycle_event !== undefined && process.argv[2] === "serve" && process.platform !== "win32") {
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    process.kill(process.pid, "SIGTERM");
  }, 250);
  watch.unref();
}

/** Of the system: no file descriptors left, in this process or on the machine; no memory. */
const SHORTAGES = ["EMFILE", "ENFILE", "ENOMEM"];

try {
  await import(pathToFileURL(entry).href);
} catch (error) {
  if (!SHORTAGES.includes(error?.code)) throw error;
  process.stderr.write(
    `parlance: There are no file descriptors or no memory left to start (${error.code}). Raise the limits: ulimit -n 4096, or LimitNOFILE= of a systemd unit\n`,
  );
  process.exit(1);
}
