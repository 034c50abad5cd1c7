// The decoder process: opens strangers' files with FFmpeg, and nothing else. It runs apart from the service so that
// a file made to crash, fill or hang a decoder ends this process only. It must never open an address: containers
// that name other files (playlists, concatenations) are not among the formats, and only the file protocol is.
import { closeSync, openSync, rmSync, statSync, writeSync } from "node:fs";
import { setImmediate as nextTurn } from "node:timers/promises";
import { errors, ParlanceError } from "../../errors.ts";
import { serveParent } from "../../process/child.ts";
import { ChannelComparison } from "./channel-comparison.ts";
import "./promise-with-resolvers.ts";
import {
  DECODED_SAMPLE_RATE,
  type DecodeAnswer,
  type DecoderRequest,
  type DecoderResponse,
  MAXIMUM_CHANNELS,
  type ProbeAnswer,
} from "./message.ts";
import { type ResampledChunk, resampled } from "./resampled.ts";

const { AV_LOG_QUIET, Demuxer, Log } = await import("node-av");
Log.setLevel(AV_LOG_QUIET);

type Input = Awaited<ReturnType<typeof Demuxer.open>>;

/** Demuxers that read one self-contained file. hls, dash, concat, image2 and the like open further files. */
const FORMATS = [
  "aac,ac3,aiff,amr,amrnb,amrwb,ape,asf,au,avi,caf,dts,eac3,flac,flv,g722,gsm,loas,matroska,webm,mov,mp4,m4a",
  "3gp,3g2,mj2,mp2,mp3,mpeg,mpegts,mpegvideo,mxf,nut,ogg,oma,rm,sox,spdif,truehd,tta,voc,w64,wav,wtv,wv,xwma",
].join(",");

/** Usual extensions by FFmpeg's names of containers, where the two differ. */
const EXTENSIONS: Record<string, string> = { matroska: "mkv", mov: "mp4", mpegts: "ts", aiff: "aif", asf: "wma" };

const MEMORY_REPORT_MILLISECONDS = 250;
/** About a second of audio; messages are read between two. */
const CHUNK_SAMPLES = 16_000;
/** Audio between two reports. */
const PROGRESS_SECONDS = 60;

async function open(path: string): Promise<Input> {
  if (statSync(path).size === 0) throw errors.emptyFile();
  try {
    return await Demuxer.open(path, { options: { protocol_whitelist: "file", format_whitelist: FORMATS } });
  } catch {
    // FFmpeg's own text names the path of our copy.
    throw errors.notDecodable("its format is not known, or it is damaged or cut off");
  }
}

function audioOf(input: Input) {
  const stream = input.audio();
  if (!stream) throw errors.noAudioTrack();
  const channels = stream.codecpar.channels;
  if (channels < 1) throw errors.notDecodable("its audio track has no channels");
  if (channels > MAXIMUM_CHANNELS) {
    throw errors.notDecodable(`it has ${channels} channels; at most ${MAXIMUM_CHANNELS} are read`);
  }
  return { stream, channels };
}

/** A file that breaks off in the middle is used up to there; one that gives nothing at all is an error. */
async function eachChunk(input: Input, visit: (chunk: ResampledChunk) => void): Promise<number> {
  const { stream } = audioOf(input);
  let samples = 0;
  try {
    for await (const chunk of resampled(input, stream, DECODED_SAMPLE_RATE, CHUNK_SAMPLES)) {
      samples += chunk.samples;
      visit(chunk);
      await nextTurn();
    }
  } catch (thrown) {
    if (thrown instanceof ParlanceError) throw thrown;
    if (samples === 0) throw errors.notDecodable("its audio is damaged or in an unknown encoding");
  }
  if (samples === 0) throw errors.noAudio();
  return samples;
}

async function probe(path: string): Promise<ProbeAnswer> {
  const input = await open(path);
  try {
    const { stream, channels } = audioOf(input);
    const name = (input.formatName ?? "").split(",")[0] ?? "";
    let durationSeconds = input.duration;
    if (!Number.isFinite(durationSeconds) || durationSeconds <= 0) {
      durationSeconds = (await eachChunk(input, () => undefined)) / DECODED_SAMPLE_RATE;
    }
    return {
      kind: "probe",
      extension: EXTENSIONS[name] ?? name,
      durationSeconds,
      channels,
      sampleRate: stream.codecpar.sampleRate,
    };
  } finally {
    await input.close();
  }
}

async function decode(
  request: Extract<DecoderRequest, { kind: "decode" }>,
  progress: (value: number) => void,
): Promise<DecodeAnswer> {
  const input = await open(request.path);
  const files: number[] = [];
  try {
    const { channels } = audioOf(input);
    const outputs = request.outputs.slice(0, channels);
    files.push(...outputs.map((output) => openSync(output, "w")));
    const comparison = new ChannelComparison(channels);
    const expected = input.duration;
    let seconds = 0;
    let nextReport = PROGRESS_SECONDS;
    const samples = await eachChunk(input, (chunk) => {
      seconds += chunk.samples / DECODED_SAMPLE_RATE;
      if (seconds > request.maximumSeconds) throw errors.audioTooLong(request.maximumSeconds);
      comparison.add(chunk.planes.map((plane) => new Int16Array(plane.buffer, plane.byteOffset, chunk.samples)));
      for (const [channel, file] of files.entries()) writeSync(file, chunk.planes[channel] as Buffer);
      if (expected > 0 && seconds >= nextReport) {
        nextReport = seconds + PROGRESS_SECONDS;
        progress(Math.min(1, seconds / expected));
      }
    });
    const sameAs = comparison.sameAs();
    for (const [channel, output] of outputs.entries()) if (sameAs[channel] !== channel) rmSync(output, { force: true });
    return { kind: "decode", durationSeconds: samples / DECODED_SAMPLE_RATE, channels, sameAs };
  } finally {
    for (const file of files) closeSync(file);
    await input.close();
  }
}

serveParent<DecoderRequest, DecoderResponse>(
  (request, progress) => (request.kind === "probe" ? probe(request.path) : decode(request, progress)),
  { memoryReportMilliseconds: MEMORY_REPORT_MILLISECONDS },
);
