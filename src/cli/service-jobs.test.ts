import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test } from "vitest";
import { errors } from "../platform/errors.ts";
import { endOfJob, mayPass } from "./service-jobs.ts";

let server: Server | undefined;
afterEach(() => new Promise((resolve) => server?.close(resolve) ?? resolve(undefined)));

const BROKEN_BODY = 1;

/** @param answers  status of each request; 0 breaks the connection, BROKEN_BODY in the middle of the answer */
async function serviceWith(answers: readonly number[]) {
  const left = [...answers];
  server = createServer((request, response) => {
    const status = left.shift() ?? 200;
    if (status === 0) return void request.socket.destroy();
    if (status === BROKEN_BODY) {
      response.writeHead(200, { "content-type": "application/json", "content-length": 1_000 });
      return void response.write('{"status":', () => request.socket.destroy());
    }
    const isLast = left.length === 0;
    const body = status === 200 ? { status: isLast ? "done" : "processing" } : { message: "refused" };
    response.writeHead(status, { "content-type": "application/json", connection: "close" }).end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server?.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return { base: `http://127.0.0.1:${port}`, key: "" };
}

test("a service that restarts, or whose proxy answers for it, delays the end of a job", async () => {
  const stages: string[] = [];
  const job = await endOfJob(await serviceWith([200, 0, BROKEN_BODY, 502, 429, 200]), "id", (stage) =>
    stages.push(stage),
  );
  expect(job.status).toBe("done");
  expect(stages).toEqual(["processing", "no answer", "no answer", "no answer", "no answer"]);
});

test("a job that is gone, or a key that is refused, ends the wait", async () => {
  for (const status of [401, 404]) {
    await expect(endOfJob(await serviceWith([200, status]), "id", () => undefined)).rejects.toMatchObject({ status });
  }
  expect(mayPass(new Error("of the program"))).toBe(false);
  expect(mayPass(errors.serviceUnreachable("http://localhost", undefined))).toBe(true);
});
