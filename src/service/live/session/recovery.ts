// Reads the log of an earlier process of a session: its state, the headers within its audio, and audio that is missing.
import type { Logger } from "pino";
import { silentByte } from "../../../speech/audio/stream-format.ts";
import type { StreamReader } from "../audio/stream-reader.ts";
import type { ChannelState } from "../channel/channel-contract.ts";
import type { StopCause } from "../events/closing.ts";
import type { JournalEntry, StoredAudio } from "../log/log-contract.ts";

const READ_BYTES = 1_048_576;

/** Where a turn ended. */
export interface KnownTurnEnd {
  /** Bytes of audio. */
  at: number;
  /** Whether a change of languages has ended it. */
  isChange: boolean;
}

export interface RecoveredState {
  /** By channel. */
  channels: Map<number, ChannelState>;
  turnEnds: KnownTurnEnd[];
  isStopped: boolean;
  /** Undefined also for a stop of the previous version. */
  stopCause: StopCause | undefined;
}

/** @param mostPosition  samples; channel states beyond it are damaged, and their audio is recognised again */
export function recoveredState(entries: readonly JournalEntry[], mostPosition: number): RecoveredState {
  const channels = new Map<number, ChannelState>();
  const turnEnds: KnownTurnEnd[] = [];
  for (const entry of entries) {
    if (entry.kind === "channel" || entry.kind === "wordless") channels.set(entry.channel, entry.state);
    if (entry.kind === "turn-end") turnEnds.push({ at: entry.at, isChange: false });
    if (entry.kind === "change" && entry.turnEnd !== undefined) turnEnds.push({ at: entry.turnEnd, isChange: true });
  }
  // Without the format, the audio is read from its first byte.
  if (!entries.some((entry) => entry.kind === "format")) channels.clear();
  for (const [channel, { position }] of channels) if (position > mostPosition) channels.delete(channel);
  const stop = entries.find((entry) => entry.kind === "stop");
  return { channels, turnEnds, isStopped: stop !== undefined, stopCause: stop?.cause };
}

/** Finds the headers within the stream, which positions depend on; reads the audio once, in pieces. */
export async function findHeaders(audio: StoredAudio, reader: StreamReader): Promise<void> {
  for (let at = reader.beginning?.headerBytes ?? 0; at < audio.total; ) {
    const bytes = await audio.read(at, Math.min(audio.total, at + READ_BYTES));
    reader.skim(bytes);
    at += bytes.length;
  }
}

/** Replaces lost audio that finals were made from with silence, so that later audio keeps its time. */
export async function fillLostAudio(
  audio: StoredAudio,
  reader: StreamReader,
  channels: ReadonlyMap<number, ChannelState>,
  logger: Logger,
): Promise<void> {
  if (!reader.beginning) return;
  const known = Math.max(0, ...[...channels.values()].map(({ position }) => reader.byteFor(position)));
  const lostBytes = known - audio.total;
  if (lostBytes <= 0) return;
  logger.error({ lostBytes }, "stored audio of a live session is lost; replaced by silence");
  const silence = silentByte(reader.beginning.format);
  while (audio.total < known) await audio.append(Buffer.alloc(Math.min(READ_BYTES, known - audio.total), silence));
}
