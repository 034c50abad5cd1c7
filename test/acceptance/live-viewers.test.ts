// Viewers of a live session: captions as server-sent events by a token that reads them and does nothing else, over a kill of the service.
import { afterAll, beforeAll, expect, test } from "vitest";
import { CLOSE } from "../../src/contract/close-codes.ts";
import { createSession, LiveClient } from "../fixtures/live-client.ts";
import { decodeSpeech, encodePcm, repeated } from "../fixtures/speech.ts";
import { call, type RunningService, ready, startService } from "../service.ts";

interface Created {
  id: string;
  url: string;
  captions: { events: string; page: string; playlist?: string };
}

interface ReadEvent {
  id: number | undefined;
  type: string;
  // biome-ignore lint/suspicious/noExplicitAny: messages of every type
  data: any;
}

let service: RunningService;
let pcm: Buffer;

beforeAll(async () => {
  service = await startService();
  pcm = encodePcm([repeated(await decodeSpeech(), 3, 1)]);
  await ready(service);
});
afterAll(() => service.remove());

const create = async (body: object = {}) =>
  (await createSession(service, { endpointing: 0.3, captions: true, ...body })) as unknown as Created;

function eventsOf(text: string): ReadEvent[] {
  return text.split("\n\n").flatMap((block) => {
    const [, type] = /^event: (.+)$/m.exec(block) ?? [];
    const [, id] = /^id: (\d+)$/m.exec(block) ?? [];
    const [, data = "null"] = /^data: (.+)$/m.exec(block) ?? [];
    return type === undefined ? [] : [{ type, id: id === undefined ? undefined : Number(id), data: JSON.parse(data) }];
  });
}

/** Reads a stream until it ends. @param onText  receives all text so far */
async function read(address: string, onText: (text: string) => void = () => undefined): Promise<ReadEvent[]> {
  const response = await fetch(address);
  expect(response.status).toBe(200);
  let text = "";
  for await (const bytes of response.body ?? []) {
    text += Buffer.from(bytes).toString();
    onText(text);
  }
  return eventsOf(text);
}

const finalsOf = (events: readonly ReadEvent[]) =>
  events.filter(({ type, data }) => type === "transcript" && data.data.is_final);

test("a viewer reads partials and finals while the session runs; one that comes late reads every final", async () => {
  const { url, captions } = await create({ messages_config: { receive_partial_transcripts: true } });
  let partials = 0;
  const early = read(captions.events, (text) => {
    partials = eventsOf(text).filter(({ type, data }) => type === "transcript" && !data.data.is_final).length;
  });
  const client = await LiveClient.connect(url);
  // A service that is behind makes no partials. The test sends the speech at its own pace, and repeats it until a partial arrives.
  for (let tries = 0; tries < 10 && (tries === 0 || partials === 0); tries++) {
    for (let at = 0; at < pcm.length; at += 8_000) {
      client.send(pcm.subarray(at, at + 8_000));
      await new Promise((resolve) => setTimeout(resolve, partials === 0 ? 250 : 50));
    }
  }
  expect(partials).toBeGreaterThan(0);
  client.stop();
  await client.closed;
  const own = client.finals();
  expect(own.length).toBeGreaterThan(1);
  const seen = await early;
  expect(finalsOf(seen).map(({ data }) => data)).toEqual(own);
  expect(seen.at(-1)).toEqual({ type: "end", id: undefined, data: { status: "done" } });
  const late = await read(`${captions.events}&after=0`);
  expect(finalsOf(late).map(({ data }) => data)).toEqual(own);
  const [first] = finalsOf(late);
  const rest = await read(`${captions.events}&after=${first?.id}`);
  expect(finalsOf(rest).map(({ data }) => data)).toEqual(own.slice(1));
});

