// Removes files from node_modules that are not needed at run time: binaries of other platforms, source maps, typings,
// packages' own documents. Prints what remains. For images; run it after `npm prune --omit=dev`.
//   node deploy/slim.js [FOLDER]     FOLDER has node_modules; the current one by default
import { existsSync, readdirSync, rmSync, statSync } from "node:fs";
import path from "node:path";

const root = path.resolve(process.argv[2] ?? ".");
const modules = path.join(root, "node_modules");
if (!existsSync(modules)) {
  process.stderr.write(`there is no ${modules}\n`);
  process.exit(1);
}

function* filesOf(folder) {
  for (const item of readdirSync(folder, { withFileTypes: true })) {
    const file = path.join(folder, item.name);
    if (item.isDirectory()) yield* filesOf(file);
    else if (item.isFile()) yield file;
  }
}

const size = (folder) => [...filesOf(folder)].reduce((sum, file) => sum + statSync(file).size, 0);
const megabytes = (bytes) => `${Math.round(bytes / 1e6)} MB`;
const before = size(modules);
const remove = (file) => rmSync(file, { recursive: true, force: true });

// ONNX Runtime brings its binaries for every platform, and providers for graphics cards.
const runtime = path.join(modules, "onnxruntime-node", "bin");
for (const version of existsSync(runtime) ? readdirSync(runtime) : []) {
  for (const platform of readdirSync(path.join(runtime, version))) {
    if (platform !== process.platform) remove(path.join(runtime, version, platform));
    else {
      for (const architecture of readdirSync(path.join(runtime, version, platform))) {
        const folder = path.join(runtime, version, platform, architecture);
        if (architecture !== process.arch) remove(folder);
        else for (const file of readdirSync(folder)) if (/cuda|tensorrt/i.test(file)) remove(path.join(folder, file));
      }
    }
  }
}
// File locks: one binary a platform, and others for another runtime.
const locks = path.join(modules, "fs-native-extensions", "prebuilds");
for (const name of existsSync(locks) ? readdirSync(locks) : []) {
  if (name !== `${process.platform}-${process.arch}`) remove(path.join(locks, name));
  else remove(path.join(locks, name, "fs-native-extensions.bare"));
}
// Language models: binaries of another platform (the one for arm64 is installed on x64, too), the sources to build others.
const llama = path.join(modules, "@node-llama-cpp");
const llamaPlatform = { darwin: "mac", win32: "win" }[process.platform] ?? process.platform;
for (const name of existsSync(llama) ? readdirSync(llama) : []) {
  if (!name.startsWith(`${llamaPlatform}-${process.arch}`)) remove(path.join(llama, name));
}
// An optional companion of node-llama-cpp, for its users' types.
for (const name of ["typescript", "@typescript"]) remove(path.join(modules, name));
remove(path.join(modules, "node-llama-cpp", "llama"));
remove(path.join(modules, "node-llama-cpp", "templates"));
// Files that are never loaded, by their names. Folders are kept: one called doc may contain code.
const NEEDLESS = /\.(map|d\.ts|d\.mts|d\.cts|md|markdown|flow)$/i;
const LICENCE = /licen[cs]e|notice|copying/i;
for (const file of [...filesOf(modules)]) {
  const name = file.slice(modules.length).replaceAll("\\", "/");
  if (NEEDLESS.test(name) && !LICENCE.test(path.basename(name))) remove(file);
}
process.stdout.write(`node_modules: ${megabytes(before)} before, ${megabytes(size(modules))} after\n`);
