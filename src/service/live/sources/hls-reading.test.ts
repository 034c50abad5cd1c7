// Parts of a playlist on the clock of a session: each once, and silence for those that cannot be read.
import { createCipheriv } from "node:crypto";
import { expect, test } from "vitest";
import { errors } from "../../../platform/errors.ts";
import type { CaptionPart } from "../../../platform/storage/db/jobs/caption-parts.ts";
import { HlsReading } from "./hls-reading.ts";
import { SourceAudio } from "./source-audio.ts";
import { SOURCE_RATE } from "./source-decoder.ts";

const BASE = new URL("http://radio.example/live.m3u8");
const SAMPLE_BYTES = 2;
const bytesOf = (seconds: number) => SAMPLE_BYTES * Math.round(seconds * SOURCE_RATE);
const playlist = (sequence: number, ...lines: string[]) =>
  ["#EXTM3U", "#EXT-X-TARGETDURATION:1", `#EXT-X-MEDIA-SEQUENCE:${sequence}`, ...lines].join("\n");
/** Parts with their own numbers as their names. */
const listed = (from: number, count: number, seconds = 1) =>
  Array.from({ length: count }, (_, at) => [`#EXTINF:${seconds}`, `${from + at}`]).flat();
const parts = (from: number, count: number, seconds = 1) => playlist(from, ...listed(from, count, seconds));

interface Wanted {
  /** Seconds of audio of each part; undefined for a part that the server does not have. */
  secondsOf?: (part: number) => number | undefined;
  files?: Record<string, Buffer>;
  /** Age of the session, seconds. */
  age?: number;
}

/** A session with a source whose server has parts of audio: every sample of part 7 is 0x0707. */
class World {
  readonly begun: CaptionPart[] = [];
  readonly warnings: string[] = [];
  readonly requested: string[] = [];
  readonly decoded: string[] = [];
  private received: Buffer[] = [];
  private playlists: string[] = [];
  private reading: HlsReading;

  constructor(private readonly wanted: Wanted = {}) {
    this.reading = this.process();
  }

  /** The reading of another process, which has nothing of an earlier one. */
  private process(): HlsReading {
    const { begun, wanted } = this;
    const signal = new AbortController().signal;
    const captions = {
      get last() {
        return begun.at(-1);
      },
      begin: async (part: CaptionPart) => void begun.push(part),
      setTicks: async () => undefined,
    };
    const session = {
      receive: (_: unknown, command: { kind: string; bytes?: Buffer; reason?: string }) => {
        if (command.kind === "audio" && command.bytes) this.received.push(command.bytes);
        else this.warnings.push(JSON.stringify(command));
      },
    };
    const audio = new SourceAudio(session as never, captions as never, () => wanted.age ?? 0, signal);
    audio.begin({ ready: Promise.resolve() } as never, Buffer.concat(this.received).length);
    const text = () => this.nextPlaylist();
    const bytes = async ({ url }: { url: URL }) => this.fileOf(url);
    const at = async function* (place: { url: URL }) {
      yield await bytes(place);
    };
    const decoder = {
      push: async (data: Buffer) => {
        this.decoded.push(data.toString());
        const [name, seconds] = data.toString().split(" ").map(Number);
        if (seconds) await reading.onSamples(Buffer.alloc(bytesOf(seconds), name), undefined);
      },
      finish: async () => undefined,
      restart: async () => undefined,
    };
    const reading = new HlsReading({ signal, text, bytes, at } as never, audio, decoder as never, () => new Date());
    return reading;
  }

  private async nextPlaylist() {
    const next = this.playlists.shift();
    if (next === undefined) throw errors.liveSourceFailed("no further playlist");
    return { text: next, url: BASE };
  }

  private fileOf({ pathname }: URL): Buffer {
    const name = pathname.slice(1);
    this.requested.push(name);
    const { files = {}, secondsOf = () => 1 } = this.wanted;
    const file = files[name];
    if (file) return file;
    const seconds = secondsOf(Number(name));
    if (seconds === undefined) throw errors.liveSourceRefused("404");
    return Buffer.from(`${name} ${seconds}`);
  }

