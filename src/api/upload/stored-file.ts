import type { FastifyRequest } from "fastify";
import type { Upload } from "../../contract/upload.ts";
import type { NewFile } from "../../platform/storage/db/files/files.ts";
import { audioKey } from "../../platform/storage/objects/keys.ts";
import { type ApiContext, publicBase } from "../context.ts";

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
  const options = { tenant: accountId, maximumSeconds: settings.maximumAudioSeconds, filename, signal: gone };
  const media = await objects.whileCopied(key, (path) => decoders.probe(path, options));
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

type Stored = Awaited<ReturnType<typeof storedFile>>;

/** What the answer of an upload says about the file. */
export function describedFile(
  { id, filename, source, extension, size, audio_duration, number_of_channels }: Stored["file"],
  tracks: Stored["tracks"],
  track: number,
): Pick<Upload, "audio_metadata" | "audio_track" | "audio_tracks"> {
  return {
    audio_metadata: {
      id,
      filename,
      ...(source ? { source } : {}),
      extension,
      size,
      audio_duration,
      number_of_channels,
    },
    audio_track: track,
    audio_tracks: tracks.map(({ channels, isDefault, ...described }) => ({
      ...described,
      number_of_channels: channels,
      is_default: isDefault,
    })),
  };
}

/** Address of a stored file, which requests of jobs name. */
export const fileAddress = (request: FastifyRequest, context: Pick<ApiContext, "forwarding">, id: string) =>
  `${publicBase(request, context)}/file/${id}`;
