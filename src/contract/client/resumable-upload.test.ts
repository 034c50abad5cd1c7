// The client's end of an upload, against a service that loses requests and answers.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Upload } from "../upload.ts";
import { GrowingUpload } from "./growing-upload.ts";
import {
  PIECE_BYTES,
  RESUMABLE_PATH,
  type UploadReply,
  type UploadRequest,
  uploadResumably,
} from "./resumable-upload.ts";

const SIZE = 50_000_000;
const UPLOAD = { audio_url: "http://service/file/1" } as Upload;

/** What happens to a request: a cut after a share of its body, a lost answer, a status. */
type Fault = { cutAt: number } | { lost: true } | { status: number } | undefined;

class TestService {
  /** Without a length, an upload waits for it. */
  readonly uploads = new Map<string, { length?: number; received: number }>();
  readonly requests: string[] = [];
  /** Bytes that were stored twice would make the offset of a request wrong. */
  stored = 0;
  clock = 0;

  constructor(private readonly faults: Fault[]) {}

  transport(signal = new AbortController().signal) {
    return {
      send: (request: UploadRequest<{ start: number; end: number }>) => this.send(request),
      pause: async (milliseconds: number) => {
        this.clock += milliseconds;
      },
      now: () => this.clock,
      signal,
    };
  }

  private async send({
    method,
    path,
    headers,
    body,
  }: UploadRequest<{ start: number; end: number }>): Promise<UploadReply> {
    this.requests.push(method);
    const fault = this.faults.shift();
    if (fault && "status" in fault) return reply(fault.status);
    const answer = this.answer(method, path, headers, body, fault && "cutAt" in fault ? fault.cutAt : 1);
    if (fault) throw new Error("no answer");
    return answer;
  }

  private answer(
    method: string,
    path: string,
    headers: Record<string, string>,
    body: { start: number; end: number } | undefined,
    share: number,
  ): UploadReply {
    if (method === "POST") {
      const id = String(this.uploads.size + 1);
      const isDeferred = headers["upload-defer-length"] === "1";
      this.uploads.set(id, { received: 0, ...(isDeferred ? {} : { length: Number(headers["upload-length"]) }) });
      return reply(201, { location: `/prefix${RESUMABLE_PATH}/${id}` });
    }
    const upload = this.uploads.get(path.slice(RESUMABLE_PATH.length + 1));
    if (!upload) return reply(404);
    if (method === "PATCH" && body) {
      if (Number(headers["upload-offset"]) !== upload.received || body.start !== upload.received) return reply(409);
      if (headers["upload-length"] !== undefined && upload.length === undefined)
        upload.length = Number(headers["upload-length"]);
      const bytes = Math.floor((body.end - body.start) * share);
      upload.received += bytes;
      this.stored += bytes;
    }
    if (method === "GET") {
      const isComplete = upload.received === upload.length;
      return { ...reply(200), json: { offset: upload.received, upload: isComplete ? UPLOAD : null } };
    }
    const length: Record<string, string> =
      upload.length === undefined ? { "upload-defer-length": "1" } : { "upload-length": String(upload.length) };
    return reply(200, { "upload-offset": String(upload.received), ...(method === "HEAD" ? length : {}) });
  }
}

const reply = (status: number, headers: Record<string, string> = {}): UploadReply => ({
  status,
  header: (name) => headers[name],
  json: { message: `status ${status}` },
});

const source = { name: "Öffentliche Sitzung.wav", size: SIZE, slice: (start: number, end: number) => ({ start, end }) };
const ignored = { onPath: () => undefined, onProgress: () => undefined };

test("a file is sent in pieces, each byte once, for any cuts, lost answers and faults", async () => {
  const fault = fc.oneof(
    fc.constant(undefined),
    fc.double({ min: 0, max: 1, noNaN: true }).map((cutAt) => ({ cutAt })),
    fc.constant({ lost: true as const }),
    fc.constantFrom(500, 502, 503, 507, 409, 423, 429, 460).map((status) => ({ status })),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(fault, { maxLength: 20 }), async (faults) => {
      // The first request of all fails at once.
      const service = new TestService([undefined, ...faults]);
      const shares: number[] = [];
      const events = { ...ignored, onProgress: (share: number) => void shares.push(share) };
      expect(await uploadResumably(source, service.transport(), events)).toEqual({ upload: UPLOAD });
      expect(service.stored).toBe(SIZE);
      expect(service.uploads.size).toBe(1);
      expect(Math.max(...shares)).toBe(1);
    }),
  );
});

