// Objects that are computed from a recording, such as the peaks of its waveform. They are removed with the recording.
import type { Database } from "../../platform/storage/db/database.ts";
import { findFile } from "../../platform/storage/db/files/files.ts";
import type { ObjectStore } from "../../platform/storage/objects/object-store.ts";

/**
 * Stores an object unless the recording of the file was deleted, also while the object is being written.
 * @returns whether it is stored
 */
export async function putForFile(
  { database, objects }: { database: Database; objects: Pick<ObjectStore, "put" | "remove"> },
  fileId: string,
  key: string,
  content: string,
): Promise<boolean> {
  const hasAudio = async () => (await findFile(database, fileId))?.audio_deleted_at === null;
  if (!(await hasAudio())) return false;
  await objects.put(key, content);
  // A deletion in the meantime has removed its objects before this one was written.
  if (await hasAudio()) return true;
  await objects.remove(key);
  return false;
}
