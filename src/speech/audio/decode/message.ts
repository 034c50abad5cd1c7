// Messages between the service and a decoder process. A decoder only receives file paths, never an address. The service
// gives a process one turn at a time: several files can share a process, and when it crashes or hangs, the file of
// that turn is the cause.

import type { AudioRange } from "../../../contract/pre-recorded.ts";
import type { LevelSummary } from "../channels/channel-level.ts";
import type { PairReport } from "../channels/pair-report.ts";
import type { ChannelRole } from "../channels/roles.ts";
import type { HoleStretch } from "../holes.ts";
import type { FoundLeaks } from "../leaks/recording-leaks.ts";
import { SAMPLE_RATE } from "../sample-rate.ts";
import type { Gap } from "./gaps.ts";

/** An audio track of a file. */
export interface AudioTrack {
  /** Counted from 0 among the audio tracks. */
  number: number;
  /** FFmpeg's name of the encoding. */
  codec: string;
  channels: number;
  /** Flagged as the default track. */
  isDefault: boolean;
  /** As stated by the file, usually three letters. */
  language?: string;
  title?: string;
}

/** Request for an untrusted file. */
export type FileTask =
  | {
      kind: "probe";
      path: string;
      /** Extension of the file's name, without the dot: the format of files without a header. */
      extension?: string;
      /** If the duration can only be determined by decoding, longer audio is refused. */
      maximumSeconds: number;
    }
  | {
      kind: "decode";
      path: string;
      extension?: string;
      /** Number of the audio track; undefined to choose by flags and sound. */
      track?: number;
      /** Files to write, one per channel: 16 kHz, 16-bit signed little-endian samples. */
      outputs: string[];
      maximumSeconds: number;
      /** Part of the recording to write; the whole recording by default. */
      range?: AudioRange;
    };

/** Request for the decoded samples of a file. */
export interface LeaksTask {
  kind: "leaks";
  /** One file per channel. */
  files: string[];
  /** Files to write: the samples without leaks, of the channels that something leaks into. */
  outputs: string[];
}

export type MediaTask = FileTask | LeaksTask;

export type DecoderRequest =
  /** Works on a file for a limited time. The first turn of a file contains its task. */
  | { kind: "turn"; file: number; milliseconds: number; task?: MediaTask }
  /** Cancels a file. */
  | { kind: "close"; file: number };

export type DecoderResponse =
  | ({ kind: "unfinished" } & TurnProgress)
  | { kind: "finished"; answer: MediaAnswer }
  | { kind: "closed" };

export interface TurnProgress {
  /** Seconds of audio decoded so far, or covered by the packets read. */
  decodedSeconds: number;
  /** Share of the file, 0 to 1; undefined if the container does not state a duration, and before decoding starts. */
  share: number | undefined;
}

export interface ProbeAnswer {
  kind: "probe";
  /** Usual file extension of the container, without a dot. */
  extension: string;
  /** End of the chosen track in seconds from the file's start, by packet timestamps. */
  durationSeconds: number;
  channels: number;
  sampleRate: number;
  tracks: AudioTrack[];
  /** Number of the track that is transcribed by default; the other fields describe it. */
  track: number;
}

export interface DecodeAnswer {
  kind: "decode";
  /** End of the decoded audio in seconds from the file's start, including gaps: of the track, or of the range. */
  durationSeconds: number;
  /** Long silences omitted from the outputs. */
  gaps: Gap[];
  /** Digital silence in the middle of sound, for each channel, in stored samples. */
  holes: HoleStretch[][];
  /** Faults of the file, one sentence each. */
  warnings: string[];
  /** Number of the decoded track, and the number of audio tracks. */
  track: number;
  trackCount: number;
  /** Channels in the file. */
  channels: number;
  /** Role of each channel by the loudspeaker layout. */
  roles: ChannelRole[];
  /** Level of each channel. */
  levels: LevelSummary[];
  /** Comparison of each pair of channels. Windows count in stored samples. */
  pairs: PairReport[];
}

export interface LeaksAnswer extends FoundLeaks {
  kind: "leaks";
}

export type MediaAnswer = ProbeAnswer | DecodeAnswer | LeaksAnswer;

export const MAXIMUM_CHANNELS = 8;
/** Per channel, as 16-bit samples. */
export const DECODED_BYTES_A_SECOND = 2 * SAMPLE_RATE;
