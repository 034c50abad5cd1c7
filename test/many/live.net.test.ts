// Live sessions with several processes, which share PostgreSQL, an S3 server and NATS: the scenarios that one process passes, too, and
// those that need another process.
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { compressed } from "../fixtures/compressed.ts";
import { createSession, LiveClient } from "../fixtures/live-client.ts";
import { checkSession, sessionResult, undisturbed } from "../fixtures/live-invariants.ts";
import { testLiveScenarios } from "../fixtures/live-scenarios.ts";
import { HlsOnAir, hlsFiles, SourceServer } from "../fixtures/live-source.ts";
import { MEDIAMTX, MediaServer, publish } from "../fixtures/media-server.ts";
import { hasNats, type NatsServers, startNats } from "../fixtures/nats.ts";
import { hasPostgres, startPostgres } from "../fixtures/postgres.ts";
import { Receiver } from "../fixtures/receiver.ts";
import { type S3Server, startS3, VERSITYGW } from "../fixtures/s3.ts";
import { Speaker } from "../fixtures/speaker.ts";
import { atRate, decodeSpeech, repeated } from "../fixtures/speech.ts";
import { isThorough } from "../fixtures/thorough.ts";
import { call, engineUp, type RunningService, ready, startService, TEST_KEY } from "../service.ts";

const isThere = hasPostgres && hasNats && VERSITYGW !== undefined;

