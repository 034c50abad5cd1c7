// What Chromium's MediaRecorder records from a microphone is transcribed as it is, in our protocol and in Deepgram's.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { writeWavHeader } from "../../src/speech/audio/wav.ts";
import { CHROMIUM, launch } from "../fixtures/browser.ts";
import { createSession } from "../fixtures/live-client.ts";
import { sessionResult } from "../fixtures/live-invariants.ts";
import { atRate, decodeSpeech, encodePcm, repeated } from "../fixtures/speech.ts";
import { type RunningService, startService, TEST_KEY } from "../service.ts";

const RATE = 48_000;
const RECORDED_MILLISECONDS = 8_000;

let service: RunningService;
let folder: string;
let microphone: string;

beforeAll(async () => {
  service = await startService();
  folder = mkdtempSync(path.join(os.tmpdir(), "parlance-recorder-"));
  microphone = path.join(folder, "microphone.wav");
  const samples = encodePcm([atRate(repeated(await decodeSpeech(), 2, 1), RATE)]);
  const format = { encoding: "wav/pcm", bitDepth: 16, sampleRate: RATE, channels: 1 } as const;
  writeFileSync(microphone, Buffer.concat([writeWavHeader(format, samples.length), samples]));
});
afterAll(async () => {
  await service.remove();
  rmSync(folder, { recursive: true, force: true });
});

interface Recording {
  url: string;
  protocols: string[];
  stop: string;
  milliseconds: number;
}

/** In the page: records, and sends each piece as it comes. @returns the close code and the messages */
const RECORD = `async ({ url, protocols, stop, milliseconds }) => {
  const audio = { channelCount: 1, echoCancellation: false, noiseSuppression: false, autoGainControl: false };
  const stream = await navigator.mediaDevices.getUserMedia({ audio });
  const socket = new WebSocket(url, protocols);
  const messages = [];
  socket.onmessage = ({ data }) => messages.push(data);
  const closed = new Promise((resolve) => (socket.onclose = ({ code }) => resolve(code)));
  await Promise.race([closed, new Promise((resolve) => (socket.onopen = resolve))]);
  const recorder = new MediaRecorder(stream, { mimeType: "audio/webm;codecs=opus" });
  recorder.ondataavailable = ({ data }) => socket.send(data);
  recorder.start(250);
  await new Promise((resolve) => setTimeout(resolve, milliseconds));
  const stopped = new Promise((resolve) => (recorder.onstop = resolve));
  recorder.stop();
  await stopped;
  socket.send(stop);
  return { code: await closed, messages };
}`;

const record = (page: Page, recording: Recording): Promise<{ code: number; messages: string[] }> =>
  page.evaluate(`(${RECORD})(${JSON.stringify(recording)})`);

test.skipIf(!CHROMIUM)("a recording of MediaRecorder (skipped without Chromium)", { timeout: 120_000 }, async () => {
  const browser = await launch(microphone);
  try {
    // The page is any of this origin: it may connect to where it likes.
    const page = await browser.newPage({ bypassCSP: true });
    await page.goto(`${service.base}/`);
    // It records two channels, also of a microphone with one.
    const { id, url } = await createSession(service, { encoding: "webm/opus", channels: 2, endpointing: 0.3 });
    const stop = JSON.stringify({ type: "stop_recording" });
    const own = await record(page, { url, protocols: [], stop, milliseconds: RECORDED_MILLISECONDS });
    expect(own.code).toBe(1000);
    const job = await sessionResult(service, id);
    expect(job.result.metadata.warnings).toBeUndefined();
    expect(Math.abs(job.result.metadata.audio_duration - RECORDED_MILLISECONDS / 1000)).toBeLessThan(1);
    expect(job.result.transcription.full_transcript.toLowerCase()).toContain("hello from the");
    const deepgram = await record(page, {
      url: `${service.base.replace("http", "ws")}/v1/listen?model=nova-3`,
      protocols: ["token", TEST_KEY],
      stop: JSON.stringify({ type: "CloseStream" }),
      milliseconds: RECORDED_MILLISECONDS,
    });
    expect(deepgram.code).toBe(1000);
    expect(deepgram.messages.join(" ").toLowerCase()).toContain("hello from the");
  } finally {
    await browser.close();
  }
});
