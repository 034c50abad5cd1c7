// Reads an HLS source: part after part of its playlist, in order, each once. What an earlier process has read is known from the parts of
// the captions, so that a restart continues within a part.
import { errors, ParlanceError } from "../../../platform/errors.ts";
import { sleep } from "../../../platform/process/sleep.ts";
import { EmptyPlaylists } from "./empty-playlists.ts";
import type { Fetching } from "./fetching.ts";
import { numberedVector, PartDecryption } from "./part-decryption.ts";
import {
  mapName,
  type MediaPlaylist as Parts,
  type PlaylistMap,
  type PlaylistPart,
  parsePlaylist,
} from "./playlist.ts";
import { MOST_GAP_SECONDS, type SourceAudio } from "./source-audio.ts";
import { SOURCE_RATE, type SourceDecoder } from "./source-decoder.ts";

export const MOST_PLAYLIST_BYTES = 2_097_152;
const MOST_PART_BYTES = 134_217_728;
const MOST_MAP_BYTES = 2_097_152;
const SAMPLE_BYTES = 2;
/** Parts before the end of the playlist at which a live stream is joined (RFC 8216, 6.3.3). */
const JOINED_PARTS = 3;
/** A playlist of a cache may be this much older than the one before. */
const OLDER_PARTS = 3;
const PART_ATTEMPTS = 3;
const PART_PAUSE_MILLISECONDS = 500;
/** Parts in a row that cannot be read, after which the source counts as interrupted. */
const MOST_FAILED_PARTS = 3;
/** Time in which a server must send a part: PART_LENGTHS times its length, and at least this long. */
const LEAST_PART_MILLISECONDS = 30_000;
const PART_LENGTHS = 5;
/** Parts of silence that fill one gap. */
const MOST_FILLED_PARTS = 600;
/** A part that an earlier attempt began counts as read if less than this is missing at its end. */
const COMPLETE_SECONDS = 0.05;
/** Shorter parts may have less audio than the decoder holds back. */
const LEAST_SILENT_SECONDS = 0.5;
/** The decoder may hold back this much of the audio before a part. */
const HELD_SECONDS = 0.2;
const LEAST_RELOAD_MILLISECONDS = 500;
/** Largest advance of numbers or times beyond the elapsed time. Above it, the playlist counts as a new one. */
const MOST_STEP_SECONDS = 10;

/** The parts with which the reading of a live stream begins. */
const joinedOf = (parts: readonly PlaylistPart[]) => parts.filter((_, index) => index >= parts.length - JOINED_PARTS);
const lengthOf = (parts: readonly PlaylistPart[]) => parts.reduce((sum, { seconds }) => sum + seconds, 0);

export class HlsReading {
  /** Address and place of the description of the tracks that the decoder received. */
  private map: string | undefined;
  /** Whether the decoder has received nothing since its last restart. */
  private isFresh = true;
  /** Bytes of samples at the start of the current part that the session already has. */
  private skipped = 0;
  private failedParts = 0;
  private readonly emptyPlaylists = new EmptyPlaylists();
  /** Number of the part that was read to its end, although it may be shorter than its playlist states. */
  private completed: number | undefined;
  private readonly decryption: PartDecryption;

  constructor(
    private readonly fetching: Fetching,
    private readonly audio: SourceAudio,
    private readonly decoder: SourceDecoder,
    private readonly now: () => Date,
  ) {
    this.decryption = new PartDecryption(fetching);
  }

  /** Receives what the decoder gives. */
  async onSamples(samples: Buffer, ticks: number | undefined): Promise<void> {
    const skip = Math.min(this.skipped, samples.length);
    if (ticks !== undefined) await this.audio.setTicks(ticks);
    this.skipped -= skip;
    if (skip < samples.length) await this.audio.add(samples.subarray(skip));
  }

  /**
   * Reads until the playlist ends.
   * @param first  the playlist at `url` @throws live.source_failed, live.source_refused
   */
  async read(url: URL, first: string): Promise<void> {
    const { signal } = this.fetching;
    await this.restart();
    let found = await this.mediaPlaylist(url, first);
    let isFirst = true;
    while (!signal.aborted) {
      const since = performance.now();
      const { parts } = found;
      this.emptyPlaylists.check(parts);
      const due = await this.due(parts, isFirst && parts.isEnded);
      for (const [index, part] of due.entries()) {
        if (signal.aborted) return;
        const mayBeSkipped = parts.isEnded || index < due.length - 1;
        await this.readPart(part, this.onAirAt(part, due, index), mayBeSkipped);
      }
      if (parts.isEnded) return this.decoder.finish();
      isFirst = false;
      const pause = (1000 * parts.targetSeconds) / (due.length > 0 ? 1 : 2) - (performance.now() - since);
      await sleep(Math.max(LEAST_RELOAD_MILLISECONDS, pause), signal);
      if (signal.aborted) return;
      const text = await this.fetching.text(found.url, MOST_PLAYLIST_BYTES);
      found = { url: found.url, parts: this.partsOf(text.text, text.url) };
    }
  }

