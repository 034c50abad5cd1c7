// Decoding of compressed live streams: processor time for each encoding, bytes of the stream beside those of its samples, and the memory of
// the process that decodes them. Needs Linux, for /proc. Options: --rounds N
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { childEnvironment } from "../src/platform/config/load.ts";
import type { Compression } from "../src/speech/audio/streams/message.ts";
import { withLength } from "../src/speech/audio/streams/opus-packets.ts";
import { StreamDecoder } from "../src/speech/audio/streams/stream-decoder.ts";
import { StreamDecoders } from "../src/speech/audio/streams/stream-decoders.ts";
import { compressed, packetsOf, STREAMS, type StreamName } from "../test/fixtures/compressed.ts";
import { atRate, inSequence } from "../test/fixtures/speech.ts";
import { treeBytes } from "./process-memory.ts";
import { loadRecordings, SAMPLE_RATE } from "./recordings.ts";
import { percentile, printResults, type Result, rounded, saveResults } from "./table.ts";

const { values: options } = parseArgs({ options: { rounds: { type: "string", default: "5" } } });

const SECONDS = 350;
const SECONDS_AN_HOUR = 3_600;
/** What `MediaRecorder` and calls use for speech. */
const OPUS_BIT_RATE = 32_000;
/** As the service sends them to the process. */
const PIECE_BYTES = 32_768;

interface Decoding {
  /** Processor seconds. */
  seconds: number;
  sampleBytes: number;
  audioSeconds: number;
}

function decoded(compression: Compression, bytes: Buffer): Decoding {
  const before = process.cpuUsage();
  const decoder = new StreamDecoder(compression);
  let sampleBytes = 0;
  let part = decoder.push(bytes.subarray(0, PIECE_BYTES));
  const take = () => {
    if (part.refused !== undefined) throw new Error(part.refused);
    sampleBytes += part.samples.length;
    return part.hasMore;
  };
  for (let at = PIECE_BYTES; ; at += PIECE_BYTES) {
    while (take()) part = decoder.step();
    if (at >= bytes.length) break;
    part = decoder.push(bytes.subarray(at, at + PIECE_BYTES));
  }
  for (part = decoder.finish(); take(); ) part = decoder.finish();
  decoder.close();
  const { user, system } = process.cpuUsage(before);
  const audioSeconds = sampleBytes / 2 / (part.format?.sampleRate ?? Number.NaN);
  return { seconds: (user + system) / 1e6, sampleBytes, audioSeconds };
}

/** Of the process that decodes streams, while it has one, beside this process alone. */
async function decoderBytes(compression: Compression, bytes: Buffer): Promise<number> {
  const folder = mkdtempSync(path.join(os.tmpdir(), "parlance-bench-streams-"));
  const decoders = new StreamDecoders({ environment: childEnvironment(folder), memoryLimitBytes: 1e9 });
  try {
    await decoders.start("id", "account");
    for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
      const piece = bytes.subarray(at, at + PIECE_BYTES);
      await decoders.step({ kind: "push", stream: "id", compression, at, bytes: piece });
    }
    const both = treeBytes(process.pid);
    await decoders.stop();
    return both - treeBytes(process.pid);
  } finally {
    await decoders.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

const recordings = await loadRecordings(() => true);
const speech = inSequence(...recordings.map(({ samples }) => samples)).subarray(0, SECONDS * SAMPLE_RATE);
const streams: [encoding: Compression["encoding"], bytes: Buffer][] = [];
for (const name of Object.keys(STREAMS) as StreamName[]) {
  const isOpus = STREAMS[name].encoder === "libopus";
  const channels = [atRate(speech, STREAMS[name].sampleRate)];
  const bytes = await compressed(name, channels, isOpus ? { bitRate: OPUS_BIT_RATE } : {});
  if (name === "ogg/opus") streams.push(["opus", Buffer.concat(packetsOf(bytes).map(withLength))]);
  streams.push([name, bytes]);
}
const results: Result[] = streams.map(([encoding, bytes]) => {
  const rounds = Array.from({ length: Number(options.rounds) }, () => decoded({ encoding, channels: 1 }, bytes));
  const [{ audioSeconds, sampleBytes } = { audioSeconds: 0, sampleBytes: 0 }] = rounds;
  const seconds = percentile(
    rounds.map((round) => round.seconds),
    0.5,
  );
  return {
    name: encoding,
    values: {
      "times real time": Math.round(audioSeconds / seconds),
      "ms a second": rounded((1000 * seconds) / audioSeconds),
      "s an hour": rounded((SECONDS_AN_HOUR * seconds) / audioSeconds, 1),
      "kbit/s": Math.round((8 * bytes.length) / audioSeconds / 1000),
      "samples, times the bytes": Math.round(sampleBytes / bytes.length),
    },
  };
});
const [[encoding, bytes] = ["opus", Buffer.alloc(0)] as const] = streams;
results.push({
  name: "the decoder process",
  values: { MB: Math.round((await decoderBytes({ encoding, channels: 1 }, bytes)) / 1e6) },
});
printResults("Compressed live streams", results);
saveResults("compressed-streams", results);
