import { expect, test } from "vitest";
import { compressed, packetsOf, STREAMS, type StreamName, sweep } from "../../../../test/fixtures/compressed.ts";
import type { Compression, DecodedPart } from "./message.ts";
import { withLength } from "./opus-packets.ts";
import { StreamDecoder } from "./stream-decoder.ts";

const NAMES = Object.keys(STREAMS) as StreamName[];
const SECONDS = 3;

interface Decoding {
  samples: Buffer;
  lostBytes: number;
  refused: string | undefined;
  parts: DecodedPart[];
}

/** Decodes pieces as the service does. */
function decoded(compression: Compression, pieces: Iterable<Buffer>): Decoding {
  const decoder = new StreamDecoder(compression);
  const parts: DecodedPart[] = [];
  for (const piece of pieces) {
    parts.push(decoder.push(piece));
    while (parts.at(-1)?.hasMore) parts.push(decoder.step());
  }
  parts.push(decoder.finish());
  while (parts.at(-1)?.hasMore) parts.push(decoder.finish());
  decoder.close();
  return {
    samples: Buffer.concat(parts.map(({ samples }) => samples)),
    lostBytes: parts.flatMap(({ lost }) => lost).reduce((sum, { bytes }) => sum + bytes, 0),
    refused: parts.find(({ refused }) => refused !== undefined)?.refused,
    parts,
  };
}

/** The same bytes at every call. */
function* split(bytes: Buffer, seed: number, most = 700): Generator<Buffer> {
  let state = seed;
  for (let at = 0; at < bytes.length; ) {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    const count = 1 + (state % most);
    yield bytes.subarray(at, at + count);
    at += count;
  }
}

/** Correlation of the samples with the original, at the best delay. */
function similarity(samples: Buffer, original: Float32Array): number {
  let best = 0;
  for (let delay = 0; delay < 2_500; delay += 3) {
    let [product, own, other] = [0, 0, 0];
    for (let at = 8_000; at < 20_000; at += 31) {
      const value = samples.readInt16LE(2 * (at + delay)) / 32_768;
      const expected = original[at] as number;
      product += value * expected;
      own += value * value;
      other += expected * expected;
    }
    best = Math.max(best, product / Math.sqrt(own * other));
  }
  return best;
}

test.each(NAMES)(
  "%s: any split of the bytes gives the same samples, which are those that were encoded",
  async (name) => {
    const { sampleRate } = STREAMS[name];
    const channels = sweep(SECONDS, sampleRate);
    const bytes = await compressed(name, channels);
    const whole = decoded({ encoding: name, channels: 1 }, [bytes]);
    expect(whole).toMatchObject({ refused: undefined, lostBytes: 0 });
    expect(whole.parts.at(-1)?.format).toEqual({ sampleRate, channels: 1 });
    expect(Math.abs(whole.samples.length / 2 / sampleRate - SECONDS)).toBeLessThan(0.15);
    expect(similarity(whole.samples, channels[0] as Float32Array)).toBeGreaterThan(0.95);
    for (const seed of [1, 2])
      expect(decoded({ encoding: name, channels: 1 }, split(bytes, seed)).samples.equals(whole.samples)).toBe(true);
    expect(decoded({ encoding: "container", channels: 1 }, split(bytes, 3)).samples.equals(whole.samples)).toBe(true);
  },
);

test("raw Opus packets give the samples of the same packets in an Ogg stream", async () => {
  const ogg = await compressed("ogg/opus", sweep(SECONDS, 48_000));
  const packets = packetsOf(ogg).map(withLength);
  const raw = decoded({ encoding: "opus", channels: 1, packetMilliseconds: 20 }, packets);
  const inOgg = decoded({ encoding: "ogg/opus", channels: 1 }, [ogg]);
  expect(raw.refused).toBeUndefined();
  // The Ogg stream states how many of the first samples are left out.
  const left = raw.samples.length - inOgg.samples.length;
  expect(left).toBeGreaterThan(0);
  expect(left).toBeLessThan(2 * 0.01 * 48_000);
  expect(raw.samples.subarray(left).equals(inOgg.samples)).toBe(true);
  expect(decoded({ encoding: "opus", channels: 1 }, split(Buffer.concat(packets), 5)).samples.equals(raw.samples)).toBe(
    true,
  );
});

