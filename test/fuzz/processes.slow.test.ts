// Sends random messages between the service and its child processes. A child answers a failure, or ends without ending the service. The
// service continues after any message of a child, and the call that waits for the answer settles.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { inspect } from "node:util";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { childEnvironment } from "../../src/platform/config/load.ts";
import { ParlanceError } from "../../src/platform/errors.ts";
import { entryFile } from "../../src/platform/process/entry.ts";
import { SupervisedProcess } from "../../src/platform/process/supervised-process.ts";
import { decodeAnswer, probeAnswer } from "../../src/speech/audio/decode/answers.ts";
import { FUZZ_MILLISECONDS, fuzzing } from "../fixtures/fuzzing.ts";

const TIMEOUT_MILLISECONDS = 20_000;

const junk = fc.oneof(
  fc.anything({ withBigInt: true, withDate: true, withMap: true, withSet: true, withTypedArray: true, maxDepth: 3 }),
  fc.constantFrom(null, undefined, Number.NaN, Number.POSITIVE_INFINITY, -1, 2 ** 53, "", "\0\ud800"),
);

describe("a child that garbles", () => {
  const { file, remove } = compiledFixture();
  const child = new SupervisedProcess<{ say?: unknown[]; bytes?: Uint8Array }, unknown>({
    name: "garbling",
    file,
    readyTimeoutMilliseconds: TIMEOUT_MILLISECONDS,
    environment: childEnvironment(os.tmpdir()),
  });
  afterAll(async () => {
    await child.stop();
    remove();
  });
  const ask = (request: { say?: unknown[]; bytes?: Uint8Array }) =>
    child.call(request, { timeoutMilliseconds: TIMEOUT_MILLISECONDS, onProgress: () => undefined }).then(
      (response) => ({ response }),
      (error: unknown) => ({ error }),
    );
  // A child that was ended a moment ago still takes a call with it.
  const isWell = () => expect.poll(() => ask({ say: ["answer"] })).toEqual({ response: "whole" });

  const message = fc.oneof(
    junk,
    fc.record(
      {
        kind: fc.oneof(fc.constantFrom("ready", "answer", "failure", "progress", "memory", "__proto__"), junk),
        call: fc.oneof(fc.integer(), junk),
        value: junk,
        bytes: junk,
        message: junk,
        error: fc.oneof(junk, fc.record({ code: junk, status: fc.oneof(fc.integer(), junk) })),
      },
      { requiredKeys: [] },
    ),
  );

  test("in the form of its messages", { timeout: FUZZ_MILLISECONDS }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(message, { minLength: 1, maxLength: 4 }), async (said) => {
        // Answers of another call are no answer; what is no message ends the child and with it the call.
        const { error, response } = (await ask({ say: [...said.filter(isSerializable), "answer"] })) as {
          error?: unknown;
          response?: unknown;
        };
        if (error === undefined) expect(response === "whole" || said.length > 0).toBe(true);
        else expect(error).toBeInstanceOf(ParlanceError);
      }),
      fuzzing(150),
    );
    await isWell();
  });

  test("in the bytes of its messages", { timeout: FUZZ_MILLISECONDS }, async () => {
    const bytes = fc.oneof(
      fc.uint8Array({ minLength: 1, maxLength: 200 }),
      fc.constantFrom(
        new Uint8Array(8),
        new Uint8Array([255, 255, 255, 255]),
        new Uint8Array([4, 0, 0, 0, 255, 15, 111, 0]),
      ),
    );
    await fc.assert(
      fc.asyncProperty(bytes, async (written) => {
        const outcome = ask({ bytes: written });
        // Bytes that wait for more of a message leave the call open until its time is over: end it.
        const patience = setTimeout(() => child.kill(), 300);
        const { error } = (await outcome) as { error?: unknown };
        clearTimeout(patience);
        expect(error).toBeInstanceOf(ParlanceError);
      }),
      fuzzing(20),
    );
    await isWell();
  });
});

/** A fixture as a file that a child can be started from. */
function compiledFixture() {
  const folder = mkdtempSync(path.join(os.tmpdir(), "parlance-garbling-"));
  const file = path.join(folder, "child.mjs");
  const channel = new URL("../../dist/platform/process/channel.js", import.meta.url).href;
  writeFileSync(
    file,
    `import { writeSync } from "node:fs";
import { Socket } from "node:net";
import { openChannel } from ${JSON.stringify(channel)};
const socket = new Socket({ fd: 3, readable: true, writable: true });
const send = openChannel(socket, {
  onMessage: ({ call, request }) => {
    for (const said of request.say ?? []) send(said === "answer" ? { kind: "answer", call, response: "whole" } : said);
    if (request.bytes) writeSync(3, request.bytes);
  },
  onUnreadable: () => process.exit(1),
});
socket.on("close", () => process.exit(0));
send({ kind: "ready" });
`,
  );
  return { file, remove: () => rmSync(folder, { recursive: true }) };
}

