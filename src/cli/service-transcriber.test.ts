import http from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { afterEach, expect, test } from "vitest";
import { startServiceTranscriber } from "./service-transcriber.ts";

const servers: http.Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

test("a job whose creation is under way when the command stops is deleted, and none is created later", async () => {
  const requests: string[] = [];
  const server = http.createServer(async (request, response) => {
    requests.push(`${request.method} ${request.url}`);
    if (request.method === "POST") await pause(300);
    response.setHeader("content-type", "application/json");
    response.statusCode = request.method === "POST" ? 201 : 202;
    response.end(JSON.stringify({ id: "created", result_url: "", status: "processing" }));
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const transcriber = await startServiceTranscriber({ base, key: "a-key-for-tests" }, {});
  const ignore = () => undefined;
  const first = transcriber.transcribe("https://example.com/a.mp3", ignore).catch((error: unknown) => error);
  await expect.poll(() => requests).toEqual(["POST /v2/pre-recorded"]);
  await transcriber.stop();
  expect(requests.filter((one) => one.startsWith("DELETE"))).toEqual(["DELETE /v2/transcription/created?cancel=true"]);
  await first;
  await expect(transcriber.transcribe("https://example.com/b.mp3", ignore)).rejects.toThrow();
  expect(requests.filter((one) => one.startsWith("POST"))).toHaveLength(1);
});
