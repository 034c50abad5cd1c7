// Live sessions on the wires of other interfaces beside those of our own protocol: the processor time of the service process for a session,
// and the delays of words and finals at the client. Rounds of both alternate in one service, and a result is the median of its rounds. A
// session of our own protocol has the request that the wire makes: the same format, settings and partials.
import { createRequire } from "node:module";
import { call, type RunningService, ready, startService } from "../test/service.ts";
import { continuous } from "./live-stream.ts";
import { processorTimes, treeSeconds } from "./processor-time.ts";
import type { Recording } from "./recordings.ts";
import { SAMPLE_RATE } from "./recordings.ts";
import { milliseconds, percentile, printResults, type Result, rounded, saveResults } from "./table.ts";
import { type Frames, type Heard, type Message, ownFrames, WIRES, type Wire } from "./wire-clients.ts";

const { WebSocket } = createRequire(import.meta.url)("ws") as typeof import("ws");

const WIRE_LOADS = [1, 4, 8, 16, 32];
const USUAL_SECONDS = 40;
const USUAL_ROUNDS = 3;
const WARM_UP_SECONDS = 8;
const FRAME_MILLISECONDS = 20;
/** Sessions do not start at the same moment. */
const APART_MILLISECONDS = 170;
const MOST_ABOVE_OWN = 1.05;

type Params = Record<string, unknown> & { endpointing: number; messages_config: Record<string, unknown> };

/** A message with text, and when it came after the first frame, seconds. */
interface Arrival extends Heard {
  at: number;
}

interface Round {
  /** Processor seconds for a second of audio. */
  service: number;
  all: number;
  arrivals: Arrival[][];
}

interface Connection {
  address: string;
  headers: Record<string, string>;
  frames: Frames;
  read: Wire["read"];
  isLast: Wire["isLast"];
}

async function played({ address, headers, frames, read, isLast }: Connection): Promise<Arrival[]> {
  const socket = new WebSocket(address, { headers });
  const arrivals: Arrival[] = [];
  let started = performance.now();
  let isOver = false;
  socket.on("message", (data) => {
    const message = JSON.parse(data.toString()) as Message;
    const heard = read(message);
    if (heard) arrivals.push({ ...heard, at: (performance.now() - started) / 1000 });
    if (isOver && isLast?.(message)) socket.close(1000);
  });
  await new Promise((resolve, reject) => {
    socket.once("open", resolve);
    socket.once("error", reject);
  });
  const closed = new Promise<{ code: number; reason: string }>((resolve) => {
    socket.once("close", (code, reason) => resolve({ code, reason: reason.toString() }));
  });
  for (const frame of frames.opening) socket.send(frame);
  started = performance.now();
  for (const [index, frame] of frames.audio.entries()) {
    const wait = started + (index + 1) * FRAME_MILLISECONDS - performance.now();
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
    socket.send(frame);
  }
  isOver = true;
  for (const frame of frames.closing) socket.send(frame);
  const { code, reason } = await closed;
  if (code !== 1000 && code !== 1005) throw new Error(`${address} was closed with ${code}: ${reason}`);
  return arrivals;
}

function onWire(service: RunningService, wire: Wire, samples: Float32Array): Promise<Arrival[]> {
  const { headers, read, isLast } = wire;
  const address = `${service.base.replace("http", "ws")}${wire.address}`;
  return played({ address, headers, frames: wire.frames(samples), read, isLast });
}

const readOwn: Wire["read"] = ({ type, data }) =>
  type === "transcript"
    ? {
        ...{ isFinal: data.is_final, text: data.utterance.text },
        ends: data.utterance.words.map(({ end }: { end: number }) => end),
      }
    : undefined;

