// Processes die and hang at random moments under a mixed load: recognisers, voice activity, decoders, add-ons, the writer of transcripts,
// and the service itself. Everything that was accepted is done, and live speech reads as if nothing had happened.

import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { freePort } from "../fixtures/free-port.ts";
import { createSession } from "../fixtures/live-client.ts";
import { checkSession, undisturbed } from "../fixtures/live-invariants.ts";
import { memoryBomb } from "../fixtures/memory-bomb.ts";
import { childrenOf, signalChildren, signalled } from "../fixtures/processes.ts";
import { randomOf } from "../fixtures/random.ts";
import { Receiver } from "../fixtures/receiver.ts";
import { HELLO_MP3, wav } from "../fixtures/recordings.ts";
import { Speaker } from "../fixtures/speaker.ts";
import { decodeSpeech, repeated } from "../fixtures/speech.ts";
import { call, finished, processIdsOf, type RunningService, ready, startService, upload } from "../service.ts";

/** Every run is the same one; another number is another one. */
const SEED = 20_261_122;
const ROUNDS = 6;

describe.skipIf(process.platform !== "linux")("processes of a service", () => {
  let folder: string;
  let environment: Record<string, string>;
  let service: RunningService;

  beforeEach(async () => {
    folder = mkdtempSync(path.join(os.tmpdir(), "parlance-processes-"));
    environment = { PARLANCE_PORT: String(await freePort()), PARLANCE_CALLBACK_FIRST_RETRY_SECONDS: "0.5" };
    service = await startService({ folder, environment });
    await ready(service);
  });
  afterEach(async () => {
    await service.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const submitted = async (audio_url: string, more: object) => {
    const { status, json } = await call(service, "POST", "/v2/pre-recorded", { body: { audio_url, ...more } });
    expect(status).toBe(201);
    return json.id as string;
  };

  test("any of them is killed, again and again", { timeout: 400_000 }, async () => {
    const random = randomOf(SEED);
    const receiver = await Receiver.start();
    // A sentence for each round: the client pauses between rounds, which ends a turn, and the end of a turn within a word changes it.
    const { audio, words } = await undisturbed(service, ROUNDS);
    const speech = repeated(await decodeSpeech(), 12, 2);
    const addresses: string[] = [];
    for (const recording of [readFileSync(HELLO_MP3), wav([speech])]) {
      addresses.push((await upload(service, recording)).json.audio_url);
    }
    const more = {
      ...{ callback: true, callback_config: { url: receiver.url } },
      ...{ subtitles: true, diarization: true, sentiment_analysis: true, named_entity_recognition: true },
    };
    const { id, url } = await createSession(service, { endpointing: 0.3 });
    const speaker = await Speaker.begin(audio, id, url);
    const jobs: string[] = [];
    const killed: string[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      for (const address of addresses) jobs.push(await submitted(address, more));
      speaker.send(audio.length / ROUNDS, round % 2 === 0);
      await pause(200 + 1_500 * random());
      if (round === ROUNDS / 2) {
        await speaker.survive(async () => {
          await service.kill();
          service = await startService({ folder, environment });
        });
        killed.push("service");
        continue;
      }
      const children = childrenOf(service.processId);
      const victim = children[Math.floor(random() * children.length)];
      if (!victim) continue;
      if (!signalled(victim.id, "SIGKILL")) continue;
      killed.push(victim.name);
      // What waits for a transcript's text meets a process that is gone, too.
      const [ended] = jobs;
      await call(service, "GET", `/v2/transcription/${ended}/transcript?format=txt`);
    }
    expect(new Set(killed).size).toBeGreaterThan(2);
    await speaker.finish();
    await checkSession(service, id, speaker.messages, { audio, words });
    const texts = new Set<string>();
    for (const job of jobs) {
      const { status, error_message, result } = await finished(service, job, 200_000);
      expect({ status, error_message }).toEqual({ status: "done", error_message: null });
      texts.add(result.transcription.full_transcript);
    }
    expect(texts.size).toBe(addresses.length);
    await receiver.until(() => jobs.every((job) => receiver.of(job).length > 0), 60_000);
    // Nothing is left of the work.
    await expect.poll(() => readdirSync(path.join(folder, "objects", "jobs")).length).toBe(0);
    await receiver.stop();
  });

  test("a recogniser that hangs is ended, and its work is done by another process", { timeout: 200_000 }, async () => {
    await service.stop();
    environment["PARLANCE_TASK_TIMEOUT_SECONDS"] = "5";
    service = await startService({ folder, environment });
    await ready(service);
    const { audio, words } = await undisturbed(service, 3);
    const { id, url } = await createSession(service, { endpointing: 0.3 });
    const speaker = await Speaker.begin(audio, id, url);
    speaker.send(audio.length / 2, false);
    signalChildren(processIdsOf(service), "inference", "SIGSTOP");
    const { audio_url } = (await upload(service, readFileSync(HELLO_MP3))).json;
    const job = await submitted(audio_url, {});
    await speaker.finish();
    await checkSession(service, id, speaker.messages, { audio, words });
    expect((await finished(service, job)).status).toBe("done");
    // A stopped process is ended five seconds after it gets a task. More jobs give each process a task.
    const stopped = async () => {
      const more = [await submitted(audio_url, {}), await submitted(audio_url, {})];
      for (const one of more) await finished(service, one);
      return childrenOf(service.processId).filter(({ isStopped }) => isStopped);
    };
    await expect.poll(stopped).toEqual([]);
  });

  test("a recording that takes too much memory to decode is refused, and others are transcribed", {
    timeout: 120_000,
  }, async () => {
    const bomb = await upload(service, memoryBomb(60_000_000), "bomb.caf");
    const { status, error_message } = await finished(service, await submitted(bomb.json.audio_url, {}), 60_000);
    expect(status).toBe("error");
    expect(error_message).toMatch(/it used \d+ MB of memory/);
    const { audio_url } = (await upload(service, readFileSync(HELLO_MP3))).json;
    expect((await finished(service, await submitted(audio_url, {}))).status).toBe("done");
  });

  test("a recogniser that takes too much memory is ended, and the reason is reported", {
    timeout: 180_000,
  }, async () => {
    const small = await startService({
      environment: { PARLANCE_RECOGNIZER_MEMORY_BYTES: "150000000", PARLANCE_SHARE_WEIGHTS: "false" },
    });
    await expect.poll(() => small.log()).toMatch(/recogniser.*it used \d+ MB of memory/);
    await small.remove();
  });
});
