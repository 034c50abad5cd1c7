// Installed models in the object store, from which the other processes copy them.
import { createReadStream } from "node:fs";
import { mkdir, rm } from "node:fs/promises";
import path from "node:path";
import { errors } from "../../platform/errors.ts";
import { hashFile } from "../../platform/storage/content-hash.ts";
import { streamToFile } from "../../platform/storage/disk/stream-to-file.ts";
import { isKey, modelFolder } from "../../platform/storage/objects/keys.ts";
import type { ObjectStore } from "../../platform/storage/objects/object-store.ts";
import { checkSpace, lockModel, placeModel } from "./installer.ts";
import { bytesOf, type Manifest } from "./manifest.ts";
import type { ModelStore } from "./store.ts";

const keyOf = (id: string, file: string) => `${modelFolder(id)}/${file}`;

/** @returns false where the store is a folder, which other machines may not see @throws storage.unavailable */
export async function storeCopy(
  folder: string,
  manifest: Manifest,
  objects: ObjectStore,
  signal: AbortSignal,
): Promise<boolean> {
  const { id, files } = manifest;
  if (objects.kind !== "bucket" || !files.every(({ name }) => isKey(keyOf(id, name)))) return false;
  for (const { name } of files) {
    const key = keyOf(id, name);
    const content = createReadStream(path.join(folder, name), { signal });
    // The stream may fail before the store reads it. The store then fails with the same error.
    content.on("error", () => undefined);
    await objects.write(key, content);
    // This machine has the file already.
    await objects.dropCopy(key);
  }
  return true;
}

export const removeCopy = (id: string, objects: ObjectStore): Promise<void> => objects.removeFolder(modelFolder(id));

/**
 * Installs a model from the object store. Killed at any moment, it leaves no partial model.
 * @throws request.not_found if a file is missing in the store; models.no_space, models.wrong_hash, storage.unavailable
 */
export async function installCopy(
  manifest: Manifest,
  store: ModelStore,
  objects: ObjectStore,
  signal: AbortSignal,
): Promise<void> {
  const { id, files } = manifest;
  await mkdir(store.folder, { recursive: true });
  const unlock = await lockModel(store, id, signal);
  try {
    store.forget();
    if (await store.find(id)) return;
    await checkSpace(bytesOf(manifest), store.folder);
    const make = async (making: string) => {
      for (const { name, sha256 } of files) {
        signal.throwIfAborted();
        const file = path.join(making, name);
        await mkdir(path.dirname(file), { recursive: true });
        await streamToFile(file, await objects.read(keyOf(id, name)));
        if ((await hashFile(file)).sha256 !== sha256) throw errors.wrongHash(`${objects.place}: ${keyOf(id, name)}`);
      }
      return manifest;
    };
    // A former version may have left the model in another form.
    await placeModel(store, id, make, () => rm(path.join(store.folder, id), { recursive: true, force: true }));
  } finally {
    store.forget();
    await unlock();
  }
}
