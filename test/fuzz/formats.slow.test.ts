// Bytes of strangers: WAV headers, frames of the live WebSocket, media files, files of models. None of them causes a crash, a hang
// or an answer of 500, and the service continues.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { StreamReader } from "../../src/service/live/audio/stream-reader.ts";
import { parseBinaryFrame, parseTextFrame } from "../../src/service/live/dialects/gladia/client-frames.ts";
import { readManifest } from "../../src/service/models/manifest.ts";
import { readWavHeader } from "../../src/speech/audio/wav.ts";
import { readFields } from "../../src/speech/onnx/protobuf.ts";
import { FUZZ_MILLISECONDS, fuzzing } from "../fixtures/fuzzing.ts";
import { createSession, LiveClient } from "../fixtures/live-client.ts";
import { HELLO_MP3, silence, wav } from "../fixtures/recordings.ts";
import { call, finished, type RunningService, ready, startService, submit, upload } from "../service.ts";

const runs = fuzzing;

/** A real file with some bytes changed, cut short, or with others in between. */
function mutated(original: Uint8Array, within = original.length): fc.Arbitrary<Buffer> {
  const place = fc.integer({ min: 0, max: Math.min(within, original.length) - 1 });
  const change = fc.oneof(
    fc.record({ kind: fc.constant("set" as const), at: place, bytes: fc.uint8Array({ minLength: 1, maxLength: 8 }) }),
    fc.record({
      kind: fc.constant("insert" as const),
      at: place,
      bytes: fc.uint8Array({ minLength: 1, maxLength: 64 }),
    }),
    fc.record({ kind: fc.constant("cut" as const), at: place, bytes: fc.constant(new Uint8Array()) }),
  );
  return fc.array(change, { minLength: 1, maxLength: 6 }).map((changes) => {
    let bytes: Buffer = Buffer.from(original);
    for (const { kind, at, bytes: others } of changes) {
      if (kind === "cut") bytes = bytes.subarray(0, at);
      else if (kind === "set")
        bytes.set(others.subarray(0, Math.max(0, bytes.length - at)), Math.min(at, bytes.length));
      else bytes = Buffer.concat([bytes.subarray(0, at), others, bytes.subarray(at)]);
    }
    return bytes;
  });
}

/** It may refuse with a reason; a slip of the program is a fault. */
function mustBeTold(error: unknown): void {
  const isSlip = error instanceof TypeError || error instanceof ReferenceError || (error as Error).message === "";
  if (isSlip || /Maximum call stack|Invalid array length|allocation failed/i.test((error as Error).message))
    throw error;
}

function mayRefuse(work: () => unknown): void {
  try {
    work();
  } catch (error) {
    mustBeTold(error);
  }
}

