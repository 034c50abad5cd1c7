// Ids of Deepgram's interface, in the form of a UUID, the same for the same name.
import { createHash } from "node:crypto";

/** @param version  digit of the form: 4 for what is random at Deepgram, 5 for what has a name */
export function listenId(name: string, version: 4 | 5): string {
  const hex = createHash("sha256").update(name).digest("hex");
  const parts = [
    hex.slice(0, 8),
    hex.slice(8, 12),
    version + hex.slice(13, 16),
    `8${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ];
  return parts.join("-");
}
