// Creates files with timestamps, gaps, parts and tracks, and reads them as the decoder process does.
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type AudioTrack, type Media, writeMedia } from "../../../../test/fixtures/media.ts";
import { tone } from "../../../../test/fixtures/recordings.ts";
import { lastOf } from "../../../../test/fixtures/steps.ts";
import "./promise-with-resolvers.ts";
import { audioOf, type FileFaults, noFileFaults, type OpenFile, openAudioFile } from "./audio-file.ts";
import { scannedEnd } from "./packet-scan.ts";

const { AV_LOG_QUIET, Demuxer, Log } = await import("node-av");

const OUTPUT_RATE = 16_000;
const RATE = 48_000;
const LIMIT_SECONDS = 21_600;
/** Encoders smear an onset over a frame. */
const ONSET_TOLERANCE_SECONDS = 0.06;
/** Tolerance of the scan: ticks of WebM, and the last packet of MP4, whose duration FFmpeg's muxer shortens. */
const SCAN_TOLERANCE_SECONDS = 0.005;
const LOUD = 1_000;
const LEAST_PAUSE_SECONDS = 0.3;

let folder: string;
beforeAll(() => {
  Log.setLevel(AV_LOG_QUIET);
  folder = mkdtempSync(path.join(os.tmpdir(), "parlance-media-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Half a second of tone in every second, from 0.25 s on. */
function beeps(seconds: number, hertz = 440): Float32Array {
  const samples = tone(seconds, hertz, RATE);
  return samples.map((sample, at) => {
    const second = (at / RATE) % 1;
    return second >= 0.25 && second < 0.75 ? sample : 0;
  });
}

const open: OpenFile = (file, part) =>
  part
    ? Demuxer.open(`subfile,,start,${part.startBytes},end,${part.endBytes},,:${file}`, {
        format: part.format,
        options: { protocol_whitelist: "file,subfile" },
      })
    : Demuxer.open(file);

interface Decoded {
  seconds: number;
  /** Start of a tone after at least 0.3 s without it. */
  onsets: number[];
  storedSeconds: number;
  track: number;
  channels: number;
  faults: FileFaults;
  scannedSeconds: number;
}

async function decode(file: string, requestedTrack?: number, limitSeconds = LIMIT_SECONDS): Promise<Decoded> {
  const scanned = await lastOf(openAudioFile(file, open, requestedTrack));
  const scannedSeconds = (await lastOf(scannedEnd(file, scanned, open, limitSeconds))) ?? Number.NaN;
  await scanned.input.close();
  const opened = await lastOf(openAudioFile(file, open, requestedTrack));
  const faults: FileFaults = noFileFaults();
  const onsets: number[] = [];
  let position = 0;
  let stored = 0;
  let lastLoud = Number.NEGATIVE_INFINITY;
  for await (const chunk of audioOf(file, opened, open, limitSeconds, faults)) {
    if (!chunk || typeof chunk === "number") continue;
    const { planes, samples, gapSamples } = chunk;
    position += gapSamples;
    const [plane] = planes;
    if (!plane || samples === 0) continue;
    expect(planes).toHaveLength(opened.channels);
    const values = new Int16Array(plane.buffer, plane.byteOffset, samples);
    for (const value of values) {
      if (Math.abs(value) >= LOUD) {
        if (position - lastLoud > LEAST_PAUSE_SECONDS * OUTPUT_RATE) onsets.push(position / OUTPUT_RATE);
        lastLoud = position;
      }
      position++;
    }
    stored += samples;
  }
  await opened.input.close();
  const { track, channels } = opened;
  return {
    seconds: position / OUTPUT_RATE,
    onsets,
    storedSeconds: stored / OUTPUT_RATE,
    track,
    channels,
    faults,
    scannedSeconds,
  };
}

let files = 0;
async function written(extension: string, media: Media): Promise<string> {
  const file = path.join(folder, `${files++}.${extension}`);
  await writeMedia(file, media);
  return file;
}

const track = (encoder: string, more: Partial<AudioTrack> = {}): AudioTrack => ({
  channels: [beeps(4)],
  sampleRate: RATE,
  encoder,
  ...more,
});

function expectOnsets(decoded: Decoded, expected: number[]): void {
  expect(decoded.onsets).toHaveLength(expected.length);
  for (const [index, onset] of decoded.onsets.entries()) {
    expect(Math.abs(onset - (expected[index] as number))).toBeLessThan(ONSET_TOLERANCE_SECONDS);
  }
}

const FORMATS: [extension: string, encoder: string][] = [
  ["mp4", "aac"],
  ["mkv", "aac"],
  ["mkv", "libopus"],
  ["mkv", "flac"],
  ["webm", "libopus"],
  ["ts", "aac"],
  ["mov", "pcm_s16le"],
  ["mpg", "mp2"],
];

describe.each([
  ...FORMATS,
  ["ogg", "libopus"],
  ["ogg", "flac"],
  ["mp3", "libmp3lame"],
  ["flac", "flac"],
  ["wav", "pcm_s16le"],
  ["aac", "aac"],
  ["m4a", "aac"],
  ["ac3", "ac3"],
  ["avi", "libmp3lame"],
  ["flv", "aac"],
])("ordinary audio in .%s of %s", (extension, encoder) => {
  test("keeps its samples, without gaps, and the scan finds its duration", async () => {
    const decoded = await decode(await written(extension, { tracks: [track(encoder)] }));
    expectOnsets(decoded, [0.25, 1.25, 2.25, 3.25]);
    expect(decoded.seconds).toBe(decoded.storedSeconds);
    expect(Math.abs(decoded.scannedSeconds - decoded.seconds)).toBeLessThan(SCAN_TOLERANCE_SECONDS);
    const counts = {
      lastPacketBytes: expect.any(Number),
      decodedPackets: expect.any(Number),
      endBytes: expect.any(Number),
    };
    expect(decoded.faults).toEqual({ ...noFileFaults(), ...counts });
  });
});

describe.each(FORMATS.filter(([extension]) => extension !== "webm"))(
  "audio and video in .%s of %s",
  (extension, encoder) => {
    test("audio that starts 5 s after the video is 5 s late", async () => {
      const late = track(encoder, { timeOf: (seconds) => seconds + 5 });
      const decoded = await decode(await written(extension, { videoSeconds: 10, tracks: [late] }));
      expectOnsets(decoded, [5.25, 6.25, 7.25, 8.25]);
      expect(decoded.storedSeconds).toBeLessThan(4.2);
      expect(Math.abs(decoded.scannedSeconds - decoded.seconds)).toBeLessThan(SCAN_TOLERANCE_SECONDS);
    });

    test("audio that starts 20 s after the video is found", async () => {
      const late = track(encoder, { timeOf: (seconds) => seconds + 20 });
      const decoded = await decode(await written(extension, { videoSeconds: 25, tracks: [late] }));
      expectOnsets(decoded, [20.25, 21.25, 22.25, 23.25]);
      expect(decoded.channels).toBe(1);
    });

    test("video that starts after the audio changes nothing", async () => {
      const decoded = await decode(
        await written(extension, { videoSeconds: 3, videoStartSeconds: 2, tracks: [track(encoder)] }),
      );
      expectOnsets(decoded, [0.25, 1.25, 2.25, 3.25]);
    });
  },
);

describe.each([
  ["mkv", "aac"],
  ["webm", "libopus"],
  ["ts", "aac"],
  ["mp4", "aac"],
  ["ogg", "libopus"],
  ["ogg", "flac"],
])("a gap in .%s of %s", (extension, encoder) => {
  test("becomes silence of its duration", async () => {
    const torn = track(encoder, { timeOf: (seconds) => (seconds < 2 ? seconds : seconds + 10) });
    const decoded = await decode(await written(extension, { tracks: [torn] }));
    expectOnsets(decoded, [0.25, 1.25, 12.25, 13.25]);
    expect(decoded.storedSeconds).toBeLessThan(4.2);
    expect(Math.abs(decoded.scannedSeconds - decoded.seconds)).toBeLessThan(SCAN_TOLERANCE_SECONDS);
  });
});

describe.each([
  ["mkv", "aac"],
  ["webm", "libopus"],
  ["ts", "aac"],
  ["mp4", "aac"],
])("timestamps in .%s of %s", (extension, encoder) => {
  test("of a timeline that starts at 3600 s count from the start of the file", async () => {
    const cut = track(encoder, { timeOf: (seconds) => seconds + 3_600 });
    expectOnsets(await decode(await written(extension, { tracks: [cut] })), [0.25, 1.25, 2.25, 3.25]);
  });

  test("that lack packets are followed", async () => {
    const torn = track(encoder, { timeOf: (seconds) => (seconds >= 0.85 && seconds < 1.15 ? undefined : seconds) });
    expectOnsets(await decode(await written(extension, { tracks: [torn] })), [0.25, 1.25, 2.25, 3.25]);
  });

  test("that jump by ten hours neither fill memory nor exceed the limit", async () => {
    const torn = track(encoder, { timeOf: (seconds) => (seconds < 2 ? seconds : seconds + 36_000) });
    const file = await written(extension, { tracks: [torn] });
    const ignored = await decode(file);
    expectOnsets(ignored, [0.25, 1.25, 2.25, 3.25]);
    expect(ignored.faults.ignoredJumps).toBe(1);
    const followed = await decode(file, undefined, 100_000);
    expectOnsets(followed, [0.25, 1.25, 36_002.25, 36_003.25]);
    expect(followed.storedSeconds).toBeLessThan(4.2);
  });
});

describe("concatenated files", () => {
  test("transport streams whose timestamps restart are played one after the other", async () => {
    const one = readFileSync(await written("ts", { tracks: [track("aac")] }));
    const file = path.join(folder, "joined.ts");
    writeFileSync(file, Buffer.concat([one, one]));
    const decoded = await decode(file);
    expect(decoded.onsets).toHaveLength(8);
    expect(decoded.seconds).toBeLessThan(8.5);
  });

  test.each([
    ["video and sound, and sound alone", [{ videoSeconds: 4, tracks: [track("aac")] }, { tracks: [track("aac")] }]],
    ["sound alone, and video and sound", [{ tracks: [track("aac")] }, { videoSeconds: 4, tracks: [track("aac")] }]],
    ["AAC and MP2", [{ tracks: [track("aac")] }, { tracks: [track("mp2")] }]],
    ["one track and two", [{ videoSeconds: 4, tracks: [track("aac")] }, { tracks: [track("mp2"), track("aac")] }]],
  ] satisfies [string, Media[]][])("transport streams of %s are read to their end", async (_what, media) => {
    const parts: Buffer[] = [];
    for (const one of media) parts.push(readFileSync(await written("ts", one)));
    const file = path.join(folder, `joined-${files++}.ts`);
    writeFileSync(file, Buffer.concat(parts));
    const decoded = await decode(file);
    expectOnsets(decoded, [0.25, 1.25, 2.25, 3.25, 4.25, 5.25, 6.25, 7.25]);
    expect(decoded.faults).toMatchObject({ damagedPackets: 0, skippedPartsAtSeconds: [] });
  });

  test.each([
    ["a longer one", 4],
    ["one within the part that FFmpeg analyses", 2],
  ])("a transport stream that changes to another track, %s, and back is read to its end", async (_what, seconds) => {
    const first = await written("ts", { tracks: [track("mp2", { channels: [beeps(2)] })] });
    const muxerOptions = { mpegts_start_pid: "0x200", mpegts_pmt_start_pid: "0x1100", mpegts_service_id: "7" };
    const second = await written("ts", { tracks: [track("aac", { channels: [beeps(seconds)] })], muxerOptions });
    const file = path.join(folder, `changing-${files++}.ts`);
    const [one, other] = [readFileSync(first), readFileSync(second)];
    writeFileSync(file, Buffer.concat([one, other, one, other]));
    const decoded = await decode(file);
    expect(decoded.onsets).toHaveLength(4 + 2 * seconds);
    expect(decoded.seconds).toBeCloseTo(4 + 2 * seconds, 0);
    expect(decoded.scannedSeconds).toBeNaN();
    expect(decoded.faults).toMatchObject({ damagedPackets: 0, hasUnreadableEnd: false });
    expect(statSync(file).size - decoded.faults.endBytes).toBeLessThan(188);
  });

  test("joined WAV files are read to the end, for any channels and rates", async () => {
    const parts: Buffer[] = [];
    for (const channels of [1, 2]) {
      const pcm = track("pcm_s16le", { channels: Array.from({ length: channels }, () => beeps(4)) });
      parts.push(readFileSync(await written("wav", { tracks: [pcm] })));
    }
    const file = path.join(folder, "joined.wav");
    writeFileSync(file, Buffer.concat(parts));
    const decoded = await decode(file);
    expectOnsets(decoded, [0.25, 1.25, 2.25, 3.25, 4.25, 5.25, 6.25, 7.25]);
    expect(decoded.scannedSeconds).toBeCloseTo(8, 2);
  });

  test.each([
    ["lower", 48_000, 16_000],
    ["higher", 16_000, 48_000],
  ])("joined AAC files are read to the end, also if the second has a %s rate", async (_what, ...rates) => {
    const parts: Buffer[] = [];
    for (const sampleRate of rates) {
      const all = beeps(4);
      const step = RATE / sampleRate;
      const samples = Float32Array.from({ length: 4 * sampleRate }, (_, at) => all[at * step] as number);
      parts.push(readFileSync(await written("aac", { tracks: [track("aac", { sampleRate, channels: [samples] })] })));
    }
    const file = path.join(folder, `joined-${files++}.aac`);
    writeFileSync(file, Buffer.concat(parts));
    const decoded = await decode(file);
    expect(decoded.onsets).toHaveLength(8);
    expect(decoded.seconds).toBeLessThan(8.4);
    expect(decoded.scannedSeconds).toBeNaN();
    expect(decoded.faults).toMatchObject({ ignoredJumps: 0, stepsBack: 0 });
    expect(decoded.faults.ignoredFromSeconds).toBeUndefined();
  });

  test("joined FLAC files are read to the end, for any channels", async () => {
    const paths: string[] = [];
    for (const channels of [[beeps(4)], [beeps(4), beeps(4)], [beeps(4)]])
      paths.push(await written("flac", { tracks: [track("flac", { channels })] }));
    let seconds = 0;
    for (const one of paths) seconds += (await decode(one)).seconds;
    const file = path.join(folder, "joined.flac");
    writeFileSync(file, Buffer.concat(paths.map((one) => readFileSync(one))));
    const decoded = await decode(file);
    expect(decoded.onsets).toHaveLength(12);
    expect(decoded.seconds).toBeCloseTo(seconds, 2);
    expect(decoded.scannedSeconds).toBeCloseTo(seconds, 2);
    expect(decoded.faults).toMatchObject({ damagedPackets: 0 });
  });

  test.each([
    ["mono and stereo", [1, 2]],
    ["stereo and mono", [2, 1]],
    ["mono and mono", [1, 1]],
    ["three of different channels", [1, 2, 1]],
  ])("chained Ogg of %s is read to its end", async (_what, channels) => {
    for (const encoder of ["libopus", "flac"]) {
      const parts: Buffer[] = [];
      const expected: number[] = [];
      let start = 0;
      for (const count of channels) {
        const samples = Array.from({ length: count }, () => beeps(4));
        const part = await written("ogg", { tracks: [track(encoder, { channels: samples })] });
        parts.push(readFileSync(part));
        for (const onset of [0.25, 1.25, 2.25, 3.25]) expected.push(start + onset);
        start += (await decode(part)).seconds;
      }
      const file = path.join(folder, `chain-${files++}.ogg`);
      writeFileSync(file, Buffer.concat(parts));
      const decoded = await decode(file);
      expectOnsets(decoded, expected);
      expect(decoded.channels).toBe(channels[0]);
      expect(Math.abs(decoded.scannedSeconds - decoded.seconds)).toBeLessThan(SCAN_TOLERANCE_SECONDS);
    }
  });

  test("a damaged part of a chained Ogg is reported and the next one read", async () => {
    const part = readFileSync(await written("ogg", { tracks: [track("libopus")] }));
    const broken = Buffer.from(part);
    broken.write("NotOpus!", broken.indexOf("OpusHead"));
    const file = path.join(folder, "broken-chain.ogg");
    writeFileSync(file, Buffer.concat([part, broken, part]));
    const decoded = await decode(file);
    expect(decoded.onsets).toHaveLength(8);
    expect(decoded.faults.skippedPartsAtSeconds).toHaveLength(1);
  });
});

describe("the audio track", () => {
  const silent = new Float32Array(RATE * 4);
  const sound = (more: Partial<AudioTrack> = {}) => track("aac", more);
  const quiet = (more: Partial<AudioTrack> = {}) => track("aac", { channels: [silent], ...more });
  const testTone = () => track("aac", { channels: [tone(4, 1_000, RATE)] });
  test.each([
    ["the first of two with sound", [sound(), sound()], 0],
    ["the one flagged as default", [sound(), sound({ isDefault: true })], 1],
    ["the first with sound if the first is silent", [quiet(), sound()], 1],
    ["one with sound if the default one is silent", [quiet({ isDefault: true }), sound()], 1],
    ["of several defaults the first with sound", [sound(), quiet({ isDefault: true }), sound({ isDefault: true })], 2],
    ["the default one if all are silent", [quiet(), quiet({ isDefault: true })], 1],
    ["the first with sound if the first is a test tone", [testTone(), sound()], 1],
    ["the test tone if the others are silent", [quiet(), testTone()], 1],
  ])("is %s", async (_what, tracks, expected) => {
    const decoded = await decode(await written("mkv", { tracks }));
    expect(decoded.track).toBe(expected);
  });

  test("is not an empty one", async () => {
    const empty = track("aac", { channels: [new Float32Array(48)], timeOf: () => undefined });
    expect((await decode(await written("mkv", { tracks: [empty, sound()] }))).track).toBe(1);
  });

  test("is the requested one", async () => {
    const file = await written("mkv", { tracks: [sound({ isDefault: true }), quiet()] });
    expect(await decode(file, 1)).toMatchObject({ track: 1, onsets: [] });
  });

  test("that does not exist is refused with a list of the available ones", async () => {
    const file = await written("mkv", { tracks: [sound({ language: "eng", title: "Commentary" }), sound()] });
    await expect(decode(file, 2)).rejects.toMatchObject({
      code: "media.no_such_track",
      status: 400,
      message: 'audio_track is 2, but the file has 2 audio tracks: 0 (eng, "Commentary", 1 channel); 1 (1 channel)',
    });
  });
});
