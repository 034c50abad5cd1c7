// Fetches a checkpoint, has its engine prepare it, and puts it into the store in one step. Killed at any moment, it keeps
// the fetched bytes, from which the next attempt resumes, and leaves no partial model.
import { mkdir, readdir, rename, rm, stat, statfs, writeFile } from "node:fs/promises";
import path from "node:path";
import { errors, ParlanceError } from "../../platform/errors.ts";
import { sleep } from "../../platform/process/sleep.ts";
import { hashFile } from "../../platform/storage/content-hash.ts";
import { Disk } from "../../platform/storage/disk/disk.ts";
import { tryKernelLock } from "../../platform/storage/kernel-lock.ts";
import type { Engine } from "../../speech/engines/engine.ts";
import { ENGINES } from "../../speech/engines/registry.ts";
import { type HubOptions, HubRepository } from "./hub.ts";
import { MANIFEST, MANIFEST_FORMAT, type Manifest } from "./manifest.ts";
import { isModelName } from "./model-name.ts";
import { type Origin, originOf } from "./source.ts";
import type { InstalledModel, ModelStore } from "./store.ts";

const LOCK_POLL_MILLISECONDS = 500;

/**
 * One process at a time makes a model: a kernel lock on a file of the models folder, which several services may share.
 * Waits until this process has the lock.
 * @param onWait  called once when another process has it
 * @returns releases it
 */
export async function lockModel(
  { folder }: Pick<ModelStore, "folder">,
  id: string,
  signal: AbortSignal | undefined,
  onWait: () => void = () => undefined,
): Promise<() => Promise<void>> {
  const file = path.join(folder, `.lock-${id}`);
  for (let attempt = 0; ; attempt++) {
    signal?.throwIfAborted();
    const lock = await tryKernelLock(file);
    if (lock) return () => lock.releaseAndRemove();
    if (attempt === 0) onWait();
    await sleep(LOCK_POLL_MILLISECONDS, signal);
  }
}

/** Syncs a model before it gets its name, even with PARLANCE_FSYNC=false. Models are large and rarely added. */
const disk = new Disk(true);

/**
 * Gives a model its name in the store when it is complete. The caller has the lock of the model.
 * @param make          writes the files of the model to a folder
 * @param removeFormer  removes the former model with this name
 */
export async function placeModel(
  store: ModelStore,
  id: string,
  make: (folder: string) => Promise<Manifest>,
  removeFormer: () => Promise<void>,
): Promise<void> {
  const making = path.join(store.folder, `.making-${id}`);
  await rm(making, { recursive: true, force: true });
  await mkdir(making);
  try {
    const manifest = await make(making);
    await writeFile(path.join(making, MANIFEST), JSON.stringify(manifest, undefined, 2));
    await disk.syncTree(making);
    await removeFormer();
    await rename(making, path.join(store.folder, id));
    await disk.syncFolder(store.folder);
  } finally {
    await rm(making, { recursive: true, force: true });
  }
}

export type InstallStage = "waiting" | "fetching" | "preparing";

export interface InstallOptions {
  /** Name for it, instead of its own. */
  id?: string;
  /** ISO 639 codes of its languages, if neither its files nor the catalogue name them. */
  languages?: readonly string[];
  hub: HubOptions;
  /** Time of the installation; without it, that of this machine. */
  now?(): Date;
  /** @param share  of this stage, 0 to 1 */
  progress(stage: InstallStage, share: number): void;
  signal?: AbortSignal;
}

/** Prepared files take at most as much space as the fetched ones; this is the margin. */
const SPARE_BYTES = 50_000_000;

/** @returns the model; `isNew` false when it was there already */
export async function installModel(
  name: string,
  store: ModelStore,
  options: InstallOptions,
): Promise<{ model: InstalledModel; isNew: boolean }> {
  const { hub, signal, progress } = options;
  const origin = await originOf(name, hub, signal);
  const id = options.id ?? origin.id;
  // Nothing is left of a folder's name without Latin letters.
  if (!isModelName(id)) throw errors.modelNameUnusable(id);
  await mkdir(store.folder, { recursive: true });
  const unlock = await lockModel(store, id, signal, () => progress("waiting", 0));
  try {
    store.forget();
    const known = await store.find(id);
    if (known?.manifest && known.manifest.source === origin.source) return { model: known, isNew: false };
    if (known) throw errors.modelNameTaken(id);
    const old = (await store.outdated()).find((manifest) => manifest.id === id);
    if (old && old.source !== origin.source) throw errors.modelNameTaken(id);
    await install({ ...origin, id }, store, { ...options, isReplacing: old !== undefined });
    store.forget();
    return { model: await store.get(id), isNew: true };
  } catch (error) {
    throw await translated(error, store.folder, origin.files.name, signal);
  } finally {
    await unlock();
  }
}