describe("parsers", () => {
  test("WAV headers", () => {
    const original = wav([silence(0.01)]);
    fc.assert(
      fc.property(fc.oneof(mutated(original, 60), fc.uint8Array({ maxLength: 200 }).map(Buffer.from)), (bytes) => {
        mayRefuse(() => readWavHeader(bytes as Buffer));
      }),
      runs(800),
    );
  });

  test("streams with headers in any place give the same samples in any split", () => {
    const format = { encoding: "wav/pcm", bitDepth: 16, sampleRate: 16_000, channels: 1 } as const;
    const part = fc.oneof(mutated(wav([silence(0.01)]), 60), fc.uint8Array({ maxLength: 300 }).map(Buffer.from));
    const read = (bytes: Buffer, pieceBytes: number) => {
      const reader = new StreamReader(format);
      const samples: number[] = [];
      for (let at = 0; at < bytes.length; at += pieceBytes) {
        for (const [piece] of reader.push(bytes.subarray(at, at + pieceBytes))) samples.push(...(piece ?? []));
      }
      return [...samples, ...(reader.flush()[0] ?? [])];
    };
    fc.assert(
      fc.property(fc.array(part, { maxLength: 6 }), fc.integer({ min: 1, max: 400 }), (parts, pieceBytes) => {
        const bytes = Buffer.concat(parts as Buffer[]);
        if (new StreamReader(format).refusalOf(bytes) !== undefined) return;
        expect(read(bytes, pieceBytes)).toEqual(read(bytes, bytes.length || 1));
      }),
      runs(300),
    );
  });

  test("text frames of the live WebSocket", () => {
    const frame = fc.oneof(
      fc.string(),
      fc.json(),
      fc
        .record({ type: fc.constantFrom("audio_chunk", "stop_recording", "x"), data: fc.jsonValue() })
        .map((value) => JSON.stringify(value)),
      fc.base64String().map((chunk) => JSON.stringify({ type: "audio_chunk", data: { chunk } })),
    );
    fc.assert(
      fc.property(frame, (text) => {
        expect(["audio", "stop", "unreadable"]).toContain(parseTextFrame(Buffer.from(text)).kind);
        expect(["audio", "stop", "unreadable"]).toContain(parseBinaryFrame(Buffer.from(text)).kind);
      }),
      runs(800),
    );
  });

  test("graphs as protocol buffers", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => mayRefuse(() => readFields(bytes))),
      runs(400),
    );
  });

  test("manifests of models", async () => {
    const folder = mkdtempSync(path.join(os.tmpdir(), "parlance-fuzz-"));
    try {
      await fc.assert(
        fc.asyncProperty(fc.oneof(fc.json(), fc.string()), async (text) => {
          writeFileSync(path.join(folder, "model.json"), text);
          await readManifest(folder);
        }),
        runs(100),
      );
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

describe("a service", () => {
  let service: RunningService;
  beforeAll(async () => {
    service = await startService({ environment: { PARLANCE_LOG_LEVEL: "error", PARLANCE_WORKERS: "1" } });
    await ready(service);
  });
  afterAll(() => service.remove());

  /** It still does what it is for. */
  const isWell = async () => {
    const job = await finished(service, await submit(service, readFileSync(HELLO_MP3)));
    expect(job.result.transcription.full_transcript).toMatch(/hello/i);
  };

  test("media files", { timeout: FUZZ_MILLISECONDS }, async () => {
    const files = [readFileSync(HELLO_MP3), wav([silence(0.2)])];
    const file = fc.oneof(
      ...files.map((original) => mutated(original)),
      fc.uint8Array({ maxLength: 500 }).map(Buffer.from),
    );
    await fc.assert(
      fc.asyncProperty(file, async (bytes) => {
        const uploaded = await upload(service, bytes as Uint8Array);
        expect(uploaded.status, uploaded.text).toBeLessThan(500);
        if (uploaded.status !== 200) return;
        const created = await call(service, "POST", "/v2/pre-recorded", {
          body: { audio_url: uploaded.json.audio_url },
        });
        const job = await finished(service, created.json.id);
        expect(job.error_code ?? 200, job.error_message).toBeLessThan(500);
        await call(service, "DELETE", `/v2/pre-recorded/${created.json.id}`);
      }),
      { ...runs(15), endOnFailure: true },
    );
    await isWell();
  });

  test("frames of a live session", { timeout: FUZZ_MILLISECONDS }, async () => {
    const frames = fc.array(
      fc.oneof(
        fc.uint8Array({ maxLength: 2_000 }),
        mutated(wav([silence(0.05)]), 60),
        fc.json(),
        fc.base64String({ maxLength: 500 }).map((chunk) => JSON.stringify({ type: "audio_chunk", data: { chunk } })),
      ),
      { maxLength: 12 },
    );
    await fc.assert(
      fc.asyncProperty(frames, async (sent) => {
        const client = await LiveClient.connect((await createSession(service)).url);
        for (const frame of sent) client.socket.send(frame as Uint8Array);
        client.stop();
        const { code } = await client.closed;
        expect([1000, 4400]).toContain(code);
      }),
      { ...runs(10), endOnFailure: true },
    );
    await isWell();
  });
});

describe("checkpoints", () => {
  test("of models that are added: refused with a reason, and nothing of them stays", {
    timeout: FUZZ_MILLISECONDS,
  }, async () => {
    const { Checkpoint } = await import("../../src/speech/engines/whisper/checkpoint.ts");
    const folder = mkdtempSync(path.join(os.tmpdir(), "parlance-fuzz-"));
    const header = JSON.stringify({ "model.weight": { dtype: "F32", shape: [2, 2], data_offsets: [0, 16] } });
    const length = Buffer.alloc(8);
    length.writeBigUInt64LE(BigInt(header.length));
    const whole = Buffer.concat([length, Buffer.from(header), Buffer.alloc(16)]);
    mkdirSync(path.join(folder, "model"));
    try {
      await fc.assert(
        fc.asyncProperty(mutated(whole), async (bytes) => {
          writeFileSync(path.join(folder, "model", "model.safetensors"), bytes);
          try {
            const checkpoint = await Checkpoint.open(path.join(folder, "model"));
            await checkpoint.read("model.weight", [2, 2]).catch(mustBeTold);
            await checkpoint.close();
          } catch (error) {
            mustBeTold(error);
          }
        }),
        runs(100),
      );
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