test.each([2, 6, 8])("an Ogg stream of %i channels", async (count) => {
  const bytes = await compressed("ogg/opus", sweep(1, 48_000, count), { bitRate: 64_000 * count });
  const { refused, parts } = decoded({ encoding: "ogg/opus", channels: count }, [bytes]);
  expect(refused).toBeUndefined();
  expect(parts.at(-1)?.format?.channels).toBe(count);
  const other = decoded({ encoding: "ogg/opus", channels: 1 }, [bytes]);
  expect(other.refused).toBe(
    `the stream has ${count} channels, the session was created with 1 channel; create it with channels: ${count}`,
  );
});

test("in a container that is not declared, several channels are mixed into one", async () => {
  const [left = new Float32Array()] = sweep(1, 48_000);
  const stereo = await compressed("webm/opus", [left, left], { bitRate: 128_000 });
  const { refused, parts, samples } = decoded({ encoding: "container", channels: 1 }, [stereo]);
  expect(refused).toBeUndefined();
  expect(parts.flatMap(({ notes }) => notes)).toEqual(["the 2 channels of the stream are mixed into one"]);
  expect(parts.at(-1)?.format).toEqual({ sampleRate: 48_000, channels: 1 });
  expect(similarity(samples, left)).toBeGreaterThan(0.95);
});

test.each([8_000, 11_025, 16_000, 48_000])("MP3 of %i Hz keeps its rate", async (sampleRate) => {
  const bytes = await compressed("mp3", sweep(1, sampleRate), { sampleRate, bitRate: 24_000 });
  expect(decoded({ encoding: "mp3", channels: 1 }, [bytes]).parts.at(-1)?.format).toEqual({ sampleRate, channels: 1 });
});

test("a stream that changes its rate and its channels is converted to those of its beginning, and says so", async () => {
  const first = await compressed("aac", sweep(1, 44_100));
  const second = await compressed("aac", sweep(1, 24_000, 2), { sampleRate: 24_000 });
  const bytes = Buffer.concat([
    await compressed("ogg/opus", sweep(1, 48_000)),
    await compressed("ogg/opus", sweep(1, 48_000, 2)),
  ]);
  const joined = decoded({ encoding: "ogg/opus", channels: 1 }, split(bytes, 9));
  expect(joined.parts.flatMap(({ notes }) => notes)).toEqual([
    "the stream changes from 1 channel to 2 channels; it is mixed to 1 channel",
  ]);
  expect(joined.samples.length / 2 / 48_000).toBeCloseTo(2, 1);
  // Another rate has other headers: these frames belong to no part of the stream.
  const other = decoded({ encoding: "aac", channels: 1 }, [first, second]);
  expect(other.lostBytes).toBeGreaterThan(second.length - 100);
});

test("a recording that begins again within a WebM stream continues", async () => {
  const bytes = await compressed("webm/opus", sweep(1, 48_000));
  const once = decoded({ encoding: "webm/opus", channels: 1 }, [bytes]);
  const twice = decoded({ encoding: "webm/opus", channels: 1 }, split(Buffer.concat([bytes, bytes]), 4));
  expect(twice.lostBytes).toBe(0);
  expect(twice.samples.equals(Buffer.concat([once.samples, once.samples]))).toBe(true);
});

test.each(NAMES)("%s: damage costs its own packets, and the lost bytes are counted", async (name) => {
  const { sampleRate } = STREAMS[name];
  const bytes = await compressed(name, sweep(SECONDS, sampleRate));
  const whole = decoded({ encoding: name, channels: 1 }, [bytes]);
  const middle = bytes.length >> 1;
  const damaged = Buffer.concat([bytes.subarray(0, middle), Buffer.alloc(50, 0x55), bytes.subarray(middle + 10)]);
  const { samples, lostBytes, refused } = decoded({ encoding: name, channels: 1 }, split(damaged, 11));
  expect(refused).toBeUndefined();
  expect(lostBytes).toBeGreaterThan(0);
  // Damage within a frame of MP3 changes its sound.
  expect(samples.length).toBeLessThanOrEqual(whole.samples.length);
  expect(samples.subarray(0, 20_000).equals(whole.samples.subarray(0, 20_000))).toBe(true);
});

