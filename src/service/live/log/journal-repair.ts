// Determines which entries of a damaged journal are valid. Messages are numbered without gaps: a gap, or a damaged line
// at the end, means a lost message, perhaps a final. Later channel states would skip that utterance, so the session
// resumes from the last state before the gap and recognises the following audio again.
import type { JournalEntry, StoredEvent } from "./log-contract.ts";

const isNumber = (value: unknown) => Number.isSafeInteger(value) && (value as number) >= 0;

function isJson(text: unknown): boolean {
  try {
    return typeof text === "string" && (!text.startsWith("{") || typeof JSON.parse(text) === "object");
  } catch {
    return false;
  }
}

const isEvent = ({ at, event, text }: StoredEvent) =>
  event === undefined ? isJson(text) : typeof event?.kind === "string" && typeof at === "string";

/** Lines of earlier versions have no checksum: a damaged one may still be valid JSON. */
function isEntry(found: JournalEntry): boolean {
  switch (found.kind) {
    case "message":
      return isNumber(found.number) && isEvent(found);
    case "channel":
    case "wordless":
      return isNumber(found.channel) && isNumber(found.state?.position) && typeof found.state.context === "object";
    case "format":
      return isNumber(found.headerBytes) && isNumber(found.format?.channels);
    case "arrived":
      return isNumber(found.below);
    case "renumbered":
      return isNumber(found.from);
    case "turn-end":
      return isNumber(found.at);
    case "change":
      return isNumber(found.sample) && typeof found.change === "object" && found.change !== null;
    case "stop":
      return true;
    default:
      return false;
  }
}

/**
 * @param lines  the entries of all lines; undefined for a damaged line
 * @returns the valid entries; `lost` if entries after a gap were dropped and the journal must be rewritten
 */
export function usableEntries(lines: readonly (JournalEntry | undefined)[]): {
  entries: JournalEntry[];
  lost: boolean;
} {
  const entries: JournalEntry[] = [];
  let next = 0;
  let highest = -1;
  let damaged = 0;
  /** A damaged line followed the last message: it may have contained the next one. */
  let isSuspect = false;
  let lost = false;
  let before: JournalEntry | undefined;
  for (const found of lines) {
    const line = found !== undefined && isEntry(found) ? found : undefined;
    // The final before this channel state is damaged.
    if (line?.kind === "channel" && before?.kind !== "message" && before?.kind !== "channel") lost = true;
    before = line;
    if (!line) {
      damaged++;
      isSuspect = true;
      continue;
    }
    if (line.kind === "renumbered") {
      // The next message has its number whether or not one is lost before it.
      if (isSuspect) lost = true;
      next = Math.max(next, line.from);
    }
    if (line.kind === "message") {
      highest = Math.max(highest, line.number);
      // A duplicate.
      if (line.number < next) continue;
      if (line.number > next) lost = true;
      else isSuspect = false;
      next = line.number + 1;
    }
    if (lost && (line.kind === "message" || line.kind === "channel")) continue;
    // It may be later than a final that is damaged.
    if ((lost || isSuspect) && line.kind === "wordless") continue;
    entries.push(line);
  }
  if (isSuspect) lost = true;
  // Messages that are produced again get new numbers: callbacks with the old numbers may be stored, including those of
  // damaged lines.
  if (lost) entries.push({ kind: "renumbered", from: highest + 1 + damaged });
  return { entries, lost };
}