async function onOwn(service: RunningService, params: Params, samples: Float32Array): Promise<Arrival[]> {
  const { custom_metadata: _, client_rules: _rules, warnings: _warnings, ...body } = params;
  const { receive_partial_transcripts } = params.messages_config;
  const messages_config = { receive_partial_transcripts, receive_acknowledgments: false };
  const { json, status, text } = await call(service, "POST", "/v2/live", { body: { ...body, messages_config } });
  if (status !== 201) throw new Error(`no session: ${text}`);
  const frames = {
    opening: [],
    audio: ownFrames(samples, params),
    closing: [JSON.stringify({ type: "stop_recording" })],
  };
  return played({ address: json.url, headers: {}, frames, read: readOwn, isLast: undefined });
}

/** The request that the wire made for its last session. */
async function paramsOfLast(service: RunningService): Promise<Params> {
  const { json } = await call(service, "GET", "/v2/live?limit=1");
  return json.items[0].request_params as Params;
}

async function round(service: RunningService, sessions: Promise<Arrival[]>[], seconds: number): Promise<Round> {
  const [before, allBefore] = [processorTimes(service).get("service") ?? 0, treeSeconds(service.processId)];
  const settled = await Promise.allSettled(sessions);
  const arrivals = settled.flatMap((one) => {
    if (one.status === "fulfilled") return [one.value];
    // Beyond the capacity.
    if (/can be served|\b503\b|1013/.test(String(one.reason))) return [];
    throw one.reason;
  });
  const audio = arrivals.length * seconds;
  return {
    service: ((processorTimes(service).get("service") ?? 0) - before) / audio,
    all: (treeSeconds(service.processId) - allBefore) / audio,
    arrivals,
  };
}

/** Seconds between the sending of the last sample of a word and its first display. */
function wordDelays(arrivals: readonly Arrival[]): number[] {
  const delays: number[] = [];
  let seen = 0;
  for (const { ends, at, isFinal } of arrivals) {
    for (const end of ends.slice(seen)) delays.push(at - sentAt(end));
    seen = isFinal ? 0 : Math.max(seen, ends.length);
  }
  return delays;
}

/** A frame is sent as a whole, when its last sample is known. */
const sentAt = (seconds: number) => (Math.ceil((seconds * 1000) / FRAME_MILLISECONDS) * FRAME_MILLISECONDS) / 1000;

/**
 * From the end of the silence that ends an utterance until its final. Wires without word times have the finals of our own protocol.
 * @param ends  of the finals in our own protocol, of the same audio
 */
function finalDelays(arrivals: readonly Arrival[], ends: readonly number[], endpointing: number): number[] {
  const finals = arrivals.filter(({ isFinal }) => isFinal);
  const known = finals.map((final, index) => final.ends.at(-1) ?? ends[index]);
  // The last one ends with the audio.
  return finals
    .slice(0, -1)
    .flatMap(({ at }, index) => (known[index] === undefined ? [] : [at - sentAt(known[index]) - endpointing]));
}

const median = (values: readonly number[]) => (values.length === 0 ? "–" : milliseconds([...values], 0.5));
const late = (values: readonly number[]) => (values.length === 0 ? "–" : milliseconds([...values], 0.95));

async function compared(
  name: string,
  wire: Wire,
  load: { sessions: number; seconds: number; rounds: number },
  recordings: Recording[],
): Promise<Result> {
  const { sessions, seconds, rounds } = load;
  const samplesOf = (index: number, length: number) => {
    const bytes = continuous(recordings, index * 3, length).subarray(0, Math.round(length * SAMPLE_RATE) * 2);
    return Float32Array.from(new Int16Array(bytes.buffer, bytes.byteOffset, bytes.length / 2), (one) => one / 32_768);
  };
  const service = await startService({
    environment: { PARLANCE_MAX_LIVE_SESSIONS: "64", PARLANCE_FSYNC: process.env["PARLANCE_FSYNC"] ?? "always" },
  });
  try {
    await ready(service);
    await onWire(service, wire, samplesOf(0, WARM_UP_SECONDS));
    const params = await paramsOfLast(service);
    await onOwn(service, params, samplesOf(0, WARM_UP_SECONDS));
    const audio = Array.from({ length: sessions }, (_, index) => samplesOf(index, seconds));
    const together = (one: (samples: Float32Array) => Promise<Arrival[]>) =>
      audio.map(async (samples, index) => {
        await new Promise((resolve) => setTimeout(resolve, index * APART_MILLISECONDS));
        return one(samples);
      });
    const own: Round[] = [];
    const other: Round[] = [];
    for (let count = 0; count < rounds; count++) {
      own.push(
        await round(
          service,
          together((samples) => onOwn(service, params, samples)),
          seconds,
        ),
      );
      other.push(
        await round(
          service,
          together((samples) => onWire(service, wire, samples)),
          seconds,
        ),
      );
    }
    return resultOf(`${name}, ${sessions} session${sessions === 1 ? "" : "s"}`, own, other, params);
  } finally {
    await service.remove();
  }
}

