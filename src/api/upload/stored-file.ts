import type { NewFile } from "../../platform/storage/db/files/files.ts";
import { audioKey } from "../../platform/storage/objects/keys.ts";
import type { ApiContext } from "../context.ts";

export interface Received {
  size: number;
  filename: string;
  /** Address that it came from. */
  source?: string;
}

/**
 * Reads the container of a stored file.
 * @param gone  aborted when the client has closed its connection
 * @returns the file's record and its audio tracks
 * @throws what the file cannot be read for; decode.queue_full
 */
export async function storedFile(
  id: string,
  accountId: string,
  { size, filename, source }: Received,
  gone: AbortSignal,
  { objects, decoders, settings, now }: Pick<ApiContext, "decoders" | "now" | "objects" | "settings">,
) {
  const key = audioKey(id);
  decoders.checkRoom(accountId);
  const media = await decoders.probe(await objects.localPath(key), {
    tenant: accountId,
    maximumSeconds: settings.maximumAudioSeconds,
    filename,
    signal: gone,
  });
  const file = {
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
  return { file, tracks: media.tracks, track: media.track };
}
