// The machine's clock jumps, forwards and back, while it works: nothing is lost, nothing is done twice. The clock is that of libfaketime
// (Debian's package faketime); what needs it is skipped where it is missing.
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createSession } from "../fixtures/live-client.ts";
import { checkSession, undisturbed } from "../fixtures/live-invariants.ts";
import { Receiver } from "../fixtures/receiver.ts";
import { HELLO_MP3, wav } from "../fixtures/recordings.ts";
import { Speaker } from "../fixtures/speaker.ts";
import { decodeSpeech, repeated } from "../fixtures/speech.ts";
import { call, finished, type RunningService, ready, startService, submit, TEST_KEY, upload } from "../service.ts";

const LIBRARY = "/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1";

describe.skipIf(!existsSync(LIBRARY))("the clock jumps (skipped without libfaketime)", () => {
  let folder: string;
  let service: RunningService;
  let receiver: Receiver;

  const jump = (offset: string) => writeFileSync(path.join(folder, "clock"), `${offset}\n`);

  beforeAll(async () => {
    folder = mkdtempSync(path.join(os.tmpdir(), "parlance-clock-"));
    jump("+0");
    receiver = await Receiver.start();
    service = await startService({
      environment: {
        LD_PRELOAD: LIBRARY,
        FAKETIME_TIMESTAMP_FILE: path.join(folder, "clock"),
        FAKETIME_NO_CACHE: "1",
        // What counts seconds does not jump with the clock.
        FAKETIME_DONT_FAKE_MONOTONIC: "1",
      },
    });
    await ready(service);
  }, 60_000);
  afterAll(async () => {
    await service?.remove();
    await receiver?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  test.each([
    ["an hour ahead", "+1h"],
    ["two hours back", "-1h"],
  ])("%s, in the middle of jobs and a session", { timeout: 120_000 }, async (_, offset) => {
    const { audio, words } = await undisturbed(service, 3);
    const before = Date.parse((await createSession(service)).created_at);
    const long = await submit(service, wav([repeated(await decodeSpeech(), 25, 3)]));
    const { id, url } = await createSession(service, { endpointing: 0.3 });
    const speaker = await Speaker.begin(audio, id, url);
    speaker.send(audio.length / 2, false);
    await speaker.received("audio_chunk");
    jump(offset);
    const { created_at } = await createSession(service);
    expect(Math.abs(Date.parse(created_at) - before)).toBeGreaterThan(3_000_000);
    await pause(2_000);
    await speaker.finish();
    await checkSession(service, id, speaker.messages, { audio, words });
    const { audio_url } = (await upload(service, readFileSync(HELLO_MP3))).json;
    const body = { audio_url, callback: true, callback_config: { url: receiver.url } };
    const later = (await call(service, "POST", "/v2/pre-recorded", { body })).json.id;
    for (const job of [long, later]) expect((await finished(service, job)).status).toBe("done");
    await receiver.until(() => receiver.of(later).length > 0, 20_000);
    await pause(1_500);
    expect(receiver.of(later)).toHaveLength(1);
  });

  test("a job of OpenAI's interface is removed after a kill when its client can no longer wait", {
    timeout: 120_000,
  }, async () => {
    const own = await startService();
    await ready(own);
    const form = new FormData();
    form.append("model", "whisper-1");
    form.append("file", new Blob([wav([repeated(await decodeSpeech(), 200, 0.3)]) as never]), "long.wav");
    const asked = fetch(new URL("/v1/audio/transcriptions", own.base), {
      method: "POST",
      headers: { authorization: `Bearer ${TEST_KEY}` },
      body: form,
    }).then(
      () => "answered",
      () => "broken off",
    );
    const listed = async (on: RunningService) => (await call(on, "GET", "/v2/pre-recorded")).json.items.length;
    await expect.poll(() => listed(own), { timeout: 20_000, interval: 20 }).toBe(1);
    await own.kill();
    expect(await asked).toBe("broken off");
    const { folder: data } = own;
    // Soon afterwards it is still there; an hour later it is not, and neither is its recording.
    const soon = await startService({ folder: data });
    expect(await listed(soon)).toBe(1);
    await soon.kill();
    const later = await startService({ folder: data, environment: { LD_PRELOAD: LIBRARY, FAKETIME: "+1h" } });
    await expect.poll(() => listed(later), { timeout: 20_000 }).toBe(0);
    await expect.poll(() => readdirSync(path.join(data, "objects", "audio")), { timeout: 20_000 }).toEqual([]);
    await later.remove();
  });
});