function isSerializable(value: unknown): boolean {
  try {
    structuredClone(value);
    return true;
  } catch {
    return false;
  }
}

const WHOLE_PROBE = {
  kind: "probe",
  extension: "mkv",
  durationSeconds: 60,
  channels: 1,
  sampleRate: 48_000,
  tracks: [
    { number: 0, codec: "aac", channels: 1, isDefault: true, language: "eng", title: "Commentary" },
    { number: 1, codec: "pcm_s16le", channels: 0, isDefault: false },
  ],
  track: 1,
};
const WHOLE_DECODING = {
  kind: "decode",
  durationSeconds: 60,
  channels: 2,
  roles: ["other", "other"],
  levels: [
    { speechDecibels: -20, rangeDecibels: 30 },
    { speechDecibels: -23, rangeDecibels: 28 },
  ],
  pairs: [
    {
      channels: [0, 1],
      commonWindows: 200,
      stretches: [
        {
          number: 0,
          relation: { gain: 0.7, forwardGain: 0.7, backwardGain: 0.7, delaySeconds: 0.001 },
          suspicions: "2".repeat(256),
        },
      ],
    },
  ],
  holes: [[{ startSeconds: 0.5, endSeconds: 0.8, silentSeconds: 0.3 }], []],
  gaps: [
    { storedSeconds: 0, seconds: 5 },
    { storedSeconds: 3, seconds: 40 },
  ],
  warnings: ["1 damaged packet was skipped"],
  track: 0,
  trackCount: 1,
};

test("complete answers of a decoder are accepted unchanged", () => {
  expect(probeAnswer(WHOLE_PROBE as never)).toEqual(WHOLE_PROBE);
  expect(decodeAnswer(WHOLE_DECODING as never)).toEqual(WHOLE_DECODING);
});

test.each([
  ["no tracks", { tracks: [], track: 0 }],
  ["more tracks than a file can have", { tracks: new Array(1_001).fill(WHOLE_PROBE.tracks[0]) }],
  ["a track that is not in the list", { track: 2 }],
  ["tracks out of order", { tracks: WHOLE_PROBE.tracks.toReversed() }],
  ["a title of any length", { tracks: [{ ...WHOLE_PROBE.tracks[0], title: "x".repeat(100_000) }], track: 0 }],
  ["a title that cannot be stored", { tracks: [{ ...WHOLE_PROBE.tracks[0], title: "a\0" }], track: 0 }],
  ["a language that is no text", { tracks: [{ ...WHOLE_PROBE.tracks[0], language: 1 }], track: 0 }],
  ["an encoding that cannot be stored", { tracks: [{ ...WHOLE_PROBE.tracks[0], codec: "\ud800" }], track: 0 }],
  ["an impossible sample rate", { sampleRate: -1 }],
])("%s in a probe's answer is refused", (_what, changed) => {
  expect(() => probeAnswer({ ...WHOLE_PROBE, ...changed } as never)).toThrow(ParlanceError);
});

test.each([
  ["a track beyond their number", { track: 1 }],
  ["no tracks", { trackCount: 0 }],
  ["gaps beyond the end", { gaps: [{ storedSeconds: 1, seconds: 100 }] }],
  ["gaps out of order", { gaps: WHOLE_DECODING.gaps.toReversed() }],
  ["a gap that is no number", { gaps: [{ storedSeconds: 1, seconds: "1" }] }],
  [
    "more gaps than the recording has room for",
    { gaps: Array.from({ length: 100 }, (_, at) => ({ storedSeconds: at / 100, seconds: 0 })) },
  ],
  ["holes of fewer channels", { holes: [[]] }],
  ["a hole that is no number", { holes: [[{ startSeconds: "1", endSeconds: 2, silentSeconds: 1 }], []] }],
  ["holes without end", { holes: [new Array(101).fill(WHOLE_DECODING.holes[0]?.[0]), []] }],
  ["fewer roles than channels", { roles: ["other"] }],
  ["a role that is none", { roles: ["other", "x"] }],
  ["levels that are no numbers", { levels: [{}, {}] }],
  ["no pair of two channels", { pairs: [] }],
  ["a pair of channels that do not exist", { pairs: [{ ...WHOLE_DECODING.pairs[0], channels: [0, 2] }] }],
  ["stretches beyond the end", { pairs: [{ ...WHOLE_DECODING.pairs[0], stretches: new Array(100).fill(null) }] }],
  ["warnings without end", { warnings: new Array(1_000).fill("x") }],
  ["a warning of any length", { warnings: ["x".repeat(100_000)] }],
  ["a warning that cannot be stored", { warnings: ["\0"] }],
])("%s in a decoding's answer are refused", (_what, changed) => {
  expect(() => decodeAnswer({ ...WHOLE_DECODING, ...changed } as never)).toThrow(ParlanceError);
});

