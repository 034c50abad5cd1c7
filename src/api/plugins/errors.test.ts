// Errors that follow headers of a success: a stream that fails before its first byte.
import { Readable } from "node:stream";
import Fastify from "fastify";
import { afterEach, beforeEach, expect, test } from "vitest";
import { errors } from "../../platform/errors.ts";
import type { Api } from "../context.ts";
import { addCompression } from "./compression.ts";
import { addErrorRenderer } from "./errors.ts";

let app: Api;
beforeEach(() => {
  app = Fastify() as unknown as Api;
  addCompression(app);
  addErrorRenderer(app, {} as never);
});
afterEach(() => app.close());

const failing = () =>
  new Readable({
    read() {
      this.destroy(errors.notFound("Job"));
    },
  });

test.each(["gzip", "br", "identity"])(
  "if the stream of an answer with coding %s fails, the error is not compressed and has none of its headers",
  async (coding) => {
    app.get("/text", async (_request, reply) =>
      reply
        .type("application/json")
        .headers({ "cache-control": "max-age=3600, immutable", etag: '"1"', "content-length": 50_000 })
        .header("content-disposition", 'attachment; filename="a.json"')
        .send(failing() as never),
    );
    const { headers, statusCode, payload } = await app.inject({ url: "/text", headers: { "accept-encoding": coding } });
    expect(statusCode).toBe(404);
    expect(JSON.parse(payload).message).toContain("Job");
    expect(headers["content-length"]).toBe(String(payload.length));
    expect(headers["cache-control"]).toBe("no-store");
    for (const name of ["content-encoding", "etag", "content-disposition"]) expect(headers).not.toHaveProperty(name);
  },
);

test("errors of a recording have none of its headers; 416 keeps its size", async () => {
  const sent = { "accept-ranges": "bytes", "content-range": "bytes 0-9/10" };
  app.get("/part", async (_request, reply) => reply.headers(sent).send(failing() as never));
  app.get("/outside", async (_request, reply) => {
    reply.headers({ ...sent, "content-range": "bytes */10" });
    throw errors.rangeNotSatisfiable(10);
  });
  const part = await app.inject("/part");
  expect(part.statusCode).toBe(404);
  for (const name of Object.keys(sent)) expect(part.headers).not.toHaveProperty(name);
  const outside = await app.inject("/outside");
  expect([outside.statusCode, outside.headers["content-range"]]).toEqual([416, "bytes */10"]);
});

/** An error of the system, or of PostgreSQL. */
const coded = (code: string) => Object.assign(new Error(`${code}: the system's text`), { code });

test.each([
  ["a full disk", coded("ENOSPC"), 507],
  ["a full disk of PostgreSQL", coded("53100"), 507],
  ["too many open files", coded("EMFILE"), 503],
  ["the memory of PostgreSQL", coded("53200"), 503],
  ["another error", coded("EISDIR"), 500],
])("%s in a handler is answered as what it is", async (_, thrown, status) => {
  app.get("/folder", async () => {
    throw thrown;
  });
  const { statusCode, headers } = await app.inject({ url: "/folder" });
  expect(statusCode).toBe(status);
  expect(headers["retry-after"] !== undefined).toBe(status !== 500);
});