describe.skipIf(!isThere)("live on many machines (skipped without PostgreSQL, nats-server and versitygw)", () => {
  let postgres: Awaited<ReturnType<typeof startPostgres>>;
  let s3: S3Server;
  let nats: NatsServers;
  let machines: RunningService[] = [];
  let audio: Buffer;
  let words: string[];

  const start = async (folder?: string, environment: Record<string, string> = {}) => {
    const service = await startService({
      ...(folder ? { folder } : {}),
      environment: {
        DATABASE_URL: postgres.url,
        PARLANCE_NATS_URL: nats.url,
        ...s3.environment,
        PARLANCE_WORKERS: "1",
        ...environment,
      },
    });
    await ready(service);
    return service;
  };
  /** The address of a session on one of the machines. */
  const on = (url: string, { base }: RunningService) => url.replace(new URL(url).host, new URL(base).host);
  const machine = (number: number) => machines[number % machines.length] as RunningService;
  const speakerOn = async (service: RunningService, body: object = {}) => {
    const { id, url } = await createSession(service, { endpointing: 0.3, ...body });
    return { id, url, speaker: await Speaker.begin(audio, id, url) };
  };

  beforeAll(async () => {
    [postgres, s3, nats] = [await startPostgres(), await startS3(), await startNats(3)];
    machines = [await start(), await start()];
    ({ audio, words } = await undisturbed(machine(0), 3));
    expect(words.length).toBeGreaterThan(10);
  }, 120_000);
  afterAll(async () => {
    for (const service of machines) await service.remove();
    await Promise.all([s3?.remove(), nats?.remove()]);
    postgres?.stop();
  });

  test("the machine is killed: another one continues, callbacks too", { timeout: 120_000 }, async () => {
    const receiver = await Receiver.start();
    const { id, url, speaker } = await speakerOn(machine(0), {
      callback: true,
      callback_config: { url: receiver.url, receive_final_transcripts: true, receive_lifecycle_events: true },
    });
    speaker.send(audio.length / 2, false);
    await speaker.received("transcript");
    const { folder } = machine(0);
    await speaker.survive(() => machine(0).kill(), on(url, machine(1)));
    await speaker.finish();
    await checkSession(machine(1), id, speaker.messages, { audio, words });
    machines[0] = await start(folder);
    const told = () =>
      receiver
        .of(id)
        .map(({ body }) => body.payload)
        .filter(({ type }) => type === "transcript");
    const job = await sessionResult(machine(1), id);
    const finals = job.result.messages
      .map((text: string) => JSON.parse(text))
      .filter((message: { type: string }) => message.type === "transcript");
    await expect.poll(() => new Set(told().map(({ data }) => data.id)).size).toBe(finals.length);
    await receiver.stop();
  });

  test("the machine that reads a source is killed: another one continues, and viewers of any machine read the same", {
    timeout: 120_000,
  }, async () => {
    const server = await SourceServer.start();
    try {
      const onAir = new HlsOnAir(server);
      onAir.add(await hlsFiles(repeated(await decodeSpeech(), 4, 1), "fmp4", { partSeconds: 2 }));
      onAir.window = [0, 3];
      const { id } = await createSession(machine(0), { endpointing: 0.3, source: { url: onAir.url } });
      const events = async ({ base }: RunningService, query: string) =>
        (await fetch(`${base}/v2/live/${id}/events?${query}`, { headers: { "x-service-key": TEST_KEY } })).text();
      const finalsIn = (text: string) =>
        [...text.matchAll(/^id: \d+\nevent: transcript\ndata: (.*)$/gm)].map(([, data]) => data);
      await expect.poll(async () => finalsIn(await events(machine(1), "after=0&seconds=1")).length).toBeGreaterThan(0);
      const { folder } = machine(0);
      await machine(0).kill();
      Object.assign(onAir, { window: [2, onAir.parts.length], isEnded: true });
      const job = await sessionResult(machine(1), id);
      machines[0] = await start(folder);
      expect(job.status).toBe("done");
      expect(job.result.transcription.full_transcript.match(/hello from/gi)).toHaveLength(4);
      expect(job.result.metadata.warnings).toBeUndefined();
      const inResult = job.result.messages.filter((text: string) => JSON.parse(text).type === "transcript");
      for (const one of machines) expect(finalsIn(await events(one, "after=0"))).toEqual(inResult);
    } finally {
      await server.stop();
    }
  });

  test.skipIf(!MEDIAMTX)(
    "the machine that reads RTSP, RTMP and SRT is killed: another one continues after a gap (skipped without mediamtx)",
    { timeout: 120_000 },
    async () => {
      const server = await MediaServer.start();
      let isOver = false;
      let restart = async () => {};
      const samples = repeated(await decodeSpeech(), 30, 1);
      const track = { channels: [atRate(samples, 44_100)], sampleRate: 44_100, encoder: "aac" };
      const publishing = publish(server.rtmp("talk"), track, () => isOver);
      try {
        await expect.poll(() => server.publishers("talk")).toBe(1);
        const urls = [server.rtsp("talk"), server.rtmp("talk"), server.srt("talk")];
        const ids = await Promise.all(
          urls.map(async (url) => (await createSession(machine(0), { endpointing: 0.3, source: { url } })).id),
        );
        const texts = async () => {
          const headers = { "x-service-key": TEST_KEY };
          const asked = ids.map((id) =>
            fetch(`${machine(1).base}/v2/live/${id}/events?after=0&seconds=1`, { headers }),
          );
          return Promise.all(asked.map(async (answer) => (await answer).text()));
        };
        const least = async () =>
          Math.min(...(await texts()).map((text) => text.match(/^event: transcript$/gm)?.length ?? 0));
        const most = async () =>
          Math.max(...(await texts()).map((text) => text.match(/^event: transcript$/gm)?.length ?? 0));
        await expect.poll(least).toBeGreaterThan(0);
        const { folder } = machine(0);
        restart = async () => {
          machines[0] = await start(folder);
        };
        await machine(0).kill();
        const before = await most();
        await expect.poll(least, { timeout: 60_000 }).toBeGreaterThan(before);
        for (const id of ids) expect((await call(machine(1), "POST", `/v2/live/${id}/stop`)).status).toBe(204);
        for (const id of ids) {
          const job = await sessionResult(machine(1), id);
          expect(job.status).toBe("done");
          expect(job.result.metadata.warnings).toContainEqual(expect.stringMatching(/^the source has a gap of \d/));
        }
      } finally {
        isOver = true;
        // The other tests need two machines, also if this one fails.
        await restart();
        await publishing;
        await server.remove();
      }
    },
  );

  if (isThorough) {
    test("a compressed stream continues at another machine, sample by sample", { timeout: 120_000 }, async () => {
      const speech = atRate(repeated(await decodeSpeech(), 2, 0.8), 48_000);
      const webm = await compressed("webm/opus", [speech]);
      const recordingOf = async (id: string) => {
        const headers = { "x-service-key": TEST_KEY };
        return Buffer.from(await (await fetch(`${machine(1).base}/v2/live/${id}/file`, { headers })).arrayBuffer());
      };
      const session = async (service: RunningService) => {
        const { id, url } = await createSession(service, { endpointing: 0.3, encoding: "webm/opus" });
        return { id, url, speaker: await Speaker.begin(webm, id, url) };
      };
      const undisturbed = await session(machine(1));
      await undisturbed.speaker.finish();
      const { id, url, speaker } = await session(machine(0));
      for (let piece = 0; piece < 20; piece++) speaker.send(Math.floor(webm.length / 40), false);
      await pause(1_500);
      const { folder } = machine(0);
      await speaker.survive(() => machine(0).kill(), on(url, machine(1)));
      await speaker.finish();
      machines[0] = await start(folder);
      const [job, expected] = [await sessionResult(machine(1), id), await sessionResult(machine(1), undisturbed.id)];
      expect(job.result.transcription).toEqual(expected.result.transcription);
      expect(job.result.metadata.warnings).toBeUndefined();
      expect((await recordingOf(id)).equals(await recordingOf(undisturbed.id))).toBe(true);
    });
  }

  test("the machine is killed and the client never reconnects: another one ends the session", {
    timeout: 120_000,
  }, async () => {
    const [doomed, heir] = [await start(undefined, { PARLANCE_LIVE_GRACE_SECONDS: "2" }), machine(1)];
    const { id, speaker } = await speakerOn(doomed);
    speaker.send(audio.length, false);
    speaker.say(JSON.stringify({ type: "stop_recording" }));
    // No client sends unacknowledged audio again.
    await speaker.received("audio_chunk");
    await doomed.kill();
    const job = await sessionResult(heir, id);
    expect(job.status).toBe("done");
    await checkSession(heir, id, [], { audio, words }).catch((error: unknown) => {
      // No client saw its finals; all else must hold.
      expect(String(error)).toMatch(/Set/);
    });
    await doomed.remove();
  });

  test("a machine that was stalled adds nothing to what another one has by then", { timeout: 120_000 }, async () => {
    const { id, url, speaker } = await speakerOn(machine(0));
    speaker.send(audio.length / 2, false);
    await speaker.received("transcript");
    process.kill(machine(0).processId, "SIGSTOP");
    speaker.send(30_000, false);
    const other = await LiveClient.connect(on(url, machine(1)));
    // The session is taken over and read back.
    await pause(2_000);
    other.socket.terminate();
    process.kill(machine(0).processId, "SIGCONT");
    await speaker.survive(() => Promise.resolve(), on(url, machine(1)));
    await speaker.finish();
    await checkSession(machine(0), id, [...other.messages, ...speaker.messages], { audio, words });
  });

  test("the owner stalls for longer than its client may be silent: it continues, with all that the client sent", {
    timeout: 120_000,
  }, async () => {
    const service = await start(undefined, { PARLANCE_LIVE_IDLE_SECONDS: "10", PARLANCE_LIVE_GRACE_SECONDS: "3" });
    const { id, speaker } = await speakerOn(service);
    speaker.send(audio.length / 2, false);
    await speaker.received("transcript");
    process.kill(service.processId, "SIGSTOP");
    speaker.send(audio.length / 4, false);
    await pause(13_000);
    process.kill(service.processId, "SIGCONT");
    speaker.send(audio.length, false);
    await speaker.finish();
    await checkSession(service, id, speaker.messages, { audio, words });
    expect(await service.stop()).toBe(0);
    await service.remove();
  });

  test("NATS servers are killed one after another, then all: sessions wait and resume", {
    timeout: 180_000,
  }, async () => {
    const { id, url, speaker } = await speakerOn(machine(0));
    speaker.send(audio.length / 4, false);
    await nats.kill(0);
    speaker.send(audio.length / 4, false);
    await pause(2_000);
    await nats.start(0);
    await pause(3_000);
    for (const number of [0, 1, 2]) await nats.kill(number);
    speaker.send(audio.length / 4, false);
    await expect.poll(() => engineUp(machine(0), "live_logs")).toBe(0);
    // The client is not kept waiting: it could continue elsewhere. Nothing new is accepted.
    expect(await speaker.closed).toEqual({ code: 1012, reason: expect.stringMatching(/cannot be stored/) });
    expect((await call(machine(0), "GET", "/ready")).status).toBe(503);
    const refused = await call(machine(0), "POST", "/v2/live", { body: {} });
    expect([refused.status, refused.json.message]).toEqual([503, expect.stringMatching(/NATS/)]);
    await expect(LiveClient.connect(url)).rejects.toThrow("503");
    for (const number of [0, 1, 2]) await nats.start(number);
    // Each one connects again at its own times.
    for (const number of [0, 1]) {
      const status = async () => (await call(machine(number), "GET", "/ready")).status;
      await expect.poll(status, { timeout: 60_000 }).toBe(200);
    }
    await speaker.finish();
    await expect.poll(() => engineUp(machine(0), "live_logs"), { timeout: 20_000 }).toBe(1);
    await checkSession(machine(1), id, speaker.messages, { audio, words });
  });

  testLiveScenarios({
    deployment: {
      count: 2,
      process: machine,
      replace: async (number, end) => {
        const { folder } = machine(number);
        await end(machine(number));
        machines[number % machines.length] = await start(folder);
      },
    },
    sent: () => ({ audio, words }),
    runs: 2,
    mostCommands: 14,
    seed: 20_261_122,
  });
});