test("answers of a decoder are accepted only if they are possible", () => {
  const text = fc.constantFrom("aac", "", "\0", "\ud800", "x".repeat(1_000));
  const track = fc.record({ number: fc.nat({ max: 2 }), codec: text, channels: fc.integer(), isDefault: fc.boolean() });
  const answer = fc.record(
    {
      kind: fc.oneof(fc.constantFrom("probe", "decode"), junk),
      extension: fc.oneof(fc.constantFrom("mp3", "\0", "../x", "x".repeat(1_000)), junk),
      durationSeconds: fc.oneof(fc.double(), junk),
      channels: fc.oneof(fc.integer(), junk),
      sampleRate: fc.oneof(fc.constant(16_000), junk),
      roles: fc.oneof(fc.array(fc.constantFrom("other", "bass", "x")), junk),
      levels: fc.oneof(fc.array(fc.record({ speechDecibels: fc.double(), rangeDecibels: fc.double() })), junk),
      pairs: fc.oneof(fc.array(junk), junk),
      tracks: fc.oneof(fc.array(fc.oneof(track, junk)), junk),
      track: fc.oneof(fc.nat({ max: 2 }), junk),
      trackCount: fc.oneof(fc.nat({ max: 2 }), junk),
      gaps: fc.oneof(fc.array(fc.record({ storedSeconds: fc.double(), seconds: fc.double() })), junk),
      holes: fc.oneof(fc.array(fc.array(fc.record({ startSeconds: fc.double(), endSeconds: fc.double() }))), junk),
      warnings: fc.oneof(fc.array(fc.oneof(text, junk)), junk),
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(fc.oneof(junk, answer), (given) => {
      for (const read of [probeAnswer, decodeAnswer]) {
        try {
          const believed = read(given as never);
          expect(believed.durationSeconds).toBeGreaterThanOrEqual(0);
          expect([1, 2, 3, 4, 5, 6, 7, 8]).toContain(believed.channels);
        } catch (thrown) {
          expect(thrown).toBeInstanceOf(ParlanceError);
        }
      }
    }),
    fuzzing(2_000),
  );
});

describe.each([
  ["decoder", "../../src/speech/audio/decode/child.js", ["probe", "decode"]],
  ["enhancer", "../../src/speech/audio/enhance/child.js", ["enhance", "end"]],
  ["inference", "../../src/service/inference/child.js", ["load", "recognize", "voice-activity", "embed-speakers"]],
  ["result", "../../src/service/intelligence/process/child.js", ["assemble", "addon"]],
  ["transcript", "../../src/service/transcripts/process/child.js", ["write", "text", "answer", "check"]],
])("the %s process", (name, file, kinds) => {
  let child: SupervisedProcess<unknown, unknown>;
  beforeAll(async () => {
    child = new SupervisedProcess({
      name,
      file: entryFile(file, import.meta.url),
      readyTimeoutMilliseconds: TIMEOUT_MILLISECONDS,
      environment: childEnvironment(os.tmpdir()),
    });
    await child.start();
  });
  afterAll(() => child.stop());

  test("answers a failure to requests of any form, or ends alone", { timeout: FUZZ_MILLISECONDS }, async () => {
    const field = fc.oneof(
      junk,
      fc.constantFrom("/nonexistent", "..", os.tmpdir(), "x"),
      fc.array(junk, { maxLength: 3 }),
    );
    const request = fc.oneof(
      // A call without a request cancels an earlier one, and has no answer.
      junk.filter((value) => value !== undefined),
      fc.record(
        {
          kind: fc.oneof({ weight: 5, arbitrary: fc.constantFrom(...kinds) }, { weight: 1, arbitrary: junk }),
          ...Object.fromEntries(
            [
              "path",
              "audio",
              "samples",
              "stream",
              "model",
              "name",
              "params",
              "transcription",
              "result",
              "request",
              "change",
            ].map((one) => [one, field]),
          ),
        },
        { requiredKeys: [] },
      ),
    );
    let ended = 0;
    await fc.assert(
      fc.asyncProperty(request.filter(isSerializable), async (given) => {
        try {
          await child.call(given, { timeoutMilliseconds: TIMEOUT_MILLISECONDS });
        } catch (thrown) {
          expect(thrown).toBeInstanceOf(ParlanceError);
          const { code } = thrown as ParlanceError;
          expect(code, inspect(given)).not.toBe("process.timeout");
          if (code === "process.died") ended++;
        }
      }),
      fuzzing(60),
    );
    await child.start();
    expect(ended).toBeLessThan(60);
  });
});
