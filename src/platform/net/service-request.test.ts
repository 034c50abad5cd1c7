// Requests to real servers: redirects, and files that cannot be read.
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import os from "node:os";
import path from "node:path";
import { buffer } from "node:stream/consumers";
import { afterAll, afterEach, expect, test } from "vitest";
import { askService, exchange, openContent, sendFile } from "./service-request.ts";

const servers: Server[] = [];
const folder = mkdtempSync(path.join(os.tmpdir(), "parlance-request-"));
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.close();
    server.closeAllConnections();
  }
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function serverWith(answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const redirecting = (location: string) =>
  serverWith((request, response) =>
    response.writeHead(302, { location: location.replace("PATH", request.url ?? "") }).end(),
  );

test.each([
  ["the address of the service, if the path stays", "https://speech.example/voicePATH", "https://speech.example/voice"],
  ["no user name and password", "https://user:secret@speech.examplePATH", "https://speech.example"],
])("a redirect is refused with %s", async (_, location, named) => {
  const base = await redirecting(location);
  const refusal = {
    code: "service.redirects",
    message: `${base} redirects to ${named}; name that address with --server`,
  };
  const service = { base, key: "a-key-for-tests" };
  await expect(askService(service, "DELETE", "/v2/transcription/1?cancel=true")).rejects.toMatchObject(refusal);
  await expect(exchange(service, { method: "POST", path: "/v2/upload/resumable" })).rejects.toMatchObject(refusal);
});

test.each([
  ["https://login.example/sign-in?token=secret", "https://login.example/sign-in"],
  ["https://login.example/?next=/v2/transcription/1?cancel=true", "https://login.example/"],
])(
  "a redirect to another page is named without its query, and not as an address of the service: %s",
  async (location, named) => {
    const base = await redirecting(location);
    await expect(askService({ base, key: "" }, "DELETE", "/v2/transcription/1?cancel=true")).rejects.toMatchObject({
      code: "service.refused",
      message: `${base} redirects to ${named}`,
    });
  },
);

test("an answer to HEAD that states JSON has no content", async () => {
  const base = await serverWith((_, response) =>
    response.writeHead(410, { "content-type": "application/json; charset=utf-8" }).end(),
  );
  expect(await exchange({ base, key: "" }, { method: "HEAD", path: "/v2/upload/resumable/1" })).toMatchObject({
    status: 410,
    json: undefined,
  });
});

test("an answer that is neither of success nor a redirect to an address is a refusal", async () => {
  const base = await serverWith((_, response) => response.writeHead(304).end());
  await expect(askService({ base, key: "" }, "GET", "/")).rejects.toMatchObject({
    code: "service.refused",
    message: `${base} answered 304`,
  });
});

test("content is read from where the service redirects to, without the key", async () => {
  const seen: IncomingMessage[] = [];
  const store = await serverWith((request, response) => {
    seen.push(request);
    const isThere = request.url === "/object?signature=1";
    response.writeHead(isThere ? 200 : 403).end("content");
  });
  const key = "a-key-for-tests";
  const found = await openContent({ base: await redirecting(`${store}/object?signature=1`), key }, "/v2/file");
  expect((await buffer(found)).toString()).toBe("content");
  expect(seen[0]?.headers).not.toHaveProperty("authorization");
  expect(seen[0]?.headers).not.toHaveProperty("x-service-key");
  await expect(openContent({ base: await redirecting(`${store}/other`), key }, "/v2/file")).rejects.toMatchObject({
    code: "service.refused",
    status: 403,
  });
});

test("a file that is missing, no file, or changed meanwhile is named, and not the service", async () => {
  const file = path.join(folder, "talk.wav");
  const base = await serverWith((request, response) => {
    request.resume();
    request.on("end", () => response.end("{}"));
  });
  const send = (name: string) => sendFile({ base, key: "" }, "/v2/upload", name, "talk.wav");
  await expect(send(file)).rejects.toMatchObject({ code: "file.missing", message: `there is no file ${file}` });
  await expect(send(os.tmpdir())).rejects.toMatchObject({ code: "file.missing" });
  writeFileSync(file, "first");
  expect((await send(file)).toString()).toBe("{}");
  const growing = setInterval(() => appendFileSync(file, "more"), 0);
  const codeOf = () => send(file).then(String, (error: { code: string }) => error.code);
  await expect.poll(codeOf).toBe("file.changed");
  clearInterval(growing);
});