test("an upload that was begun before continues at its offset", async () => {
  const service = new TestService([]);
  service.uploads.set("7", { length: SIZE, received: 20_000_000 });
  await uploadResumably(source, service.transport(), ignored, `${RESUMABLE_PATH}/7`);
  expect(service.requests).toEqual(["HEAD", "PATCH", "PATCH", "GET"]);
  expect(service.stored).toBe(SIZE - 20_000_000);
});

test("bytes that the service loses after the last one was stored are sent again", async () => {
  const service = new TestService([]);
  service.uploads.set("7", { length: SIZE, received: SIZE });
  const onProgress = (share: number) => {
    const upload = service.uploads.get("7");
    if (upload && share === 1 && service.stored === 0) upload.received = 0;
  };
  await uploadResumably(source, service.transport(), { ...ignored, onProgress }, `${RESUMABLE_PATH}/7`);
  expect(service.requests).toEqual(["HEAD", "GET", "PATCH", "PATCH", "PATCH", "GET"]);
}, 2_000);

test("bytes that are sent again after a restore from a backup are progress", async () => {
  const service = new TestService([]);
  service.uploads.set("7", { length: 1_000_000_000, received: 990_000_000 });
  let [hasLost, hasFailed] = [false, false];
  const transport = service.transport();
  const send = async (request: Parameters<typeof transport.send>[0]) => {
    const upload = service.uploads.get("7");
    // Each piece takes 20 s, so that all of them take far longer than five minutes.
    if (request.method === "PATCH") service.clock += 20_000;
    if (request.method === "PATCH" && upload && !hasLost) {
      hasLost = true;
      upload.received = 0;
    }
    if (service.clock > 600_000 && !hasFailed) {
      hasFailed = true;
      throw new Error("no answer");
    }
    return transport.send(request);
  };
  const large = { ...source, size: 1_000_000_000 };
  const outcome = await uploadResumably(large, { ...transport, send }, ignored, `${RESUMABLE_PATH}/7`);
  expect(outcome).toEqual({ upload: UPLOAD });
  expect({ hasLost, hasFailed }).toEqual({ hasLost: true, hasFailed: true });
});

test.each([404, 410])(
  "an upload that there is no more (%d) begins again, and its new path is reported",
  async (status) => {
    const service = new TestService([{ status }]);
    const paths: string[] = [];
    await uploadResumably(
      source,
      service.transport(),
      { ...ignored, onPath: (path) => paths.push(path) },
      `${RESUMABLE_PATH}/7`,
    );
    expect(paths).toEqual([`${RESUMABLE_PATH}/1`]);
  },
);

describe("an upload is given up", () => {
  const refusal = (faults: Fault[]) =>
    uploadResumably(source, new TestService(faults).transport(), ignored).then(
      (outcome) => ("refusal" in outcome ? outcome.refusal.status : undefined),
      (thrown: unknown) => String(thrown),
    );

  test.each([400, 401, 403, 404, 413, 429, 503, 507])("when its beginning is answered %d", async (status) => {
    expect(await refusal([{ status }])).toBe(status);
  });
  test.each([400, 401, 403, 412, 413, 415])("when a piece is answered %d", async (status) => {
    expect(await refusal([undefined, { status }])).toBe(status);
  });
  test("when the service is away before the beginning", async () => {
    expect(await refusal([{ lost: true }])).toMatch(/no answer/);
  });
  test("after five minutes without a further byte", async () => {
    const service = new TestService([undefined, ...Array.from({ length: 1_000 }, () => ({ cutAt: 0 }))]);
    await expect(uploadResumably(source, service.transport(), ignored)).rejects.toThrow("no answer");
    expect(service.clock).toBeGreaterThan(300_000);
    expect(service.clock).toBeLessThan(330_000);
  });
  test("after five minutes without a further byte, although the service answers how many it has", async () => {
    const full = [{ status: 507 }, undefined];
    const service = new TestService([undefined, undefined, ...Array.from({ length: 2_000 }, () => full).flat()]);
    const outcome = await uploadResumably(source, service.transport(), ignored);
    expect("refusal" in outcome && outcome.refusal.status).toBe(507);
    expect(service.clock).toBeGreaterThan(300_000);
    expect(service.clock).toBeLessThan(330_000);
    expect(service.requests.length).toBeLessThan(120);
  });
  test("when its beginnings disappear again and again", async () => {
    const gone = [undefined, { status: 404 }];
    expect(await refusal([...gone, ...gone, ...gone, ...gone])).toBe(404);
  });
  test("when the caller ends it", async () => {
    const stopping = new AbortController();
    const service = new TestService([undefined, undefined]);
    const events = { ...ignored, onProgress: () => stopping.abort(new Error("stopped")) };
    await expect(uploadResumably(source, service.transport(stopping.signal), events)).rejects.toThrow("stopped");
    expect(service.requests).toEqual(["POST", "PATCH"]);
  });
});