  /** Reads the playlists one after the other. @returns the reason for which the reading failed */
  async read(first: string, ...next: string[]): Promise<string | undefined> {
    this.playlists = next;
    const failed = (error: Error) => error.message;
    return this.reading.read(BASE, first).then(() => undefined, failed);
  }

  /** The process is killed, with this many seconds of audio in the log. */
  kill(seconds: number): void {
    this.received = [Buffer.concat(this.received).subarray(0, bytesOf(seconds))];
    this.reading = this.process();
  }

  /** Part and seconds of each stretch of audio; 0 for silence. */
  get heard(): [part: number, seconds: number][] {
    const all = Buffer.concat(this.received);
    const found: [number, number][] = [];
    for (let at = 0; at < all.length; at += SAMPLE_BYTES) {
      const last = found.at(-1);
      if (last && last[0] === all[at]) last[1]++;
      else found.push([all[at] as number, 1]);
    }
    return found.map(([part, samples]) => [part, Math.round((1000 * samples) / SOURCE_RATE) / 1000]);
  }
}

test("playlists without a segment interrupt the source with the reason; one of them is waited for", async () => {
  const partials = playlist(1, '#EXT-X-PART:DURATION=0.3,URI="1.0"', '#EXT-X-PRELOAD-HINT:TYPE=PART,URI="1.1"');
  const world = new World();
  expect(await world.read(partials, partials, partials)).toContain("partial segments of low latency alone");
  expect(await world.read(playlist(1), playlist(1), playlist(1))).toContain("lists no segments");
  const late = new World();
  expect(await late.read(partials, partials, parts(1, 1))).toContain("no further playlist");
  expect(late.heard).toEqual([[1, 1]]);
});

test.concurrent("a part that is shorter than stated is read once, also after a break", async () => {
  const world = new World({ secondsOf: () => 0.9 });
  const broken = playlist(1, ...listed(1, 2), "#EXT-X-DISCONTINUITY", ...listed(3, 1));
  await world.read(broken, broken, broken, playlist(3, "#EXT-X-DISCONTINUITY", ...listed(3, 2)));
  expect(world.heard).toEqual([1, 2, 3, 4].map((part) => [part, 0.9]));
  expect(world.requested).toEqual(["1", "2", "3", "4"]);
  expect(world.begun.map(({ discontinuities }) => discontinuities)).toEqual([0, 0, 1, 1]);
});

test.concurrent("a part that was read whole and is gone since is no gap", async () => {
  const world = new World({ secondsOf: () => 0.4 });
  await world.read(parts(1, 2), parts(3, 1));
  expect(world.heard).toEqual([1, 2, 3].map((part) => [part, 0.4]));
  expect(world.warnings).toEqual([]);
});

test.concurrent("the next process continues within a part, also after a break", async () => {
  const world = new World();
  const broken = playlist(1, ...listed(1, 2), "#EXT-X-DISCONTINUITY", ...listed(3, 1));
  await world.read(broken);
  world.kill(2.5);
  await world.read(broken);
  expect(world.heard).toEqual([1, 2, 3].map((part) => [part, 1]));
  expect(world.begun).toHaveLength(3);
});

test.concurrent("audio that the log of a killed process lacks before its last part is silence", async () => {
  const world = new World();
  await world.read(parts(1, 3));
  world.kill(1.25);
  await world.read(parts(1, 3));
  expect(world.heard).toEqual([
    [1, 1],
    [2, 0.25],
    [0, 0.75],
    [3, 1],
  ]);
  expect(world.warnings.join()).toMatch(/gap of 0\.8 s/);
});

test.concurrent("parts that cannot be read are silence, however many, and each is requested once", async () => {
  const world = new World({ secondsOf: (part) => (part >= 2 && part <= 6 ? undefined : 1) });
  const recording = `${parts(1, 8)}\n#EXT-X-ENDLIST`;
  for (let attempt = 0; attempt < 3 && (await world.read(recording)) !== undefined; attempt++);
  expect(world.heard).toEqual([
    [1, 1],
    [0, 5],
    [7, 1],
    [8, 1],
  ]);
  expect(world.requested).toEqual(["1", "2", "3", "4", "5", "6", "7", "8"]);
});