  private async mediaPlaylist(url: URL, text: string): Promise<{ url: URL; parts: Parts }> {
    const playlist = parsePlaylist(text, url);
    if (playlist.kind === "parts") return { url, parts: playlist };
    const variant = await this.fetching.text(playlist.url, MOST_PLAYLIST_BYTES);
    return { url: playlist.url, parts: this.partsOf(variant.text, variant.url) };
  }

  private partsOf(text: string, base: URL): Parts {
    if (!text.trimStart().startsWith("#EXTM3U")) throw errors.liveSourceFailed("its playlist is no playlist of HLS");
    const playlist = parsePlaylist(text, base);
    if (playlist.kind === "parts") return playlist;
    throw errors.liveSourceRefused("its variant lists variants");
  }

  /** The parts to read now, after silence for those that are missing. @param isWhole  the recording of a stream that has ended */
  private async due({ parts, targetSeconds }: Parts, isWhole: boolean): Promise<PlaylistPart[]> {
    const { last } = this.audio.captions;
    const newest = parts.at(-1);
    if (!newest) return [];
    if (last?.sequence == null) return isWhole ? parts : joinedOf(parts);
    // A part is stored before its audio, and a process may be killed before the audio of the previous part is in the log.
    await this.audio.fillGap(last.starts - this.audio.seconds, "the service was interrupted before it was stored");
    if (newest.sequence < last.sequence - OLDER_PARTS) return this.joinAgain(parts, targetSeconds);
    const rest = this.completed === last.sequence ? 0 : last.starts + last.seconds - this.audio.seconds;
    const next = rest <= COMPLETE_SECONDS ? last.sequence + 1 : last.sequence;
    const due = parts.filter(({ sequence }) => sequence >= next);
    const [first] = due;
    if (!first || first.sequence === next) return due;
    const missed = first.sequence - last.sequence - 1;
    const between = first.onAirAt
      ? (first.onAirAt.getTime() - last.onAirAt.getTime()) / 1000 - last.seconds
      : missed * last.seconds;
    if (rest + between > this.mostMissing(parts)) return this.joinAgain(parts, targetSeconds);
    const why = "parts of its playlist were gone before they were read";
    await this.audio.fillGap(rest, why);
    await this.fillParts(between, missed, last.sequence + 1, why);
    this.markBreak(due);
    return due;
  }

  /** The numbers or the times of the server began again. */
  private async joinAgain(parts: readonly PlaylistPart[], targetSeconds: number): Promise<PlaylistPart[]> {
    const joined = joinedOf(parts);
    this.markBreak(joined);
    const seconds = this.missingByClock(joined, this.mostMissing(parts));
    await this.fillParts(
      seconds,
      Math.ceil(seconds / targetSeconds),
      undefined,
      "the numbers or times of its playlist jumped",
    );
    return joined;
  }

  /** Seconds of audio that may be missing before the parts of a playlist: a hostile clock adds no silence. */
  private mostMissing(parts: readonly PlaylistPart[]): number {
    return this.audio.secondsBehind + lengthOf(parts) + MOST_STEP_SECONDS;
  }

  /** @param most  longest gap that the times of the parts may state, seconds; beyond it, the time without audio counts */
  private missingByClock(joined: readonly PlaylistPart[], most: number): number {
    const { expectedAt } = this.audio;
    const [first] = joined;
    if (!expectedAt || !first) return 0;
    const missing = (this.onAirAt(first, joined, 0).getTime() - expectedAt.getTime()) / 1000;
    return missing <= most ? missing : this.audio.secondsWithoutAudio - lengthOf(joined);
  }

  /** Silence in parts of its own, as the playlist of the source had them. @param firstSequence  undefined if they had no numbers */
  private async fillParts(
    seconds: number,
    wanted: number,
    firstSequence: number | undefined,
    why: string,
  ): Promise<void> {
    const total = Math.min(seconds, MOST_GAP_SECONDS);
    if (total <= 0) return;
    const { audio } = this;
    const from = audio.seconds;
    const count = Math.min(Math.max(1, wanted), MOST_FILLED_PARTS);
    for (let index = 0; index < count && !this.fetching.signal.aborted; index++) {
      const sequence = firstSequence === undefined ? (audio.captions.last?.sequence ?? null) : firstSequence + index;
      const onAirAt = audio.expectedAt ?? this.now();
      await audio.beginPart({ sequence, seconds: total / count, onAirAt, isBreak: false });
      await audio.addSilence(total / count);
    }
    audio.reportGap(from, why);
  }

  private markBreak(parts: PlaylistPart[]): void {
    const [first] = parts;
    if (first) first.isDiscontinuity = true;
  }