test("a recording is sent while it grows, each byte once, for any cuts, lost answers and faults; its length comes last", async () => {
  const fault = fc.oneof(
    fc.constant(undefined),
    fc.double({ min: 0, max: 1, noNaN: true }).map((cutAt) => ({ cutAt })),
    fc.constant({ lost: true as const }),
    fc.constantFrom(500, 503, 401, 409, 404, 400).map((status) => ({ status })),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(fault, { maxLength: 12 }), fc.nat({ max: 8 }), async (faults, sends) => {
      const service = new TestService([...faults]);
      let path: string | undefined;
      const growing = new GrowingUpload(service.transport(), (begun) => {
        path = begun;
      });
      for (let at = 1; at <= sends; at++)
        await growing.send({ ...source, size: at * 1_000_000 }).catch(() => undefined);
      // The faults are over when the recording ends.
      const end = new TestService([]);
      for (const [id, upload] of service.uploads) end.uploads.set(id, upload);
      const onPath = (begun: string) => {
        path = begun;
      };
      const events = { ...ignored, onPath };
      expect(await uploadResumably(source, end.transport(), events, path)).toEqual({ upload: UPLOAD });
      const id = path?.split("/").at(-1) as string;
      expect(end.uploads.get(id)).toEqual({ length: SIZE, received: SIZE });
    }),
  );
});

test("while it grows, only the new bytes of a recording are sent", async () => {
  const service = new TestService([]);
  const growing = new GrowingUpload(service.transport(), () => undefined);
  for (const size of [1_000, 1_000, 5_000]) await growing.send({ ...source, size });
  expect(service.requests).toEqual(["POST", "PATCH", "PATCH"]);
  expect(service.stored).toBe(5_000);
});

test("a service that does not take recordings in this way is not asked again", async () => {
  const service = new TestService([{ status: 400 }]);
  const growing = new GrowingUpload(service.transport(), () => undefined);
  for (const size of [1_000, 2_000]) await growing.send({ ...source, size });
  expect(service.requests).toEqual(["POST"]);
});

test("a service that cannot be reached is tried again, at most 20 times", async () => {
  const service = new TestService(Array.from({ length: 30 }, () => ({ lost: true as const })));
  const growing = new GrowingUpload(service.transport(), () => undefined);
  for (let at = 1; at <= 30; at++) await growing.send({ ...source, size: at }).catch(() => undefined);
  expect(service.requests).toHaveLength(20);
});

test.each([
  ["bytes are missing", 1_000_000],
  ["it has more bytes than the browser", SIZE + 100],
])("a recording whose length another page has decided begins again: %s", async (_, received) => {
  const service = new TestService([]);
  service.uploads.set("7", { length: SIZE + 500, received });
  const outcome = await uploadResumably(source, service.transport(), ignored, `${RESUMABLE_PATH}/7`);
  expect(outcome).toEqual({ upload: UPLOAD });
  expect(service.uploads.get("2")).toEqual({ length: SIZE, received: SIZE });
});

test("a recording that the service has whole is not sent again, if the browser has less of it", async () => {
  const service = new TestService([]);
  service.uploads.set("7", { length: SIZE + 500, received: SIZE + 500 });
  await uploadResumably(source, service.transport(), ignored, `${RESUMABLE_PATH}/7`);
  expect(service.requests).toEqual(["HEAD", "GET"]);
});

test("a recording is sent in pieces of bounded size, and in a bounded number of requests", async () => {
  const service = new TestService([]);
  const growing = new GrowingUpload(service.transport(), () => undefined);
  await growing.send(source);
  expect(service.stored).toBe(PIECE_BYTES);
  for (let at = 1; at <= 6_000; at++) await growing.send({ ...source, size: PIECE_BYTES + at });
  expect(service.requests.filter((method) => method === "PATCH")).toHaveLength(5_000);
});

test("if the service has more of a recording than the browser, its bytes are the file", async () => {
  const service = new TestService([]);
  service.uploads.set("7", { received: SIZE + 500 });
  const outcome = await uploadResumably(source, service.transport(), ignored, `${RESUMABLE_PATH}/7`);
  expect(outcome).toEqual({ upload: UPLOAD });
  expect(service.uploads.get("7")).toEqual({ length: SIZE + 500, received: SIZE + 500 });
});