test.concurrent("a recording whose last parts cannot be read ends", async () => {
  const world = new World({ secondsOf: (part) => (part > 1 ? undefined : 1) });
  const recording = `${parts(1, 4)}\n#EXT-X-ENDLIST`;
  expect(await world.read(recording)).toMatch(/404/);
  expect(await world.read(recording)).toBeUndefined();
  expect(world.heard).toEqual([
    [1, 1],
    [0, 3],
  ]);
});

test.concurrent("the last part of a live stream is requested again if it and those before cannot be read", async () => {
  let isBack = false;
  const world = new World({ secondsOf: (part) => (part > 1 && !isBack ? undefined : 1) });
  expect(await world.read(parts(1, 1), parts(2, 3))).toMatch(/404/);
  isBack = true;
  await world.read(parts(2, 3));
  expect(world.heard).toEqual([
    [1, 1],
    [0, 2],
    [4, 1],
  ]);
});

test.concurrent("numbers that jump forward by more than the time that has passed add no silence", async () => {
  const world = new World({ age: 3 });
  await world.read(parts(1, 3), parts(500_000, 2));
  expect(world.heard).toEqual([1, 2, 3, 500_000 & 255, 500_001 & 255].map((part) => [part, 1]));
  expect(world.begun.map(({ sequence, discontinuities }) => [sequence, discontinuities])).toEqual([
    ...[1, 2, 3].map((sequence) => [sequence, 0]),
    ...[500_000, 500_001].map((sequence) => [sequence, 1]),
  ]);
});

test.concurrent("a time that jumps forward by more than the time that has passed adds no silence", async () => {
  const world = new World({ age: 3 });
  const dated = (from: number, time: string) =>
    playlist(from, `#EXT-X-PROGRAM-DATE-TIME:2026-01-01T${time}Z`, ...listed(from, 2));
  await world.read(dated(1, "00:00:00"), dated(5, "20:00:00"), dated(1, "23:00:00"));
  expect(world.heard).toEqual([1, 2, 5, 6, 1, 2].map((part) => [part, 1]));
});

test.concurrent("parts that are gone within the time that has passed are silence", async () => {
  const world = new World({ age: 30 });
  await world.read(parts(1, 3), parts(24, 2));
  expect(world.heard).toEqual([...[1, 2, 3].map((part) => [part, 1]), [0, 20], ...[24, 25].map((part) => [part, 1])]);
  expect(world.warnings.join()).toMatch(/gap of 20 s at 3 s.*were gone before they were read/);
});

test.concurrent("a part without audio is silence", async () => {
  const world = new World({ secondsOf: (part) => (part === 2 ? 0 : 0.9) });
  await world.read(parts(1, 3));
  expect(world.heard).toEqual([
    [1, 0.9],
    [0, 1],
    [3, 0.9],
  ]);
  expect(world.warnings.join()).toMatch(/gap of 1 s at 0\.9 s.*has no audio/);
});

test.concurrent("the key before a map is that of the map, a key after it is not", async () => {
  const secret = Buffer.alloc(16, 7);
  const iv = Buffer.from("0".repeat(31).concat("1"), "hex");
  const encrypted = (text: string) => {
    const cipher = createCipheriv("aes-128-cbc", secret, iv);
    return Buffer.concat([cipher.update(text), cipher.final()]);
  };
  const files = { key: secret, init: encrypted("first map"), plain: Buffer.from("second map"), 1: encrypted("1 1") };
  const world = new World({ files: { ...files, 2: encrypted("2 1") } });
  const key = '#EXT-X-KEY:METHOD=AES-128,URI="key",IV=0x1';
  await world.read(
    playlist(
      1,
      ...[key, '#EXT-X-MAP:URI="init"', ...listed(1, 1)],
      ...["#EXT-X-KEY:METHOD=NONE", '#EXT-X-MAP:URI="plain"', key, ...listed(2, 1)],
      "#EXT-X-ENDLIST",
    ),
  );
  expect(world.decoded.filter((text) => text !== "")).toEqual(["first map", "1 1", "second map", "2 1"]);
  expect(world.heard).toEqual([1, 2].map((part) => [part, 1]));
});
