// Live sessions that fetch their audio over RTSP, RTMP and SRT from a real server: a stream that breaks off, changes its format and returns,
// authentication and encryption, a killed service, and streams that do not exist.
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeCertificate, OPENSSL } from "../fixtures/certificate.ts";
import { createSession } from "../fixtures/live-client.ts";
import { MEDIAMTX, MediaServer, publish } from "../fixtures/media-server.ts";
import { atRate, decodeSpeech, inSequence, repeated } from "../fixtures/speech.ts";
import { isThorough } from "../fixtures/thorough.ts";
import { call, type RunningService, ready, startService } from "../service.ts";

// biome-ignore lint/suspicious/noExplicitAny: tests look into results of every shape
type AnyJson = any;

const USERS = `
authInternalUsers:
  - user: any
    ips: ['127.0.0.1']
    permissions: [{action: publish}, {action: read, path: '~^open'}]
  - user: viewer
    pass: secret
    permissions: [{action: read}]`;

const PASSPHRASE = "correct-horse-battery";
const PATHS = `
  open-encrypted:
    srtReadPassphrase: ${PASSPHRASE}`;

describe.skipIf(!MEDIAMTX)("sources over RTSP, RTMP and SRT (skipped without mediamtx: bash test/mediamtx.sh)", () => {
  let service: RunningService;
  let server: MediaServer;
  let greeting: Float32Array;

  const folder = mkdtempSync(path.join(os.tmpdir(), "parlance-certificate-"));
  const certificate = OPENSSL ? makeCertificate(folder) : undefined;
  const environment = {
    PARLANCE_ALLOW_PRIVATE_ADDRESSES: "true",
    ...(certificate ? { NODE_EXTRA_CA_CERTS: certificate.cert } : {}),
  };

  beforeAll(async () => {
    service = await startService({ environment });
    server = await MediaServer.start({ users: USERS, paths: PATHS, certificate });
    greeting = repeated(await decodeSpeech(), 1, 1);
    await ready(service);
  }, 120_000);
  afterAll(async () => {
    await service.remove();
    await server.remove();
    rmSync(folder, { recursive: true });
  });

  interface SourceSession {
    id: string;
    captions: { events: string };
  }
  const begin = async (url: string, source: object = {}) =>
    (await createSession(service, { source: { url, ...source } })) as unknown as SourceSession;
  const jobOf = async (id: string): Promise<AnyJson> => (await call(service, "GET", `/v2/live/${id}`)).json;
  const greetings = (text: string) => [...text.matchAll(/hello from/gi)].length;
  async function ended(id: string): Promise<AnyJson> {
    await expect.poll(async () => (await jobOf(id)).status, { timeout: 60_000 }).toMatch(/done|error/);
    return jobOf(id);
  }
  /** Greetings in the captions so far. */
  async function captioned({ captions }: SourceSession): Promise<number> {
    const url = captions.events.replace(/^https?:\/\/[^/]+/, service.base);
    return greetings(await (await fetch(`${url}&after=0&seconds=1`)).text());
  }
  const track = (encoder: string, sampleRate: number, samples = greeting, channels = 1) => ({
    channels: Array.from({ length: channels }, () => atRate(samples, sampleRate)),
    ...{ sampleRate, encoder },
  });
  /** Publishes silence after the greetings, while the test works. @param name  of the path */
  async function onAir<Result>(
    name: string,
    scheme: "rtsp" | "rtmp",
    given: ReturnType<typeof track>,
    work: () => Promise<Result>,
  ): Promise<Result> {
    let isOver = false;
    const channels = given.channels.map((samples) => inSequence(samples, new Float32Array(90 * given.sampleRate)));
    const before = server.publishers(name);
    const publishing = publish(server[scheme](name), { ...given, channels }, () => isOver);
    publishing.catch(() => undefined);
    try {
      await expect.poll(() => server.publishers(name)).toBe(before + 1);
      return await work();
    } finally {
      isOver = true;
      await publishing;
    }
  }

  test.each([
    ["rtsp", 48_000, "libopus"],
    ["rtmp", 44_100, "libmp3lame"],
    ["srt", 44_100, "libmp3lame"],
  ] as const)("%s: AAC is transcribed, breaks off, and returns as another format", async (scheme, rate, second) => {
    const name = `open-${scheme}/key`;
    const url = server[scheme](name);
    const published = scheme === "srt" ? "rtmp" : scheme;
    const session = await onAir(name, published, track("aac", rate, repeated(greeting, 2, 1), 2), async () => {
      const created = await begin(url);
      await expect.poll(() => captioned(created)).toBeGreaterThanOrEqual(1);
      return created;
    });
    const before = await captioned(session);
    await expect.poll(() => service.log()).toMatch(/the source of a live session was interrupted/);
    await onAir(name, published, track(second, rate, repeated(greeting, 3, 1)), async () => {
      await expect.poll(() => captioned(session)).toBeGreaterThan(before);
    });
    expect((await call(service, "POST", `/v2/live/${session.id}/stop`)).status).toBe(204);
    const job = await ended(session.id);
    expect(job.status).toBe("done");
    expect(greetings(job.result.transcription.full_transcript)).toBeGreaterThan(before);
    expect(job.result.metadata.warnings).toContainEqual(expect.stringMatching(/^the source has a gap of \d/));
  });

  test("an address with a user name and a password is read; nothing shows them", async () => {
    const url = server.rtsp("closed").replace("//", "//viewer:secret@");
    const job = await onAir("closed", "rtsp", track("aac", 44_100), async () => {
      const refused = await begin(server.rtsp("closed"));
      expect((await ended(refused.id)).error_message).toMatch(/requires a user name and a password: write them/);
      const session = await begin(url);
      expect(JSON.stringify(await jobOf(session.id))).not.toMatch(/secret/);
      await expect.poll(async () => (await jobOf(session.id)).status).toBe("processing");
      await expect.poll(() => server.log).toMatch(/is reading from path 'closed'/);
      await call(service, "POST", `/v2/live/${session.id}/stop`);
      return ended(session.id);
    });
    expect(job.status).toBe("done");
    expect(JSON.stringify(job)).not.toMatch(/secret/);
    expect(service.log()).not.toMatch(/secret/);
  });

  test.skipIf(!certificate).each<"rtsp" | "rtmp">(isThorough ? ["rtsp", "rtmp"] : ["rtsp"])(
    "%s with TLS (skipped without openssl)",
    async (scheme) => {
      const name = `open-secure-${scheme}`;
      await onAir(name, scheme, track("aac", 44_100, repeated(greeting, 9, 1)), async () => {
        const session = await begin(server.secure(scheme, name));
        await expect.poll(() => captioned(session)).toBeGreaterThanOrEqual(1);
        expect(server.log).toMatch(new RegExp(`\\[${scheme.toUpperCase()}S\\].* is reading from path '${name}'`));
        // Its certificate is not that of the address.
        const refused = await begin(server.secure(scheme, name).replace("localhost", "127.0.0.1"), {
          maximum_outage: 5,
        });
        await call(service, "POST", `/v2/live/${session.id}/stop`);
        expect((await ended(session.id)).status).toBe("done");
        expect(JSON.stringify(await ended(refused.id))).toMatch(/could not be reached/);
      });
    },
  );

  test("an encrypted stream of SRT is read with its passphrase, which nothing shows", async () => {
    const job = await onAir("open-encrypted", "rtmp", track("aac", 44_100, repeated(greeting, 9, 1)), async () => {
      for (const options of ["", "&passphrase=another-passphrase"]) {
        const refused = await begin(server.srt("open-encrypted", options));
        expect((await ended(refused.id)).error_message).toMatch(/\(1002\): check streamid and passphrase/);
      }
      const session = await begin(server.srt("open-encrypted", `&passphrase=${PASSPHRASE}&pbkeylen=32`));
      expect((await jobOf(session.id)).request_params.source.url).toBe(server.srt("open-encrypted", "&pbkeylen=32"));
      await expect.poll(() => captioned(session)).toBeGreaterThanOrEqual(1);
      await call(service, "POST", `/v2/live/${session.id}/stop`);
      return ended(session.id);
    });
    expect(job.status).toBe("done");
    expect(job.result.metadata.warnings ?? []).not.toContainEqual(expect.stringMatching(/gap/));
    expect(JSON.stringify(job)).not.toContain(PASSPHRASE);
    expect(service.log()).not.toContain(PASSPHRASE);
  });

  test("a user name and a password in the stream id of SRT are sent, and not shown", async () => {
    await onAir("closed-srt", "rtmp", track("aac", 44_100), async () => {
      const session = await begin(server.srt("closed-srt:viewer:secret"));
      expect((await jobOf(session.id)).request_params.source.url).toBe(server.srt("closed-srt"));
      await expect.poll(() => server.log).toMatch(/\[SRT\].* is reading from path 'closed-srt'/);
      await call(service, "POST", `/v2/live/${session.id}/stop`);
      const job = await ended(session.id);
      expect(job.status).toBe("done");
      expect(JSON.stringify(job)).not.toMatch(/secret/);
      expect(service.log()).not.toMatch(/secret/);
    });
  });

  test("streams that do not exist, and addresses of other protocols", async () => {
    expect(await ended((await begin(server.rtsp("open-nothing"))).id)).toMatchObject({
      ...{
        status: "error",
        error_code: 400,
        error_message: expect.stringMatching(/its server has no such stream \(404\)/),
      },
    });
    expect((await ended((await begin(server.srt("open-nothing"))).id)).error_message).toMatch(/\(1002\): .* on air/);
    expect(await ended((await begin(server.rtmp("open-nothing/key"))).id)).toMatchObject({
      ...{ status: "error", error_message: expect.stringMatching(/before it sent audio; it may have no such stream/) },
    });
    for (const [url, message] of [
      ["udp://a.example:9000", /http, https, rtsp, rtsps, rtmp, rtmps or srt/],
      ["srt://a.example?streamid=read:a", /source\.url must be an SRT address with a port/],
      ["srt://a.example:9000?passphrase=short", /source\.url must have a passphrase of 10 to 79 bytes/],
      ["srt://me:pass@a.example:9000", /servers of SRT read them in streamid/],
      ["rtmp://user:pass@a.example/live/key", /without a user name or password/],
    ] as const) {
      const { status, json } = await call(service, "POST", "/v2/live", { body: { source: { url } } });
      expect(status).toBe(400);
      expect(JSON.stringify(json)).toMatch(message);
    }
  });

  test.each<"rtsp" | "srt">(isThorough ? ["rtsp", "srt"] : ["rtsp"])(
    "a killed service reads a source of %s again, after a gap",
    async (scheme) => {
      const name = `open-killed-${scheme}`;
      const url = server[scheme](name);
      await onAir(
        name,
        scheme === "srt" ? "rtmp" : scheme,
        track("aac", 44_100, repeated(greeting, 5, 1)),
        async () => {
          const session = await begin(url);
          await expect.poll(() => captioned(session)).toBeGreaterThanOrEqual(1);
          await service.kill();
          const before = server.log.length;
          service = await startService({ folder: service.folder, environment });
          await expect.poll(() => server.log.slice(before)).toContain(`is reading from path '${name}'`);
          await expect.poll(() => captioned(session)).toBeGreaterThanOrEqual(2);
          await call(service, "POST", `/v2/live/${session.id}/stop`);
          const job = await ended(session.id);
          expect(job.status).toBe("done");
          expect(job.result.metadata.warnings).toContainEqual(expect.stringMatching(/^the source has a gap of \d/));
        },
      );
    },
  );
});
