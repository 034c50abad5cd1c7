// Joined MP4 files, MP4 files whose lengths are wrong, and bytes of them that no track uses.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { mediaBytes, writeMedia } from "../../../../../test/fixtures/media.ts";
import { readMedia } from "../../../../../test/fixtures/read-media.ts";
import { tone } from "../../../../../test/fixtures/recordings.ts";
import { resultOf } from "../../../../../test/fixtures/steps.ts";
import { mp4Parts } from "./mp4-parts.ts";

const RATE = 48_000;
const SECONDS = 2;
const FILLER_BYTES = 200_000;

let file: Buffer;
/** The box with the samples; the index follows it. */
let media: { start: number; end: number };
beforeAll(async () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), "parlance-mp4-"));
  const name = path.join(folder, "file.mp4");
  await writeMedia(name, { tracks: [{ channels: [tone(SECONDS, 440, RATE)], sampleRate: RATE, encoder: "aac" }] });
  file = readFileSync(name);
  rmSync(folder, { recursive: true, force: true });
  const start = file.indexOf("mdat") - 4;
  media = { start, end: start + file.readUInt32BE(start) };
});

function withMediaLength(length: number, content = file): Buffer {
  const changed = Buffer.from(content);
  changed.writeUInt32BE(length, media.start);
  return changed;
}

test.each([
  ["0", () => 0],
  ["too small", () => 100],
  ["too large", () => file.length * 2],
])("media data whose length is %s are read to the index behind them", async (_what, length) => {
  const { probe, decoded } = await readMedia(withMediaLength(length()));
  expect(probe.durationSeconds).toBeCloseTo(SECONDS, 1);
  expect(decoded).toMatchObject({ durationSeconds: probe.durationSeconds, warnings: [] });
});

test("joined files are read to the end", async () => {
  const { probe, decoded } = await readMedia(Buffer.concat([file, file, file]));
  expect(probe.durationSeconds).toBeCloseTo(3 * SECONDS, 1);
  expect(decoded).toMatchObject({ durationSeconds: probe.durationSeconds, warnings: [] });
});

describe("fragmented files, as browsers and live encoders write them", () => {
  const HEADERS = 4;
  let fragmented: Buffer;
  /** Where the fragments begin. */
  let starts: number[];
  /** @param movflags  with and without positions from the start of the file */
  async function make(movflags: string): Promise<void> {
    fragmented = await mediaBytes("mp4", {
      tracks: [{ channels: [tone(HEADERS, 440, RATE)], sampleRate: RATE, encoder: "aac" }],
      muxerOptions: { movflags, frag_duration: "1000000" },
    });
    starts = [];
    for (let at = fragmented.indexOf("moof"); at > 0; at = fragmented.indexOf("moof", at + 1)) starts.push(at - 4);
  }
  const fromZero = () => {
    const changed = Buffer.from(fragmented);
    for (let at = changed.indexOf("tfdt"); at > 0; at = changed.indexOf("tfdt", at + 1))
      changed.fill(0, at + 8, at + (changed[at + 4] === 1 ? 16 : 12));
    return changed;
  };
  /** Seconds of samples that are not silent. */
  const sounding = (samples: Int16Array) => samples.filter((value) => Math.abs(value) > 100).length / 16_000;

  describe.each(["frag_keyframe+empty_moov", "frag_keyframe+empty_moov+default_base_moof", "dash"])("%s", (flags) => {
    let whole: number;
    beforeAll(async () => {
      await make(flags);
      whole = sounding((await readMedia(fragmented)).samples);
    });
    test.each([
      ["twice", () => Buffer.concat([fragmented, fragmented]), 2 * HEADERS, []],
      ["before an ordinary file", () => Buffer.concat([fragmented, file]), HEADERS + SECONDS, []],
      ["behind an ordinary file", () => Buffer.concat([file, fragmented]), HEADERS + SECONDS, []],
      ["whose fragments all begin at 0", fromZero, HEADERS, [/step back \d+ times/]],
      [
        "whose fragments are repeated without a header",
        () => Buffer.concat([fragmented, fragmented.subarray(starts[0])]),
        2 * HEADERS,
        [/step back 1 time;/],
      ],
      [
        "with a fragment that is stored twice",
        () => Buffer.concat([fragmented.subarray(0, starts[2]), fragmented.subarray(starts[1])]),
        HEADERS,
        [],
      ],
      [
        "with a box between fragments",
        () =>
          Buffer.concat([
            fragmented.subarray(0, starts[2]),
            Buffer.from("0000000866726565", "hex"),
            fragmented.subarray(starts[2]),
          ]),
        HEADERS,
        [],
      ],
    ] as const)("%s: no fragment is lost", async (_what, content, seconds, warnings) => {
      const { probe, decoded, samples } = await readMedia(content());
      expect(decoded.durationSeconds).toBeCloseTo(seconds, 0);
      expect(Math.abs(decoded.durationSeconds - seconds)).toBeLessThan(0.2);
      expect(Math.abs(probe.durationSeconds - decoded.durationSeconds)).toBeLessThan(0.1);
      expect(sounding(samples)).toBeGreaterThan((0.97 * whole * seconds) / HEADERS);
      expect(decoded.warnings).toEqual(warnings.map((pattern) => expect.stringMatching(pattern)));
    });
  });
});

