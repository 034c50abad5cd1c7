import type { NewFile } from "../../storage/db/files.ts";
import { audioKey } from "../../storage/objects/keys.ts";
import type { ApiContext } from "../context.ts";

export interface Received {
  size: number;
  filename: string;
  /** Address that it came from. */
  source?: string;
}

/** The record of a file that is stored, after a look into it. @throws what it cannot be read for */
export async function storedFile(
  id: string,
  accountId: string,
  { size, filename, source }: Received,
  { objects, decoders, now }: ApiContext,
) {
  const key = audioKey(id);
  const media = await decoders.probe(await objects.localPath(key));
  return {
    id,
    account_id: accountId,
    filename,
    source: source ?? null,
    extension: media.extension,
    size,
    audio_duration: media.durationSeconds,
    number_of_channels: media.channels,
    object_key: key,
    created_at: now(),
  } satisfies NewFile;
}
