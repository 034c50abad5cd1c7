// Graphs whose weights all processes share: ONNX Runtime optimises a graph and packs its weights once, and saves both. Every process
// maps the saved file read-only. The weights are then in memory once, and a process that loads them neither optimises nor packs.
// The packed layout depends on the processor and on the version of ONNX Runtime. ONNX Runtime does not check it: both are part of the key.
// A damaged file fails its checksum, is removed and prepared again. Where nothing can be saved, such as on a full disk, a process builds weights of its own: it
// starts later and takes more memory, and its results are the same.
import { createHash } from "node:crypto";
import { mkdir, open, readdir, readFile, rename, rm, stat, statfs, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { crc32 } from "node:zlib";
import { packageFolder } from "../../platform/process/package-folder.ts";
import * as ort from "./runtime.ts";
import { ONE_THREAD } from "./session-options.ts";
import { unfinishedName } from "./unfinished-graphs.ts";

const GRAPH_FILE = "graph.onnx";
const WEIGHTS_FILE = "graph.weights";
/**
 * Has the CRC-32 of both: ONNX Runtime computes with damaged weights without an error. It is read at each start, and takes a quarter of the
 * time of SHA-256. It protects from damage alone: who can write the weights can write this file.
 */
const CHECKSUM_FILE = "crc32";
/** Read and summed in 10 to 20 ms. */
const CHECKSUM_BLOCK_BYTES = 16 * 1024 * 1024;
/** Contains the path of the model's folder. */
const SOURCE_FILE = "source";
/** Free space that must remain after saving: recordings have priority. */
const LEAST_FREE_BYTES = 2_000_000_000;
/** Saved files have most weights twice, as they were and packed. */
const SIZE_FACTOR = 3;
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
  /** Folder of the model, if it has one. When it has been removed, its graphs are removed, too. */
  source?: string;
  /** Prepares a missing graph in another process; resolves when it is prepared, or cannot be. */
  prepare?: PrepareElsewhere;
}

export type PrepareElsewhere = (isPrepared: () => Promise<boolean>) => Promise<void>;

/** What graphs are built from. */
export type GraphOrigin =
  /** module: import.meta.url of a module in the folder of the code that builds the graphs; packages: npm packages of the weights */
  | { module: string; packages: readonly string[] }
  /** Files of a model, in its folder. */
  | { source: string; files: readonly string[] };

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

async function partsOf(origin: GraphOrigin): Promise<string[]> {
  if ("source" in origin) {
    const stats = await Promise.all(origin.files.map((file) => stat(path.join(origin.source, file))));
    return [origin.source, ...stats.map(({ size, mtimeMs }) => `${size} ${mtimeMs}`)];
  }
  const manifests = origin.packages.map((name) => path.join(packageFolder(name), "package.json"));
  return [
    ...(await Promise.all(manifests.map((file) => readFile(file, "utf8")))),
    ...(await codeBeside(origin.module)),
  ];
}

/** Name of the graph, and the key. */
const PREPARED_NAME = /\.[0-9a-f]{16}$/;

/** Removes the graphs of models that were removed. */
async function removeOrphans(folder: string): Promise<void> {
  for (const name of (await readdir(folder).catch(() => [])).filter((one) => PREPARED_NAME.test(one))) {
    const prepared = path.join(folder, name);
    const source = await readFile(path.join(prepared, SOURCE_FILE), "utf8").catch(() => undefined);
    if (source === undefined) continue;
    const isGone = await stat(source).then(
      () => false,
      (error: NodeJS.ErrnoException) => error.code === "ENOENT",
    );
    if (isGone) await rm(prepared, { recursive: true, force: true }).catch(() => undefined);
  }
}

/** @param folder  of all prepared graphs */
export async function preparedGraphs(
  folder: string,
  origin: GraphOrigin,
  prepare?: PrepareElsewhere,
): Promise<PreparedGraphs> {
  const hash = createHash("sha256");
  const runtime = await readFile(path.join(packageFolder(ort.RUNTIME_PACKAGE), "package.json"), "utf8");
  const parts = [await processorName(), runtime, ...(await codeBeside(import.meta.url)), ...(await partsOf(origin))];
  for (const part of parts) hash.update(part).update("\0");
  await removeOrphans(folder);
  const key = hash.digest("hex").slice(0, 16);
  return {
    folder,
    key,
    ...("source" in origin ? { source: origin.source } : {}),
    ...(prepare ? { prepare } : {}),
  };
}

async function isFile(file: string): Promise<boolean> {
  return (await stat(file).catch(() => undefined))?.isFile() ?? false;
}

/**
 * CRC-32 of graph and weights, in hex. Reads blocks large enough that few passes of other models come between them: with the 64 KB of a
 * stream, a process busy with live sessions took up to 30 s, and texts waited for the second model that long.
 */