test("audio that an edit list leaves out is named", async () => {
  const edited = Buffer.from(file);
  const list = edited.indexOf("elst");
  edited.writeUInt32BE(edited.readUInt32BE(list + 12) / 4, list + 12);
  const { decoded } = await readMedia(edited);
  expect(decoded.durationSeconds).toBeCloseTo(SECONDS / 4, 1);
  expect(decoded.warnings).toEqual([expect.stringMatching(/edit list of the file leaves out 1\.5 s of the 2\.0 s/)]);
});

test("of too many joined files, what is not read is named", () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), "parlance-mp4-"));
  const name = path.join(folder, "file.mp4");
  try {
    writeFileSync(name, Buffer.concat(Array.from({ length: 103 }, () => file)));
    const { parts, notes } = resultOf(mp4Parts(name));
    expect(parts).toHaveLength(100);
    expect(parts.at(-1)?.endBytes).toBe(100 * file.length);
    expect(notes).toEqual([
      `${3 * file.length} bytes of the file, from byte ${100 * file.length} on, were not used: more than 100 recordings`,
    ]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("media data that the index does not list are named", async () => {
  const filler = Buffer.alloc(FILLER_BYTES, "y");
  const content = Buffer.concat([file.subarray(0, media.end), filler, file.subarray(media.end)]);
  const { decoded } = await readMedia(withMediaLength(media.end - media.start + FILLER_BYTES, content));
  expect(decoded.warnings).toEqual([expect.stringMatching(/^20\d{4} of the \d+ bytes of media data were not used/)]);
});

test("bytes behind the last box are named", async () => {
  const { decoded } = await readMedia(Buffer.concat([file, Buffer.alloc(5_000, "x")]));
  expect(decoded.warnings).toEqual([expect.stringMatching(`^5000 bytes of the file, from byte ${file.length} on`)]);
});

test("a file without an index is refused with the reason", async () => {
  await expect(readMedia(file.subarray(0, media.end))).rejects.toMatchObject({
    code: "media.not_decodable",
    message: expect.stringMatching(/index .* is missing/),
  });
});

describe("fragments of hostile files", () => {
  const words = (...values: number[]) => {
    const bytes = Buffer.alloc(4 * values.length);
    values.forEach((value, at) => {
      bytes.writeUInt32BE(value, 4 * at);
    });
    return bytes;
  };
  const box = (type: string, ...content: Buffer[]) => {
    const bytes = Buffer.concat(content);
    return Buffer.concat([words(8 + bytes.length), Buffer.from(type, "latin1"), bytes]);
  };
  /** @param start  high and low 32 bits of the time */
  const trackOf = (start: readonly [number, number], samples = 1) =>
    box("traf", box("tfhd", words(0, 1)), box("tfdt", words(1 << 24, ...start)), box("trun", words(0, samples)));
  const fragmentOf = (sequence: number, ...tracks: Buffer[]) =>
    Buffer.concat([box("moof", box("mfhd", words(0, sequence)), ...tracks), box("mdat", Buffer.alloc(8))]);
  const head = Buffer.concat([
    box("ftyp", Buffer.from("isom"), words(0)),
    box("moov", box("mvex", box("trex", words(0, 1, 1, 1_024, 0, 0)))),
  ]);
  /** Milliseconds of the longest step, and the result. */
  function read(content: Buffer) {
    const folder = mkdtempSync(path.join(os.tmpdir(), "parlance-mp4-"));
    const name = path.join(folder, "file.mp4");
    writeFileSync(name, content);
    try {
      const steps = mp4Parts(name);
      for (let longest = 0; ; ) {
        const since = performance.now();
        const { done, value } = steps.next();
        longest = Math.max(longest, performance.now() - since);
        if (done) return { ...value, longest };
      }
    } finally {
      rmSync(folder, { recursive: true });
    }
  }

  test("a time that would be beyond 64 bits stays", () => {
    const last = fragmentOf(1, trackOf([0xffff_ffff, 0xffff_ffff]));
    const { parts, notes } = read(Buffer.concat([head, last, fragmentOf(2, trackOf([0, 0]))]));
    expect(parts).toEqual([]);
    expect(notes).toEqual([expect.stringMatching(/step back 1 time/)]);
  });

  // Quadratic, 8,000 tracks took 14 s.
  test("the time for a fragment of many tracks is linear in their number", () => {
    const { longest } = read(Buffer.concat([head, fragmentOf(1, ...Array(50_000).fill(trackOf([0, 0])))]));
    expect(longest).toBeLessThan(5_000);
  });

  test("the memory for fragments of many tracks is bounded", () => {
    const tracks = Array.from({ length: 50_000 }, (_, at) => trackOf([0, at % 2]));
    const { parts } = read(Buffer.concat([head, ...Array(10).fill(fragmentOf(1, ...tracks))]));
    expect(parts[0]?.patches?.length).toBeLessThan(450_000);
  });
});
