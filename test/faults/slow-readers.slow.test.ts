// Clients of every live interface beside the service's own that send and never read: the service keeps a bounded number of messages for
// them, ends their sessions with the words so far, and serves others meanwhile.
import { afterAll, beforeAll, expect, test } from "vitest";
import { sleep } from "../../src/platform/process/sleep.ts";
import { begunSession, transcriptOf } from "../fixtures/begun-session.ts";
import { freePort } from "../fixtures/free-port.ts";
import { INSPECTED, keptBytes } from "../fixtures/kept-memory.ts";
import { createSession, LiveClient } from "../fixtures/live-client.ts";
import { silence } from "../fixtures/recordings.ts";
import { decodeSpeech, encodePcm, inSequence } from "../fixtures/speech.ts";
import { type Speaker, WIRES, type Wire } from "../fixtures/spoken-wires.ts";
import { call, type RunningService, ready, startService } from "../service.ts";

/** Of all of these clients together. What they send in half a minute would be a gigabyte. */
const MOST_KEPT_BYTES = 100e6;
/** More than the sockets between both processes hold: the service reads nothing. */
const MOST_WAITING_BYTES = 2_000_000;
const KEEPING_MILLISECONDS = 500;
const ASKED_AT_ONCE = 1_000;
const WORDS = /hello from the/i;

let service: RunningService;
let wyomingPort: number;

beforeAll(async () => {
  wyomingPort = await freePort();
  service = await startService({ environment: { PARLANCE_WYOMING_PORT: String(wyomingPort), ...INSPECTED } });
  await ready(service);
});
afterAll(async () => {
  expect(await service.stop()).toBe(0);
  await service.remove();
});

interface Deaf {
  wire: Wire;
  speaker: Speaker;
  id: string;
  hasEnded: boolean;
}

/** Sends until the service ends the connection: messages that are answered as fast as it reads them, or audio. */
async function send(deaf: Deaf): Promise<void> {
  const { wire, speaker } = deaf;
  while (!deaf.hasEnded) {
    const isFull = speaker.waitingBytes() > MOST_WAITING_BYTES;
    if (wire.answers && !isFull) for (let count = 0; count < ASKED_AT_ONCE; count++) speaker.ask();
    if (!wire.answers) speaker.say(silence(0.1));
    await sleep(wire.answers && !isFull ? 0 : KEEPING_MILLISECONDS);
  }
}

test("clients that never read lose their sessions, and nothing else happens", { timeout: 600_000 }, async () => {
  const speech = await decodeSpeech();
  const clients: Deaf[] = [];
  // A session without audio would end.
  const timer = setInterval(() => {
    for (const { speaker } of clients) speaker.say(silence(0.1));
  }, KEEPING_MILLISECONDS);
  for (const wire of WIRES) {
    const { client: speaker, id } = await begunSession(service, async () => {
      const opened = await wire.open({ service, wyomingPort });
      opened.say(inSequence(speech, silence(1)));
      return opened;
    });
    const deaf = { wire, speaker, id, hasEnded: false };
    void speaker.closed.then(() => {
      deaf.hasEnded = true;
    });
    clients.push(deaf);
  }
  clearInterval(timer);
  const before = await keptBytes(service);
  for (const { speaker } of clients) speaker.stopReading();
  const sent = Promise.all(clients.map(send));
  const measured: number[] = [];
  let isRunning = true;
  const watched = (async () => {
    while (isRunning) {
      measured.push((await keptBytes(service)) - before);
      await sleep(KEEPING_MILLISECONDS);
    }
  })();
  const flooding = clients.filter(({ wire }) => wire.answers);
  const isHeldBack = ({ speaker, hasEnded }: Deaf) => hasEnded || speaker.waitingBytes() > MOST_WAITING_BYTES;
  await expect.poll(() => flooding.every(isHeldBack), { timeout: 300_000 }).toBe(true);
  const { id, url } = await createSession(service);
  const other = await LiveClient.connect(url);
  other.send(encodePcm([speech]));
  other.stop();
  expect((await other.closed).code).toBe(1000);
  expect(await transcriptOf(service, id)).toMatch(WORDS);
  await sent;
  isRunning = false;
  await watched;
  expect(Math.max(...measured)).toBeLessThan(MOST_KEPT_BYTES);
  for (const one of clients) expect(await transcriptOf(service, one.id), one.wire.name).toMatch(WORDS);
  expect((await call(service, "GET", "/health", { key: null })).status).toBe(200);
});
