// Work on a file pauses often, whatever its content, and leaves nothing open when it is cancelled.
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type AudioTrack, type Media, writeMedia } from "../../../../test/fixtures/media.ts";
import { noise, silence, tone, wav } from "../../../../test/fixtures/recordings.ts";
import type { AudioRange } from "../../../contract/pre-recorded.ts";
import { mediaWork } from "./media-file.ts";
import type { DecodeAnswer, FileTask } from "./message.ts";

const RATE = 48_000;
const MAXIMUM_SECONDS = 7_200;
const OPEN_FILES = "/proc/self/fd";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), "parlance-work-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let files = 0;
async function written(extension: string, media: Media): Promise<string> {
  const file = path.join(folder, `${files++}.${extension}`);
  await writeMedia(file, media);
  return file;
}

const track = (encoder: string, more: Partial<AudioTrack> = {}): AudioTrack => ({
  channels: [tone(4, 440, RATE)],
  sampleRate: RATE,
  encoder,
  ...more,
});

const probing = (file: string): FileTask => ({ kind: "probe", path: file, maximumSeconds: MAXIMUM_SECONDS });
const decoding = (file: string): FileTask => ({
  kind: "decode",
  path: file,
  outputs: [path.join(folder, "output.pcm")],
  maximumSeconds: MAXIMUM_SECONDS,
});

async function stepsOf(task: FileTask) {
  const work = mediaWork(task);
  const steps: number[] = [];
  for (;;) {
    const step = await work.next();
    if (step.done) return { answer: step.value, steps };
    steps.push(step.value.decodedSeconds);
  }
}

test.each([0, 1])("a sound that channel %i has twice is reported", async (channel) => {
  const sound = noise(20, 0.3);
  const doubled = sound.map((value, at) => (value + 0.8 * (sound[at - 4_000] ?? 0)) / 2);
  const file = path.join(folder, `doubled-${channel}.wav`);
  writeFileSync(file, wav(channel === 0 ? [doubled, sound] : [sound, doubled]));
  const outputs = [0, 1].map((output) => path.join(folder, `doubled-${output}.pcm`));
  const { answer } = await stepsOf({ ...decoding(file), outputs } as FileTask);
  expect((answer as DecodeAnswer).warnings).toEqual([
    expect.stringMatching(/same sound twice, the second time 0\.25 s/),
  ]);
});

describe.each([
  ["mkv", "aac"],
  ["ts", "aac"],
  ["mpg", "mp2"],
])("video without audio for two minutes in .%s", (extension, encoder) => {
  test.each([probing, decoding])("is read in many steps", { timeout: 60_000 }, async (taskOf) => {
    const late = track(encoder, { timeOf: (seconds) => seconds + 120 });
    const file = await written(extension, { videoSeconds: 124, tracks: [late] });
    const { answer, steps } = await stepsOf(taskOf(file));
    expect(answer.durationSeconds).toBeCloseTo(124, 0);
    // 25 packets of video a second.
    expect(steps.filter((seconds) => seconds === 0).length).toBeGreaterThanOrEqual((120 * 25) / 100 - 1);
  });
});

test.each(["aac", "mp2", "ac3"])(
  "a transport stream with several frames of %s in a packet is read once",
  async (encoder) => {
    for (const seconds of [29.9, 30]) {
      const tracks = [track(encoder, { channels: [tone(seconds, 440, RATE)] })];
      const file = await written("ts", { tracks, muxerOptions: { max_delay: "700000" } });
      for (const taskOf of [probing, decoding])
        expect((await stepsOf(taskOf(file))).answer.durationSeconds).toBeCloseTo(seconds, 0);
    }
  },
);

test("a truncated file in .flv is reported, a whole one is not", async () => {
  const file = await written("flv", { tracks: [track("aac", { channels: [tone(20, 440, RATE)] })] });
  expect((await stepsOf(decoding(file))).answer).toMatchObject({ warnings: [] });
  writeFileSync(file, readFileSync(file).subarray(0, statSync(file).size / 2));
  const { warnings } = (await stepsOf(decoding(file))).answer as DecodeAnswer;
  expect(warnings[0]).toBe("The file is truncated: it holds 10.0 s of the 20.0 s of audio that it declares");
});

test("a silent track is skipped in many steps, and its seconds count as decoded", { timeout: 60_000 }, async () => {
  const silent = track("aac", { channels: [silence(60, RATE)] });
  const { answer, steps } = await stepsOf(probing(await written("mkv", { tracks: [silent, track("aac")] })));
  expect(answer).toMatchObject({ track: 1 });
  expect(steps.length).toBeGreaterThan(60);
  expect(steps.at(-1)).toBeGreaterThan(59);
  expect(steps).toEqual(steps.toSorted((left, right) => left - right));
});

test("a chained Ogg of many pages is searched in many steps", async () => {
  const part = readFileSync(await written("ogg", { tracks: [track("libopus")] }));
  const file = path.join(folder, "junk.ogg");
  writeFileSync(file, Buffer.concat([part, Buffer.alloc(2e7, 0x42), part]));
  const { answer, steps } = await stepsOf(probing(file));
  expect(answer.durationSeconds).toBeCloseTo(8, 1);
  expect(steps.filter((seconds) => seconds === 0).length).toBeGreaterThan(2e7 / 65_536 - 1);
});

