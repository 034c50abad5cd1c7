// The store of objects is slow, silent, and cut off in the middle of uploads and jobs: the service completes accepted
// jobs, and refuses other requests with a message.
import { readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { HELLO_MP3, wav } from "../fixtures/recordings.ts";
import { type S3Server, startS3, VERSITYGW } from "../fixtures/s3.ts";
import { decodeSpeech, repeated } from "../fixtures/speech.ts";
import { startTcpProxy, type TcpProxy } from "../fixtures/tcp-proxy.ts";
import { call, finished, type RunningService, ready, startService, upload } from "../service.ts";

describe.skipIf(!VERSITYGW)("the store of objects (skipped without versitygw)", () => {
  let s3: S3Server;
  let network: TcpProxy;
  let service: RunningService;
  let long: Buffer;

  beforeAll(async () => {
    s3 = await startS3();
    network = await startTcpProxy({ port: Number(new URL(s3.endpoint).port) });
    service = await startService({
      environment: { ...s3.environment, PARLANCE_S3_ENDPOINT: `http://127.0.0.1:${network.port}` },
    });
    await ready(service);
    // Many bytes for the network, little speech to recognise.
    long = wav([repeated(await decodeSpeech(), 8, 18)]);
  }, 60_000);
  afterAll(async () => {
    await service?.remove();
    await network?.stop();
    await s3?.remove();
  });

  /** Uploads until it is taken: while the store is away the answer says so. */
  const accepted = async (recording: Buffer): Promise<string> => {
    for (;;) {
      const { status, json } = await upload(service, recording);
      if (status === 200) return json.audio_url;
      expect(status).toBe(503);
      expect(json.message).toMatch(/does not answer; try again/);
      await pause(500);
    }
  };

  test.each<[string, () => Promise<void>]>([
    [
      "is slow",
      async () => {
        network.delay(200);
        await pause(4_000);
      },
    ],
    [
      "is cut off",
      async () => {
        network.cut();
        await pause(3_000);
      },
    ],
    [
      "does not answer, and its connections stay open",
      async () => {
        network.silence();
        await pause(8_000);
      },
    ],
  ])("%s in the middle of uploads and jobs", { timeout: 180_000 }, async (_, fault) => {
    const audio_url = await accepted(long);
    const submitted = async (address: string) =>
      (await call(service, "POST", "/v2/pre-recorded", { body: { audio_url: address } })).json.id as string;
    const ids = [await submitted(audio_url), await submitted(audio_url)];
    const isBegun = async (id: string) =>
      (await call(service, "GET", `/v2/pre-recorded/${id}`)).json.status !== "queued";
    await expect.poll(async () => (await Promise.all(ids.map(isBegun))).includes(true)).toBe(true);
    const uploads = [accepted(long), accepted(readFileSync(HELLO_MP3))];
    await pause(20);
    await fault();
    network.mend();
    for (const address of await Promise.all(uploads)) ids.push(await submitted(address));
    const jobs = await Promise.all(ids.map((id) => finished(service, id, 120_000)));
    expect(jobs.map(({ status }) => status)).toEqual(ids.map(() => "done"));
    const text = (job: (typeof jobs)[number]) => job.result.transcription.full_transcript;
    expect(new Set([jobs[0], jobs[1], jobs[2]].map(text)).size).toBe(1);
  });
});