  /** When the playlist does not say: the last part is on air now. */
  private onAirAt(part: PlaylistPart, parts: readonly PlaylistPart[], index: number): Date {
    if (part.onAirAt) return part.onAirAt;
    const { last } = this.audio.captions;
    if (last && !part.isDiscontinuity) return this.audio.expectedAt ?? last.onAirAt;
    return new Date(this.now().getTime() - 1000 * lengthOf(parts.slice(index)));
  }

  /** @param mayBeSkipped  false for the last part of a live playlist, which is requested again after a reconnect */
  private async readPart(part: PlaylistPart, onAirAt: Date, mayBeSkipped: boolean): Promise<void> {
    const { audio } = this;
    const isContinued = audio.captions.last?.sequence === part.sequence;
    if (part.isDiscontinuity) await this.restart();
    this.completed = undefined;
    if (!isContinued) {
      const { sequence, seconds, isDiscontinuity } = part;
      await audio.beginPart({ sequence, seconds, onAirAt, isBreak: isDiscontinuity });
    }
    const starts = audio.captions.last?.starts ?? 0;
    const problem = part.isGap ? "its server has no audio for the part" : await this.attempts(part, starts);
    if (problem === undefined) {
      this.failedParts = 0;
      await this.fillSilent(part, starts);
      this.completed = part.sequence;
      return;
    }
    const isInterrupted = !part.isGap && ++this.failedParts >= MOST_FAILED_PARTS;
    if (isInterrupted && !mayBeSkipped) throw errors.liveSourceFailed(problem);
    await audio.fillGap(starts + part.seconds - audio.seconds, problem);
    await this.restart();
    if (!isInterrupted) return;
    // The next attempt begins behind this part: the parts after it may be readable.
    this.failedParts = 0;
    throw errors.liveSourceFailed(problem);
  }

  /** Replaces a part without audio by silence. Encoders send such parts while their audio input fails. @param starts  start of the part on the clock of the session, seconds */
  private async fillSilent({ seconds }: PlaylistPart, starts: number): Promise<void> {
    const { audio } = this;
    const isSilent = () => audio.seconds - starts <= HELD_SECONDS;
    if (!audio.hasAudio || seconds < LEAST_SILENT_SECONDS || !isSilent()) return;
    // The audio of the part may be in the decoder.
    await this.restart();
    if (isSilent()) await audio.fillGap(starts + seconds - audio.seconds, "a part of its playlist has no audio");
  }

  /** @returns why the part could not be read */
  private async attempts(part: PlaylistPart, starts: number): Promise<string | undefined> {
    const { signal } = this.fetching;
    for (let attempt = 1; ; attempt++) {
      if (this.audio.seconds > starts) await this.restart();
      this.skipped = Math.max(0, Math.round((this.audio.seconds - starts) * SOURCE_RATE)) * SAMPLE_BYTES;
      try {
        await this.fetchPart(part);
        this.skipped = 0;
        return undefined;
      } catch (thrown) {
        if (signal.aborted || !(thrown instanceof ParlanceError) || thrown.code === "live.source_decoder_lost")
          throw thrown;
        // What was sent before this part can no longer be continued.
        await this.restart();
        if (thrown.code === "live.source_refused" && !this.audio.hasAudio) throw thrown;
        if (attempt === PART_ATTEMPTS || thrown.code === "live.source_refused") return thrown.message;
      }
      await sleep(PART_PAUSE_MILLISECONDS, signal);
    }
  }

  private async fetchPart({ url, range, map, key, sequence, seconds }: PlaylistPart): Promise<void> {
    const { fetching, decoder } = this;
    const name = map && mapName(map);
    if (!this.isFresh && name !== this.map) await this.restart();
    if (this.isFresh && map) await this.pushMap(map);
    this.map = name;
    this.isFresh = false;
    const milliseconds = Math.max(LEAST_PART_MILLISECONDS, PART_LENGTHS * 1000 * seconds);
    const pieces = fetching.at({ url, range }, milliseconds, MOST_PART_BYTES);
    const plain = key ? this.decryption.decrypted(pieces, key, key.iv ?? numberedVector(sequence)) : pieces;
    for await (const piece of plain) await decoder.push(piece);
  }

  private async pushMap(map: PlaylistMap): Promise<void> {
    const bytes = await this.fetching.bytes(map, MOST_MAP_BYTES);
    const { key } = map;
    // The key of an encrypted map has an initialisation vector (RFC 8216, 4.3.2.5), because a map has no number.
    if (!key?.iv) return this.decoder.push(bytes);
    for await (const piece of this.decryption.decrypted([bytes], key, key.iv)) await this.decoder.push(piece);
  }

  private async restart(): Promise<void> {
    this.isFresh = true;
    this.map = undefined;
    this.skipped = 0;
    if (this.fetching.signal.aborted) return this.decoder.restart();
    await this.decoder.finish();
  }
}