test("audio longer than allowed is refused if it has to be decoded", async () => {
  const file = await written("wav", { tracks: [track("pcm_s16le")] });
  await expect(stepsOf({ ...decoding(file), maximumSeconds: 3 })).rejects.toMatchObject({ code: "media.too_long" });
});

describe.skipIf(process.platform !== "linux")("work that is given up", () => {
  const openFiles = () => {
    const links = readdirSync(OPEN_FILES);
    return links.length;
  };

  test.each([
    ["probe", probing],
    ["decode", decoding],
  ])("after any step of a %s leaves no file open", { timeout: 120_000 }, async (_kind, taskOf) => {
    const opus = readFileSync(await written("ogg", { tracks: [track("libopus")] }));
    const chained = path.join(folder, "chained.ogg");
    writeFileSync(chained, Buffer.concat([opus, opus]));
    const silent = track("aac", { channels: [silence(4, RATE)] });
    const transport = readFileSync(await written("ts", { tracks: [track("aac")] }));
    const other = readFileSync(await written("ts", { tracks: [track("mp2")] }));
    const joined = path.join(folder, "joined.ts");
    writeFileSync(joined, Buffer.concat([transport, other]));
    for (const file of [chained, joined, await written("mkv", { tracks: [silent, track("aac")] })]) {
      const { length } = (await stepsOf(taskOf(file))).steps;
      const before = openFiles();
      expect(length).toBeGreaterThan(2);
      for (let steps = 0; steps <= length; steps++) {
        const work = mediaWork(taskOf(file));
        for (let step = 0; step < steps; step++) await work.next();
        await work.return(undefined as never);
        expect(openFiles(), `after ${steps} steps of ${path.basename(file)}`).toBe(before);
      }
    }
  });
});

test.each([0, 1, 100, 1_999, 2_000_000])(
  "a header that states %i Hz is refused before samples are written",
  async (rate) => {
    const file = path.join(folder, `rate-${rate}.wav`);
    writeFileSync(file, wav([silence(1)], rate));
    const output = path.join(folder, `rate-${rate}.pcm`);
    for (const task of [probing(file), { ...decoding(file), outputs: [output] } as FileTask])
      await expect(stepsOf(task)).rejects.toMatchObject({ code: expect.stringMatching(/^media\./) });
    expect(existsSync(output) ? statSync(output).size : 0).toBe(0);
  },
);

test("the lowest rates of telephones and old sound cards are decoded", async () => {
  for (const rate of [4_000, 5_512, 8_000]) {
    const file = path.join(folder, `rate-${rate}.wav`);
    writeFileSync(file, wav([tone(1, 440, rate)], rate));
    expect((await stepsOf(probing(file))).answer).toMatchObject({ sampleRate: rate });
  }
});

describe("a range of a recording", () => {
  const file = () => written("wav", { tracks: [track("pcm_s16le", { channels: [tone(10, 440, RATE)] })] });
  const ofRange = async (range: AudioRange, path: string) => {
    const { answer, steps } = await stepsOf({ ...decoding(path), range } as FileTask);
    return { answer: answer as DecodeAnswer, steps };
  };
  const storedSeconds = () => statSync(path.join(folder, "output.pcm")).size / 32_000;

  test("has its samples alone, and a gap before them", async () => {
    const { answer } = await ofRange({ start: 2.5, end: 6 }, await file());
    expect(answer).toMatchObject({ durationSeconds: 6, gaps: [{ storedSeconds: 0 }], warnings: [] });
    expect(answer.gaps[0]?.seconds).toBeCloseTo(2.5, 9);
    expect(storedSeconds()).toBeCloseTo(3.5, 3);
  });

  test("without an end reaches to the end of the recording", async () => {
    const { answer } = await ofRange({ start: 9 }, await file());
    expect([answer.durationSeconds, storedSeconds()]).toEqual([10, 1]);
  });

  test("ends the work at its end, whatever follows", async () => {
    const whole = await file();
    writeFileSync(whole, readFileSync(whole).subarray(0, 44 + 4 * RATE * 2));
    const { answer, steps } = await ofRange({ end: 1 }, whole);
    expect(answer).toMatchObject({ durationSeconds: 1, gaps: [], warnings: [] });
    expect(steps.at(-1)).toBeLessThan(4);
    expect((await ofRange({ end: 5 }, whole)).answer.warnings).toEqual([expect.stringMatching(/truncated/)]);
  });

  test("without any audio is refused", async () => {
    const late = track("aac", { timeOf: (seconds) => seconds + 120 });
    const video = await written("mkv", { videoSeconds: 124, tracks: [late] });
    await expect(ofRange({ start: 10 }, await file())).rejects.toMatchObject({ code: "media.empty_range" });
    await expect(ofRange({ start: 5, end: 6 }, video)).rejects.toMatchObject({
      message: "audio_range contains no audio: the recording has none from 5 to 6 s",
    });
  });
});