test("after a kill of the service, viewers receive each final once", async () => {
  const { url, captions } = await create();
  const client = await LiveClient.connect(url);
  client.send(pcm);
  await expect.poll(() => client.finals().length).toBeGreaterThan(0);
  await service.kill();
  const before = new URL(service.base).host;
  service = await startService({ folder: service.folder });
  await ready(service);
  const moved = (address: string) => address.replace(before, new URL(service.base).host);
  const again = await LiveClient.connect(moved(url));
  again.stop();
  await again.closed;
  const { json } = await call(service, "GET", `/v2/live/${new URL(captions.events).pathname.split("/")[3]}`);
  const seen = finalsOf(await read(`${moved(captions.events)}&after=0`));
  const ids = seen.map(({ data }) => data.data.id);
  expect(new Set(ids).size).toBe(ids.length);
  const inResult = json.result.messages
    .map((text: string) => JSON.parse(text))
    .filter(({ type, data }: { type: string; data: { is_final: boolean } }) => type === "transcript" && data.is_final);
  expect(seen.map(({ data }) => data)).toEqual(inResult);
});

test("the token of viewers reads the captions of its session, and does nothing else", async () => {
  const own = await create();
  const other = await create();
  const token = new URL(own.captions.events).searchParams.get("token") ?? "";
  const status = async (path: string, method = "GET") =>
    (await fetch(`${service.base}${path}`, { method, redirect: "manual" })).status;
  expect(await status(`/v2/live/${own.id}/events?token=${token}&seconds=1`)).toBe(200);
  for (const path of [`/v2/live/${own.id}`, `/v2/live/${own.id}/audio`, "/v2/live", "/v2/transcription"])
    expect(await status(`${path}?token=${token}`), path).toBe(401);
  expect(await status(`/v2/live/${own.id}?token=${token}`, "DELETE")).toBe(401);
  expect(await status(`/v2/live/${own.id}/stop?token=${token}`, "POST")).toBe(401);
  expect(await status(`/v2/live/${other.id}/events?token=${token}`)).toBe(401);
  const opening = new URL(own.url).searchParams.get("token");
  expect(await status(`/v2/live/${own.id}/events?token=${opening}`)).toBe(401);
  const refused = await LiveClient.connect(own.url.replace(/token=.*/, `token=${token}`));
  expect((await refused.closed).code).toBe(CLOSE.badToken);
  expect(service.log()).not.toContain(token);
});

test("the stream of a viewer who uses a key ends when the key is revoked", async () => {
  const { id } = await create();
  const made = (await call(service, "POST", "/v2/account/keys", { body: { name: "viewer" } })).json;
  const response = await fetch(`${service.base}/v2/live/${id}/events`, { headers: { "x-service-key": made.key } });
  expect(response.status).toBe(200);
  await call(service, "DELETE", `/v2/account/keys/${made.id}`);
  // The text is complete when the stream has ended. The session has not.
  expect(await response.text()).not.toContain("event: end");
  expect((await call(service, "GET", `/v2/live/${id}`)).json.status).toBe("queued");
});

test("a process has at most 200 streams of a session, however many requests arrive at once", async () => {
  const { captions } = await create();
  const ends = new AbortController();
  // They are kept: fetch closes the stream of a response that is garbage.
  const responses = await Promise.all(
    Array.from({ length: 260 }, () => fetch(captions.events, { signal: ends.signal })),
  );
  const refused = await Promise.all(responses.filter(({ status }) => status !== 200).map((one) => one.text()));
  ends.abort();
  // The rate of requests may refuse some, too.
  expect(refused.length).toBeGreaterThanOrEqual(60);
  for (const answer of refused) expect(answer).toContain('"statusCode":429');
  expect(refused.some((answer) => answer.includes("200 viewers of this session"))).toBe(true);
});

test("a session without captions has none for viewers, and says how to get them", async () => {
  const { id, captions } = await create({ captions: false });
  expect(captions).toBeUndefined();
  const { status, json } = await call(service, "GET", `/v2/live/${id}/events`);
  expect(status).toBe(409);
  expect(json.message).toContain("captions: true");
});