const pcm = () => Buffer.from(Int16Array.from(sweep(3, 16_000)[0] as Float32Array, (value) => value * 20_000).buffer);

test.each([...NAMES, "opus"] as const)(
  "%s: other formats are refused by their names within three seconds",
  async (name) => {
    const isRaw = name === "opus";
    const inMessages = (bytes: Buffer, size: number) => {
      const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
        bytes.subarray(at * size, (at + 1) * size),
      );
      return isRaw ? pieces.map(withLength) : pieces;
    };
    for (const other of NAMES.filter((one) => one !== name)) {
      const bytes = await compressed(other, sweep(SECONDS, STREAMS[other].sampleRate));
      const { refused, samples } = decoded({ encoding: name, channels: 1 }, inMessages(bytes, 400));
      expect([other, refused]).toEqual([other, expect.stringMatching(/not|Opus packets/)]);
      // The first packets may be any bytes.
      expect(samples.length).toBeLessThan(isRaw ? 8 * 0.12 * 48_000 * 2 : 1);
    }
    const { refused } = decoded({ encoding: name, channels: 1 }, inMessages(pcm(), 640));
    expect(refused).toEqual(expect.any(String));
  },
);

test("a declared duration that the packets do not have is refused with theirs", async () => {
  const packets = packetsOf(await compressed("ogg/opus", sweep(1, 48_000))).map(withLength);
  const { refused } = decoded({ encoding: "opus", channels: 1, packetMilliseconds: 60 }, packets);
  expect(refused).toBe("a packet has 20 ms, and opus_frame_duration declares 60 ms");
});

test("packets that decode to much more than their bytes are decoded in steps of bounded output", () => {
  // Two bytes: 48 frames of 2.5 ms without content.
  const bomb = withLength(Buffer.of(0xe3, 48));
  const decoder = new StreamDecoder({ encoding: "opus", channels: 2 });
  let part = decoder.push(Buffer.concat(Array.from({ length: 1_000 }, () => bomb)));
  let steps = 1;
  let bytes = part.samples.length;
  for (; part.hasMore; steps++) {
    expect(part.samples.length).toBeLessThan(3_100_000);
    part = decoder.step();
    bytes += part.samples.length;
  }
  expect(steps).toBeGreaterThan(10);
  expect(bytes).toBe(1_000 * 0.12 * 48_000 * 4);
  decoder.close();
});

test.each([...NAMES, "opus", "container"] as const)(
  "%s: random and damaged bytes end no process and lose no count",
  async (name) => {
    const own = name === "opus" || name === "container" ? "ogg/opus" : name;
    const good = await compressed(own, sweep(1, STREAMS[own].sampleRate));
    let state = 77;
    const random = () => {
      state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
      return state / 2_147_483_648;
    };
    for (let round = 0; round < 60; round++) {
      const bytes =
        round % 3 === 0
          ? Buffer.from(Array.from({ length: 3_000 }, () => Math.floor(random() * 256)))
          : Buffer.from(good);
      for (let flip = 0; flip < 1 + (round % 20); flip++)
        bytes[Math.floor(random() * bytes.length)] = Math.floor(random() * 256);
      const cut = round % 3 === 2 ? bytes.subarray(0, Math.floor(random() * bytes.length)) : bytes;
      const { samples, lostBytes, refused } = decoded({ encoding: name, channels: 1 }, split(cut, round + 1, 2_000));
      expect(samples.length % 2).toBe(0);
      expect(lostBytes).toBeLessThanOrEqual(2 * cut.length);
      // Nothing vanishes: there is audio, or a report.
      if (cut.length > 3_000) expect(samples.length > 0 || lostBytes > 0 || refused !== undefined).toBe(true);
    }
  },
);