function resultOf(name: string, own: Round[], other: Round[], { endpointing }: Params): Result {
  const middle = (all: readonly Round[], of: "service" | "all") =>
    percentile(
      all.map((one) => one[of]),
      0.5,
    );
  const finalsOf = (arrivals: readonly Arrival[]) => arrivals.filter(({ isFinal }) => isFinal);
  // Each session has its own audio, in the same order on both wires unless one was refused.
  const ends = own.at(-1)?.arrivals.map((arrivals) => finalsOf(arrivals).map((final) => final.ends.at(-1) ?? 0)) ?? [];
  const finals = (all: readonly Round[]) =>
    all.flatMap(({ arrivals }) => arrivals.flatMap((one, at) => finalDelays(one, ends[at] ?? [], endpointing)));
  const words = (all: readonly Round[]) => all.flatMap(({ arrivals }) => arrivals.flatMap(wordDelays));
  const [ownCost, cost] = [middle(own, "service"), middle(other, "service")];
  const [finalDelay, ownFinal, wordDelay, ownWord] = [finals(other), finals(own), words(other), words(own)];
  return {
    name,
    values: {
      admitted: other.at(-1)?.arrivals.length ?? 0,
      "service % of a core, each session": rounded(100 * cost, 2),
      "own protocol %": rounded(100 * ownCost, 2),
      "of own %": rounded((100 * cost) / ownCost, 1),
      "all processes %": rounded(100 * middle(other, "all"), 1),
      "own protocol, all %": rounded(100 * middle(own, "all"), 1),
      "final median ms": median(finalDelay),
      "own final median ms": median(ownFinal),
      "final P95 ms": late(finalDelay),
      "word median ms": median(wordDelay),
      "own word median ms": median(ownWord),
    },
    goal: `service at most ${rounded(100 * (MOST_ABOVE_OWN - 1), 0)} % above our own protocol`,
    isMet: cost <= MOST_ABOVE_OWN * ownCost,
  };
}

interface WireOptions {
  /** Name, or `all`. */
  wire: string;
  sessions: string | undefined;
  seconds: string | undefined;
  rounds: string | undefined;
}

/** @throws if there is no such wire */
export async function compareWires(options: WireOptions, recordings: Recording[]): Promise<void> {
  const names = options.wire === "all" ? Object.keys(WIRES) : [options.wire];
  const loads = options.sessions === undefined ? WIRE_LOADS : options.sessions.split(",").map(Number);
  const [seconds, rounds] = [Number(options.seconds ?? USUAL_SECONDS), Number(options.rounds ?? USUAL_ROUNDS)];
  const results: Result[] = [];
  for (const sessions of loads) {
    for (const name of names) {
      const wire = WIRES[name];
      if (!wire) throw new Error(`there is no wire ${name}; there are ${Object.keys(WIRES).join(", ")}, and all`);
      results.push(await compared(name, wire, { sessions, seconds, rounds }, recordings));
      printResults("So far", results.slice(-1));
    }
  }
  printResults("Live sessions on other wires, beside our own protocol with the same request", results);
  if (options.wire === "all") saveResults("live-wires", results);
}
