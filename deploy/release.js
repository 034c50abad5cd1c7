// Makes a release: npm run release -- VERSION [--no-image]
// Sets the version, dates the changelog, and writes the npm package, the archive with all dependencies, the image, the list of components
// (SBOM) and their checksums to release/VERSION. Then it commits, tags, and lists the version in versions.json. It publishes nothing.
// When a step fails, the files of the repository are as before.
import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  createReadStream,
  createWriteStream,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import { parseArgs } from "node:util";
import { createGzip } from "node:zlib";

const CHANGED = ["package.json", "package-lock.json", "CHANGELOG.md"];
const UNRELEASED = "## Unreleased\n";

class Refusal extends Error {}

const { values, positionals } = parseArgs({ options: { "no-image": { type: "boolean" } }, allowPositionals: true });
const [version = ""] = positionals;

/** @returns standard output */
function run(program, args, stdio = ["ignore", "pipe", "inherit"]) {
  const ran = spawnSync(program, args, {
    encoding: "utf8",
    stdio,
    maxBuffer: 2 ** 28,
    shell: process.platform === "win32",
  });
  if (ran.status !== 0) throw new Error(`${program} ${args.join(" ")} failed`);
  return ran.stdout ?? "";
}
const show = (program, args) => run(program, args, ["ignore", "inherit", "inherit"]);

const numbers = (text) => text.split(".").map(Number);
function isLater(one, other) {
  const [left, right] = [numbers(one), numbers(other)];
  const index = left.findIndex((number, place) => number !== right[place]);
  return index >= 0 && left[index] > right[index];
}

/** @returns the changelog with the section of this release */
function check() {
  if (!/^\d+\.\d+\.\d+$/.test(version))
    throw new Refusal("usage: npm run release -- VERSION [--no-image], such as 0.2.0");
  const listed = JSON.parse(readFileSync("versions.json", "utf8"));
  const last = listed.at(-1)?.version ?? "0.0.0";
  if (!isLater(version, last)) throw new Refusal(`the version must be later than ${last}; it is ${version}`);
  if (run("git", ["status", "--porcelain"]) !== "")
    throw new Refusal("commit or remove the changes in the repository first");
  const changelog = readFileSync("CHANGELOG.md", "utf8");
  const [before, after = ""] = changelog.split(UNRELEASED);
  const section = after.split(/^## /m)[0] ?? "";
  if (!/^- /m.test(section)) throw new Refusal('CHANGELOG.md has no entries below "## Unreleased"');
  if (!values["no-image"] && spawnSync("docker", ["info"], { stdio: "ignore" }).status !== 0) {
    throw new Refusal("docker does not work here. Start it, or leave the image out: --no-image");
  }
  const today = new Date().toISOString().slice(0, 10);
  return `${before}${UNRELEASED}\n## ${version} (${today})\n${after}`;
}

async function image(folder) {
  show("docker", ["build", "-f", "deploy/Dockerfile", "-t", `parlance:${version}`, "."]);
  const saving = spawn("docker", ["save", `parlance:${version}`], { stdio: ["ignore", "pipe", "inherit"] });
  const ended = new Promise((resolve) => saving.once("exit", resolve));
  const file = path.join(folder, `parlance-${version}-image.tar.gz`);
  await pipeline(saving.stdout, createGzip(), createWriteStream(file));
  if ((await ended) !== 0) throw new Error("docker save failed");
}

async function checksums(folder) {
  const lines = [];
  for (const name of readdirSync(folder).sort()) {
    const hash = createHash("sha256");
    await pipeline(createReadStream(path.join(folder, name)), hash);
    lines.push(`${hash.digest("hex")}  ${name}\n`);
  }
  writeFileSync(path.join(folder, "SHA256SUMS"), lines.join(""));
}

async function release() {
  const changelog = check();
  const folder = path.resolve("release", version);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  try {
    run("npm", ["version", version, "--no-git-tag-version", "--allow-same-version"]);
    writeFileSync("CHANGELOG.md", changelog);
    show(process.execPath, ["deploy/package.js", "--with-dependencies", "--pack-destination", folder]);
    const components = run("npm", ["sbom", "--sbom-format", "cyclonedx", "--omit", "dev", "--package-lock-only"]);
    writeFileSync(path.join(folder, `parlance-${version}.cdx.json`), components);
    if (!values["no-image"]) await image(folder);
    await checksums(folder);
    show("git", ["commit", "--quiet", "-m", `release: ${version}`, "--", ...CHANGED]);
  } catch (error) {
    run("git", ["checkout", "--quiet", "--", ...CHANGED]);
    throw error;
  }
  show("git", ["tag", "-a", `v${version}`, "-m", `Parlance ${version}`]);
  // A commit cannot contain its own hash.
  const commit = run("git", ["rev-parse", "HEAD"]).trim();
  const listed = [...JSON.parse(readFileSync("versions.json", "utf8")), { version, commit }];
  writeFileSync("versions.json", `${JSON.stringify(listed, undefined, 2)}\n`);
  show("git", ["commit", "--quiet", "-m", `release: list ${version} in versions.json`, "--", "versions.json"]);
  process.stdout.write(`${folder} has the release. Publish it with: git push --follow-tags\n`);
}

try {
  await release();
} catch (error) {
  process.stderr.write(`${error instanceof Refusal ? error.message : error.stack}\n`);
  process.exit(1);
}
