// Uploads that resume, with any headers, bodies and order of requests: never a fault of the service, never a byte that is counted and not stored.
import fc from "fast-check";
import type { InjectOptions } from "light-my-request";
import { afterAll, beforeAll, expect, test } from "vitest";
import { FUZZ_MILLISECONDS, fuzzing } from "../fixtures/fuzzing.ts";
import { type InProcess, startInProcess } from "../fixtures/in-process.ts";
import { OFFSET_TYPE, RESUMABLE } from "../fixtures/tus.ts";
import { TEST_KEY } from "../service.ts";

const REQUESTS = 1_500;
const LENGTH = 40;

let app: InProcess;
beforeAll(async () => {
  app = await startInProcess({ PARLANCE_MAX_UNFINISHED_UPLOADS: "100000" });
});
afterAll(() => app.remove());

const own = { "x-service-key": TEST_KEY, "tus-resumable": "1.0.0" };
const inject = async (options: InjectOptions) => {
  const response = await app.inject(options);
  expect(response.statusCode, `${JSON.stringify(options)}: ${response.body}`).toBeLessThan(500);
  return response;
};

const HEADER_VALUE = fc.oneof(
  fc.constantFrom(
    "0",
    "1",
    "40",
    "-1",
    "1.0.0",
    "1e9",
    "99999999999999999999",
    "filename YQ==",
    "sha1 YQ==",
    OFFSET_TYPE,
  ),
  fc.string({ maxLength: 60 }).map((text) => text.replace(/[^\x20-\x7e]/g, "")),
);
const NAMES = [
  "tus-resumable",
  "upload-length",
  "upload-offset",
  "upload-metadata",
  "upload-checksum",
  "upload-defer-length",
  "upload-concat",
  "content-type",
  "x-http-method-override",
];

test("any headers", { timeout: FUZZ_MILLISECONDS }, async () => {
  const begin = () => inject({ method: "POST", url: RESUMABLE, headers: { ...own, "upload-length": "40" } });
  const statuses = new Set<number>();
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom("POST", "PATCH", "HEAD", "GET", "OPTIONS"),
      fc.constantFrom(RESUMABLE, "begun", "begun", `${RESUMABLE}/x`, `${RESUMABLE}/%00`),
      fc.dictionary(fc.constantFrom(...NAMES), HEADER_VALUE, { maxKeys: 5 }),
      fc.option(fc.uint8Array({ maxLength: 50 }), { nil: undefined }),
      async (method, place, headers, body) => {
        const url = place === "begun" ? String((await begin()).headers.location) : place;
        const payload = body === undefined ? {} : { payload: Buffer.from(body) };
        const { statusCode } = await inject({
          method: method as "POST",
          url,
          headers: { ...own, "upload-length": "40", "upload-offset": "0", "content-type": OFFSET_TYPE, ...headers },
          ...payload,
        });
        statuses.add(statusCode);
      },
    ),
    fuzzing(REQUESTS),
  );
  for (const status of [200, 201, 204, 400, 404, 412, 415]) expect(statuses).toContain(status);
});

/** Requests of a client, some of them wrong. The model is the bytes that must be stored. */
const STEP = fc.oneof(
  fc.record({
    kind: fc.constant("patch" as const),
    bytes: fc.uint8Array({ maxLength: 15 }),
    shift: fc.constantFrom(0, 0, 0, 1, -1),
  }),
  fc.record({ kind: fc.constant("both" as const), bytes: fc.uint8Array({ minLength: 1, maxLength: 9 }) }),
  fc.record({ kind: fc.constantFrom("get" as const, "head" as const) }),
);

test("any order of requests counts exactly the bytes that were acknowledged", {
  timeout: FUZZ_MILLISECONDS,
}, async () => {
  const seen = new Set<string>();
  await fc.assert(
    fc.asyncProperty(fc.array(STEP, { maxLength: 12 }), async (steps) => {
      const begun = await inject({
        method: "POST",
        url: RESUMABLE,
        headers: { ...own, "upload-length": String(LENGTH) },
      });
      const url = String(begun.headers.location);
      let stored = Buffer.alloc(0);
      const patch = (offset: number, payload: Buffer) => {
        const headers = { ...own, "content-type": OFFSET_TYPE, "upload-offset": String(Math.max(0, offset)) };
        return inject({ method: "PATCH", url, headers, payload });
      };
      for (const step of steps) {
        // The last byte would have the file judged, which is none.
        const room = LENGTH - 1 - stored.length;
        if (!("bytes" in step)) {
          const { headers, body } = await inject({ method: step.kind === "get" ? "GET" : "HEAD", url, headers: own });
          const offset = step.kind === "get" ? JSON.parse(body).offset : Number(headers["upload-offset"]);
          expect(offset).toBe(stored.length);
          continue;
        }
        const bytes = Buffer.from(step.bytes).subarray(0, room);
        if (bytes.length === 0) continue;
        if (step.kind === "patch") {
          const { statusCode } = await patch(stored.length + step.shift, bytes);
          seen.add(`${statusCode}`);
          const isRight = Math.max(0, stored.length + step.shift) === stored.length;
          expect(statusCode).toBe(isRight ? 204 : 409);
          if (isRight) stored = Buffer.concat([stored, bytes]);
          continue;
        }
        const answers = await Promise.all([patch(stored.length, bytes), patch(stored.length, bytes)]);
        const codes = answers.map(({ statusCode }) => statusCode).sort();
        seen.add(`both ${codes}`);
        expect(codes).toEqual([204, 409]);
        stored = Buffer.concat([stored, bytes]);
      }
      const { body } = await inject({ method: "GET", url, headers: own });
      expect(JSON.parse(body).offset).toBe(stored.length);
    }),
    fuzzing(REQUESTS / 10),
  );
  for (const kind of ["204", "409", "both 204,409"]) expect(seen).toContain(kind);
});
