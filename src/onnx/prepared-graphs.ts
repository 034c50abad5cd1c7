// Graphs whose weights all processes share: ONNX Runtime optimises a graph and packs its weights once, and saves both. Every process
// maps the saved file read-only. The weights are then in memory once, and a process that loads them neither optimises nor packs.
// The packed layout depends on the processor and on the version of ONNX Runtime. ONNX Runtime does not check it: both are part of the key.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { mkdir, open, readdir, readFile, rename, rm, stat, statfs, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { packageFolder } from "../process/package-folder.ts";
import * as ort from "./runtime.ts";
import { ONE_THREAD } from "./session-options.ts";
import { unfinishedName } from "./unfinished-graphs.ts";

const GRAPH_FILE = "graph.onnx";
const WEIGHTS_FILE = "graph.weights";
/** Has the SHA-256 of both: ONNX Runtime computes with damaged weights without an error. */
const DIGEST_FILE = "sha256";
/** Without this much free space nothing is saved: recordings need it more. */
const LEAST_FREE_BYTES = 2_000_000_000;
/** Smaller constants stay in the graph. ONNX Runtime takes the values of options as text. */
const LEAST_SHARED_BYTES = "1024";

const SAVING = {
  ...ONE_THREAD.extra.session,
  optimized_model_external_initializers_file_name: WEIGHTS_FILE,
  optimized_model_external_initializers_min_size_in_bytes: LEAST_SHARED_BYTES,
  save_external_prepacked_constant_initializers: "1",
} as const;

/** Where graphs are saved. */
export interface PreparedGraphs {
  /** Folder of all prepared graphs; it may not exist. */
  folder: string;
  /** Hash of the processor, the packages and the code: part of the name of each graph's folder. */
  key: string;
}

/** Model and instruction sets of the processor. */
async function processorName(): Promise<string> {
  const flags = await readFile("/proc/cpuinfo", "latin1").then(
    (text) => /^(?:flags|Features)\s*:(.*)$/m.exec(text)?.[1] ?? "",
    () => "",
  );
  return [process.platform, process.arch, os.cpus()[0]?.model ?? "", flags].join(" ");
}

/** Names and contents of the modules in the folder of a module. */
async function codeBeside(module: string): Promise<string[]> {
  const folder = path.dirname(fileURLToPath(module));
  const names = (await readdir(folder)).filter((name) => /\.[jt]s$/.test(name)).sort();
  return Promise.all(names.map(async (name) => name + (await readFile(path.join(folder, name), "utf8"))));
}

/**
 * @param folder    of all prepared graphs
 * @param module    import.meta.url of a module in the folder of the code that builds the graphs
 * @param packages  npm packages of the weights
 */
export async function preparedGraphs(
  folder: string,
  module: string,
  packages: readonly string[],
): Promise<PreparedGraphs> {
  const hash = createHash("sha256");
  const manifests = [ort.RUNTIME_PACKAGE, ...packages].map((name) => path.join(packageFolder(name), "package.json"));
  const parts = [
    await processorName(),
    ...(await Promise.all(manifests.map((file) => readFile(file, "utf8")))),
    ...(await codeBeside(import.meta.url)),
    ...(await codeBeside(module)),
  ];
  for (const part of parts) hash.update(part).update("\0");
  return { folder, key: hash.digest("hex").slice(0, 16) };
}

async function isFile(file: string): Promise<boolean> {
  return (await stat(file).catch(() => undefined))?.isFile() ?? false;
}

async function synced(file: string): Promise<void> {
  const handle = await open(file, "r+");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/**
 * SHA-256 of graph and weights, in hex. Blocks for 0.1 s: a busy process that read them asynchronously, piece by piece between its
 * passes, took up to 30 s, and texts waited for the second model that long.
 */
function digestOf(folder: string): string {
  const hash = createHash("sha256");
  for (const name of [GRAPH_FILE, WEIGHTS_FILE]) hash.update(readFileSync(path.join(folder, name)));
  return hash.digest("hex");
}

/** @throws Error if it is damaged */
async function openPrepared(folder: string): Promise<ort.InferenceSession> {
  const saved = await readFile(path.join(folder, DIGEST_FILE), "latin1");
  if (saved !== digestOf(folder)) throw new Error("the prepared graph is damaged");
  return ort.InferenceSession.create(path.join(folder, GRAPH_FILE), ONE_THREAD);
}

/** Saves the graph with its weights to `to`, which another process may do at the same time. */
async function save(graph: Uint8Array, to: string, name: string): Promise<void> {
  const parent = path.dirname(to);
  await mkdir(parent, { recursive: true });
  const { bavail, bsize } = await statfs(parent);
  if (bavail * bsize < LEAST_FREE_BYTES) throw new Error("not enough free space");
  const unfinished = path.join(parent, unfinishedName());
  try {
    await mkdir(unfinished);
    const graphFile = path.join(unfinished, GRAPH_FILE);
    const options = { ...ONE_THREAD, optimizedModelFilePath: graphFile, extra: { session: SAVING } };
    await (await ort.InferenceSession.create(graph, options)).release();
    await writeFile(path.join(unfinished, DIGEST_FILE), digestOf(unfinished));
    // A power cut must leave no half of a file under its final name.
    await synced(path.join(unfinished, WEIGHTS_FILE));
    await synced(graphFile);
    await synced(path.join(unfinished, DIGEST_FILE));
    await rename(unfinished, to).catch(async (error: unknown) => {
      if (!(await isFile(path.join(to, GRAPH_FILE)))) throw error;
    });
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
  // Processes that have a removed file mapped keep it until they end.
  for (const other of await readdir(parent)) {
    const isFormer = other.startsWith(`${name}.`) && other !== path.basename(to);
    if (isFormer) await rm(path.join(parent, other), { recursive: true, force: true });
  }
}

/**
 * Opens a graph whose weights are shared with other processes. Where it cannot be saved, the process has weights of its own.
 * @param graphs  undefined to save nothing
 * @param name    of the graph among all of the folder
 * @param build   called only if the graph was not prepared yet
 * @throws Error if the graph cannot be built
 */
export async function openGraph(
  graphs: PreparedGraphs | undefined,
  name: string,
  build: () => Promise<Uint8Array>,
): Promise<ort.InferenceSession> {
  if (!graphs) return ort.InferenceSession.create(await build(), ONE_THREAD);
  const folder = path.join(graphs.folder, `${name}.${graphs.key}`);
  if (await isFile(path.join(folder, GRAPH_FILE))) {
    try {
      return await openPrepared(folder);
    } catch {
      // Damaged: it is prepared again.
      await rm(folder, { recursive: true, force: true }).catch(() => undefined);
    }
  }
  const graph = await build();
  try {
    await save(graph, folder, name);
    return await openPrepared(folder);
  } catch {
    return ort.InferenceSession.create(graph, ONE_THREAD);
  }
}