async function translated(error: unknown, folder: string, name: string, signal?: AbortSignal): Promise<unknown> {
  if (error instanceof ParlanceError || signal?.aborted) return error;
  if ((error as NodeJS.ErrnoException).code === "ENOSPC")
    return errors.noSpace(SPARE_BYTES, await freeBytes(folder), folder);
  return errors.badCheckpoint(name, (error as Error).message, error);
}

async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

/** @throws models.no_space */
export async function checkSpace(bytes: number, folder: string): Promise<void> {
  const free = await freeBytes(folder);
  if (free < bytes) throw errors.noSpace(bytes, free, folder);
}

/** The engine for this kind of checkpoint, and the files that it needs. */
async function engineFor(origin: Origin): Promise<{ engine: Engine; files: string[] }> {
  const candidates = ENGINES.filter(({ name, prepare }) => prepare && (origin.engine ?? name) === name);
  for (const engine of candidates) {
    const files = await engine.filesOf?.(origin.files);
    if (files) return { engine, files };
  }
  const kinds = candidates.map(({ name }) => name).join(" or ");
  throw errors.badCheckpoint(origin.files.name, `it is no checkpoint for ${kinds}`);
}

/** @param options.isReplacing  whether a model has its name until it is ready */
async function install(
  origin: Origin,
  store: ModelStore,
  options: InstallOptions & { isReplacing: boolean },
): Promise<void> {
  const { progress, signal, isReplacing } = options;
  const known = options.languages ?? origin.languages;
  const { engine, files } = await engineFor(origin);
  progress("fetching", 0);
  const fetched = await fetchAll(origin, files, store.folder, options);
  const make = async (making: string): Promise<Manifest> => {
    progress("preparing", 0);
    const prepared = await (engine.prepare as NonNullable<Engine["prepare"]>)(fetched.folder, making, {
      progress: (share) => progress("preparing", share),
      ...(signal ? { signal } : {}),
      ...(known ? { languages: known } : {}),
      files,
    });
    const { languages, capabilities } = prepared;
    const written = await Promise.all(
      prepared.files.map(async (name) => ({ name, ...(await hashFile(path.join(making, name))) })),
    );
    for (const { name, sha256 } of written) {
      if ((origin.sha256?.get(name) ?? sha256) !== sha256) throw errors.wrongHash(name);
    }
    return {
      format: MANIFEST_FORMAT,
      id: origin.id,
      engine: engine.name,
      languages,
      capabilities,
      licence: origin.licence,
      source: origin.source,
      ...(fetched.revision ? { revision: fetched.revision } : {}),
      files: written,
      installedAt: (options.now?.() ?? new Date()).toISOString(),
    };
  };
  const removeFormer = async () => {
    if (isReplacing) await store.remove(origin.id);
  };
  try {
    await placeModel(store, origin.id, make, removeFormer);
  } catch (error) {
    // Fetched files that are not what was published are of no use to the next try.
    const isWrong = error instanceof ParlanceError && error.code === "models.wrong_hash";
    if (isWrong && fetched.isOurs) await rm(fetched.folder, { recursive: true, force: true });
    throw error;
  }
  if (fetched.isOurs) await rm(path.dirname(fetched.folder), { recursive: true, force: true });
}

interface Fetched {
  folder: string;
  revision?: string;
  /** Made by us, to be removed. */
  isOurs: boolean;
}

async function fetchAll(
  { files: source, id }: Origin,
  names: string[],
  store: string,
  { progress }: InstallOptions,
): Promise<Fetched> {
  if (!(source instanceof HubRepository)) {
    const sizes = await Promise.all(names.map((name) => sizeOf(path.join(source.folder, name))));
    await checkSpace(
      sizes.reduce((sum, size) => sum + size, SPARE_BYTES),
      store,
    );
    return { folder: source.folder, isOurs: false };
  }
  const infos = await Promise.all(names.map((name) => source.info(name)));
  const total = infos.reduce((sum, info) => sum + (info?.bytes ?? 0), 0);
  const { revision } = source;
  // Files of another revision are of no use to this one.
  const folder = path.join(store, `.fetched-${id}`, revision ?? "main");
  for (const other of await readdir(path.dirname(folder)).catch(() => [])) {
    if (other !== path.basename(folder)) await rm(path.join(path.dirname(folder), other), { recursive: true });
  }
  await mkdir(folder, { recursive: true });
  const there = (await Promise.all((await readdir(folder)).map((name) => sizeOf(path.join(folder, name))))).reduce(
    (sum, size) => sum + size,
    0,
  );
  await checkSpace(2 * total - there + SPARE_BYTES, store);
  let before = 0;
  for (const name of names) {
    const info = await source.download(name, path.join(folder, name), (bytes) =>
      progress("fetching", (before + bytes) / total),
    );
    before += info.bytes;
  }
  return { folder, ...(revision ? { revision } : {}), isOurs: true };
}

async function sizeOf(file: string): Promise<number> {
  return (await stat(file)).size;
}
