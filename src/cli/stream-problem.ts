// Why standard input cannot be transcribed live as it is, and what to do.

import { PARLANCE } from "../platform/command-prefix.ts";
import { streamKind } from "../speech/audio/container-format.ts";
import { readWavHeader } from "../speech/audio/wav.ts";

interface Described {
  /** Hz. */
  rate: number;
  channels: number;
}

const convert = ({ rate }: Described) =>
  `convert it: ffmpeg -i FILE -f s16le -ac 1 -ar ${rate} - | ${PARLANCE} live --rate ${rate}; or transcribe the file: ${PARLANCE} transcribe FILE`;

/**
 * @param start      first bytes of standard input
 * @param described  rate and channels of the options
 * @returns undefined if it is raw samples, or a WAV file that fits the options
 */
export function streamProblem(start: Buffer, described: Described): string | undefined {
  const wav = readWavHeader(start);
  if (wav.kind === "header") {
    const { format, problem } = wav;
    if (!format) return `${problem}; ${convert(described)}`;
    const { channels, sampleRate } = format;
    // The header states the rate, which replaces that of the options.
    if (channels === described.channels) return undefined;
    if (channels === 1) return "the WAV file has 1 channel: leave --channels out";
    return (
      `the WAV file has ${channels} channels. To transcribe each of them: add --channels ${channels}. ` +
      `To mix them: ffmpeg -i FILE -f s16le -ac 1 -ar ${sampleRate} - | ${PARLANCE} live --rate ${sampleRate}`
    );
  }
  const kind = streamKind(start);
  if (kind.kind === "known") {
    return `standard input is ${kind.name}, not 16-bit samples or WAV; ${convert(described)}`;
  }
  return undefined;
}
