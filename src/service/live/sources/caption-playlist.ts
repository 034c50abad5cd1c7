// The subtitle playlist of a session with a source (RFC 8216).
import type { Database } from "../../../platform/storage/db/database.ts";
import { databaseTime } from "../../../platform/storage/db/database-time.ts";
import { type CaptionPart, hasOpenParts } from "../../../platform/storage/db/jobs/caption-parts.ts";
import type { JobRow } from "../../../platform/storage/db/jobs/jobs.ts";

/** Time that an ended session has to publish its last captions. After a kill at that moment they are missing, and the playlist ends without them. */
const LAST_MILLISECONDS = 30_000;

/** Whether no captions follow. @param row  undefined for a session that was deleted */
export async function areOver(
  database: Database,
  row: Pick<JobRow, "id" | "status" | "completed_at"> | undefined,
): Promise<boolean> {
  if (row?.status === "queued" || row?.status === "processing") return false;
  if (!row?.completed_at || databaseTime(database).getTime() - row.completed_at.getTime() > LAST_MILLISECONDS)
    return true;
  return !(await hasOpenParts(database, row.id));
}

/** Parts in the playlist: five minutes at six seconds each. */
export const LISTED_PARTS = 50;
const LEAST_TARGET_SECONDS = 6;

export interface ListedCaptions {
  /** Published ones, in their order. */
  parts: readonly Omit<CaptionPart, "text">[];
  /** Of all parts so far. */
  longestSeconds: number;
  isEnded: boolean;
  /** Of the request. */
  token: string | undefined;
}

export function captionPlaylist({ parts, longestSeconds, isEnded, token }: ListedCaptions): string {
  const [first] = parts;
  const query = token === undefined ? "" : `?token=${encodeURIComponent(token)}`;
  const lines = [
    "#EXTM3U",
    "#EXT-X-VERSION:3",
    `#EXT-X-TARGETDURATION:${Math.max(LEAST_TARGET_SECONDS, Math.ceil(longestSeconds))}`,
    `#EXT-X-MEDIA-SEQUENCE:${first?.number ?? 0}`,
    ...(first && first.discontinuities > 0 ? [`#EXT-X-DISCONTINUITY-SEQUENCE:${first.discontinuities}`] : []),
  ];
  let discontinuities = first?.discontinuities ?? 0;
  for (const [index, part] of parts.entries()) {
    if (part.discontinuities > discontinuities) lines.push("#EXT-X-DISCONTINUITY");
    if (index === 0 || part.discontinuities > discontinuities)
      lines.push(`#EXT-X-PROGRAM-DATE-TIME:${part.onAirAt.toISOString()}`);
    discontinuities = part.discontinuities;
    lines.push(`#EXTINF:${part.seconds.toFixed(3)},`, `captions/${part.number}.vtt${query}`);
  }
  if (isEnded) lines.push("#EXT-X-ENDLIST");
  return `${lines.join("\n")}\n`;
}
