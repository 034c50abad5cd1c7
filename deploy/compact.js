// Makes dist/compact: the compiled code, with the packages that a start reads, in few files: all processes of a start
// together open 500 files instead of 2,400. Runs after the compiler, as part of npm run build. dist keeps the single modules, because code
// finds data files relative to them.
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const dist = path.join(root, "dist");
const compact = path.join(dist, "compact");
/** Files of builds before are kept for this time. */
const KEPT_MILLISECONDS = 7 * 86_400_000;
/** Names the files of this build, relative to dist/compact. Its time of change is the end of the build. */
const list = path.join(compact, "files.json");

/**
 * Packages of plain JavaScript that processes read when they start; what they depend on comes with them. All other packages stay where
 * npm installed them: those with native code or files of their own, and those that are read on first use.
 */
const INCLUDED = new Set([
  "@fastify/ajv-compiler",
  "@fastify/cors",
  "@fastify/multipart",
  "@fastify/static",
  "@fastify/swagger",
  "ajv",
  "commander",
  "fastify",
  "ipaddr.js",
  "kysely",
  "marked",
  "pg",
  "prom-client",
  "typebox",
  "undici",
  "uuid",
  "ws",
]);
/** Dependencies of included packages that stay where npm installed them: pg-native is optional and not installed. */
const APART = ["pg-native", "pino"];

/** A program's own file for a child process or a thread: it is read from dist/compact, too. */
const ENTRY = /entryFile\("(\.\/(?:[\w-]+\/)*(?:child|check|pglite-thread)\.js)", import\.meta\.url\)/g;
/** Replaced by the path from the written file to dist. */
const TO_DIST = "path-to-dist:/";

const sources = readdirSync(dist, { recursive: true, encoding: "utf8" })
  .map((name) => name.split(path.sep).join("/"))
  .filter((name) => name.endsWith(".js") && !/^(compact|console|tmp|new-database-[^/]*)\//.test(name));
const textOf = (name) => readFileSync(path.join(dist, name), "utf8");
const targets = sources.flatMap((name) =>
  [...textOf(name).matchAll(ENTRY)].map(([, relative]) => path.posix.join(path.posix.dirname(name), relative)),
);
const entries = ["cli/main.js", ...new Set(targets)];

/** A module finds files beside it, in docs and in package.json from the place that the compiler gave it. */
function withPlaces(name) {
  const place = (from) => `new URL("${TO_DIST}${from}${name}", import.meta.url).href`;
  const marked = textOf(name).replace(ENTRY, (call) => call.replace("import.meta.url", "AT_ENTRY"));
  return marked.replaceAll("import.meta.url", () => place("")).replaceAll("AT_ENTRY", () => place("compact/"));
}

const nameOf = (specifier) => /^(?:@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? specifier;
const isOwn = (importer) => !importer.includes(`${path.sep}node_modules${path.sep}`);

const plugin = {
  name: "compact",
  setup(setting) {
    setting.onResolve({ filter: /^[^./]/ }, ({ path: specifier, importer, kind }) => {
      if (kind === "entry-point" || specifier.startsWith("node:")) return undefined;
      const name = nameOf(specifier);
      const stays = APART.includes(name) || (isOwn(importer) && !INCLUDED.has(name));
      return stays ? { path: specifier, external: true } : undefined;
    });
    setting.onLoad({ filter: /\.js$/ }, ({ path: file }) => {
      const name = path.relative(dist, file).split(path.sep).join("/");
      return isOwn(file) && !name.startsWith("../") ? { contents: withPlaces(name), loader: "js" } : undefined;
    });
  },
};

/** The licences of the included packages require that their texts come with every copy. */
function licencesOf(inputs) {
  const folders = new Set(
    Object.keys(inputs).flatMap((input) => /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(input)?.[1] ?? []),
  );
  const texts = [...folders].sort().map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(path.join(root, folder, "package.json"), "utf8"));
    const files = readdirSync(path.join(root, folder)).filter((file) => /^(licen[cs]e|notice|copying)/i.test(file));
    const stated = files.map((file) => readFileSync(path.join(root, folder, file), "utf8").trim());
    return [`${name} ${version}: ${license}`, ...stated].join("\n\n");
  });
  return `${texts.join(`\n\n${"-".repeat(80)}\n\n`)}\n`;
}

const { outputFiles, metafile } = await build({
  absWorkingDir: root,
  entryPoints: entries.map((name) => path.join(dist, name)),
  outbase: dist,
  outdir: compact,
  bundle: true,
  splitting: true,
  format: "esm",
  platform: "node",
  target: "node20",
  chunkNames: "shared/[name]-[hash]",
  sourcemap: true,
  sourcesContent: false,
  legalComments: "none",
  // What CommonJS packages require from Node.
  banner: {
    js: 'import { createRequire as requireOf } from "node:module"; const require = requireOf(import.meta.url);',
  },
  metafile: true,
  write: false,
  logLevel: "warning",
  plugins: [plugin],
});

const written = outputFiles.map(({ path: file, text }) => {
  const toDist = path.relative(path.dirname(file), dist).split(path.sep).join("/");
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text.replaceAll(TO_DIST, `${toDist}/`));
  return path.relative(compact, file).split(path.sep).join("/");
});
writeFileSync(path.join(compact, "licences.txt"), licencesOf(metafile.inputs));
const files = new Set([...written, "licences.txt", "files.json"]);
writeFileSync(list, JSON.stringify([...files]));
// A service that runs may read files of a build before on first use. Packages contain none (deploy/stale-code.js).
for (const item of readdirSync(compact, { recursive: true, withFileTypes: true })) {
  const file = path.join(item.parentPath, item.name);
  const isFormer = item.isFile() && !files.has(path.relative(compact, file).split(path.sep).join("/"));
  if (isFormer && Date.now() - statSync(file).mtimeMs > KEPT_MILLISECONDS) rmSync(file);
}