async function checksumOf(folder: string): Promise<string> {
  let checksum = 0;
  const block = Buffer.allocUnsafeSlow(CHECKSUM_BLOCK_BYTES);
  for (const name of [GRAPH_FILE, WEIGHTS_FILE]) {
    const file = await open(path.join(folder, name), "r");
    try {
      const read = async () => (await file.read(block, 0, block.length)).bytesRead;
      for (let length = await read(); length > 0; length = await read())
        checksum = crc32(block.subarray(0, length), checksum);
    } finally {
      await file.close();
    }
  }
  return checksum.toString(16).padStart(8, "0");
}

/** @throws Error if it is damaged */
async function openPrepared(folder: string): Promise<ort.InferenceSession> {
  const saved = await readFile(path.join(folder, CHECKSUM_FILE), "latin1");
  if (saved !== (await checksumOf(folder))) throw new Error("the prepared graph is damaged");
  return ort.InferenceSession.create(path.join(folder, GRAPH_FILE), ONE_THREAD);
}

/** Size of a graph with its weights, bytes; for a graph in a file, the size of its folder is an upper bound. */
async function sizeOf(graph: Uint8Array | string): Promise<number> {
  if (typeof graph !== "string") return graph.length;
  const folder = path.dirname(graph);
  const sizes = (await readdir(folder)).map(async (name) => (await stat(path.join(folder, name))).size);
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}

/** @param graph  itself or its file */
const create = (graph: Uint8Array | string, options: ort.InferenceSession.SessionOptions) =>
  typeof graph === "string" ? ort.InferenceSession.create(graph, options) : ort.InferenceSession.create(graph, options);

/** Saves the graph with its weights to `to`, which another process may do at the same time. */
async function save(graph: Uint8Array | string, to: string, name: string, source?: string): Promise<void> {
  const parent = path.dirname(to);
  await mkdir(parent, { recursive: true });
  const { bavail, bsize } = await statfs(parent);
  const needed = LEAST_FREE_BYTES + SIZE_FACTOR * (await sizeOf(graph));
  if (bavail * bsize < needed) throw new Error("not enough free space");
  const unfinished = path.join(parent, unfinishedName());
  try {
    await mkdir(unfinished);
    const graphFile = path.join(unfinished, GRAPH_FILE);
    const options = { ...ONE_THREAD, optimizedModelFilePath: graphFile, extra: { session: SAVING } };
    await (await create(graph, options)).release();
    if (source !== undefined) await writeFile(path.join(unfinished, SOURCE_FILE), source);
    await writeFile(path.join(unfinished, CHECKSUM_FILE), await checksumOf(unfinished));
    // Not synced, which can take a second: after a power cut, the checksum shows what is not whole.
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

const folderOf = (graphs: PreparedGraphs, name: string) => path.join(graphs.folder, `${name}.${graphs.key}`);

/**
 * Saves a graph that is not prepared yet, for other processes. Opens nothing that it has saved.
 * @throws Error if the graph cannot be built or saved
 */
export async function prepareGraph(
  graphs: PreparedGraphs,
  name: string,
  build: () => Promise<Uint8Array | string>,
): Promise<void> {
  const folder = folderOf(graphs, name);
  if (!(await isFile(path.join(folder, GRAPH_FILE)))) await save(await build(), folder, name, graphs.source);
}

/** @returns undefined if the graph is not prepared; a damaged one is removed */
async function openIfPrepared(folder: string): Promise<ort.InferenceSession | undefined> {
  if (!(await isFile(path.join(folder, GRAPH_FILE)))) return undefined;
  try {
    return await openPrepared(folder);
  } catch {
    await rm(folder, { recursive: true, force: true }).catch(() => undefined);
    return undefined;
  }
}

/**
 * Opens a graph whose weights are shared with other processes. Where it cannot be saved, the process has weights of its own.
 * @param graphs  undefined to save nothing
 * @param name    of the graph among all of the folder
 * @param build   the graph or its file; called only if the graph was not prepared yet
 * @throws Error if the graph cannot be built
 */
export async function openGraph(
  graphs: PreparedGraphs | undefined,
  name: string,
  build: () => Promise<Uint8Array | string>,
): Promise<ort.InferenceSession> {
  if (!graphs) return create(await build(), ONE_THREAD);
  const folder = folderOf(graphs, name);
  const known = await openIfPrepared(folder);
  if (known) return known;
  await graphs.prepare?.(() => isFile(path.join(folder, GRAPH_FILE))).catch(() => undefined);
  const prepared = await openIfPrepared(folder);
  if (prepared) return prepared;
  const graph = await build();
  try {
    await save(graph, folder, name, graphs.source);
    return await openPrepared(folder);
  } catch {
    return create(graph, ONE_THREAD);
  }
}
