// Speakers in the messages and in the result of a live session, with a tiny random pair of networks. live-speakers.slow.test.ts: channels,
// names, restarts, and the real weights.
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Utterance } from "../../src/contract/transcript/transcript.ts";
import { SPEAKER_MODEL } from "../../src/service/models/catalogue.ts";
import { ListenClient } from "../fixtures/listen-client.ts";
import { sessionResult } from "../fixtures/live-invariants.ts";
import { spoken, startWithSpeakers } from "../fixtures/live-speakers.ts";
import { RealtimeClient } from "../fixtures/realtime-client.ts";
import { decodeSpeech, encodePcm, repeated } from "../fixtures/speech.ts";
import { tinySpeakerModels } from "../fixtures/tiny-speakers.ts";
import { call, type RunningService, ready, TEST_KEY } from "../service.ts";

const LINEAR = "encoding=linear16&sample_rate=16000";

let folder: string;
let speech: Float32Array;
beforeAll(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), "parlance-live-speakers-"));
  speech = await decodeSpeech();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("with a tiny speaker model", () => {
  let service: RunningService;
  beforeAll(async () => {
    service = await startWithSpeakers((await tinySpeakerModels(folder)).folder);
    await ready(service);
  });
  afterAll(() => service.remove());

  test("every word of a final has a speaker, and so has the result, with its turns", async () => {
    const { client, result } = await spoken(service, encodePcm([repeated(speech, 4, 1)]), 3);
    const finals = client.finals().map(({ data }) => data.utterance as Utterance);
    expect(finals.length).toBeGreaterThanOrEqual(3);
    for (const { speaker, words } of finals) {
      expect(speaker).toBe(0);
      for (const word of words) expect(word.speaker).toBe(0);
    }
    expect(result.metadata.diarization).toEqual({ method: "networks", model: SPEAKER_MODEL });
    expect(result.metadata.warnings).toBeUndefined();
    const { utterances, speaker_turns } = result.transcription;
    expect(speaker_turns.length).toBeGreaterThan(0);
    expect((utterances as Utterance[]).map(({ speaker }) => speaker)).toEqual(utterances.map(() => 0));
    // Texts as without speakers.
    expect(result.transcription.full_transcript).toBe(
      finals
        .map(({ text }) => text)
        .join("")
        .trim(),
    );
    expect(utterances[0].text).toMatch(/^ \S/);
  });

  test("clients of other interfaces have their end, and the result is diarized as a whole", async () => {
    const pcm = encodePcm([repeated(speech, 2, 1)]);
    const wires = [
      { address: "/v3/ws", query: "sample_rate=16000&speaker_labels=true", key: TEST_KEY, end: "Terminate" },
      { address: "/v1/listen", query: `${LINEAR}&diarize=true`, key: `Token ${TEST_KEY}`, end: "CloseStream" },
    ];
    for (const { address, query, key, end } of wires) {
      const client = await ListenClient.connect(service, query, { headers: { authorization: key } }, address);
      client.stream(pcm);
      client.send({ type: end });
      expect(await client.closed).toEqual({ code: 1000, reason: "" });
      const last = client.messages.at(-1);
      expect([address, last.type]).toEqual([address, end === "Terminate" ? "Termination" : "Metadata"]);
      const { result } = await sessionResult(service, address === "/v3/ws" ? client.messages[0].id : client.requestId);
      expect(result.metadata.diarization).toEqual({ method: "networks", model: SPEAKER_MODEL });
      expect(result.transcription.utterances[0].speaker).toBe(0);
    }
  });

  test("the Realtime model that distinguishes speakers has segments, whose texts are the transcript", async () => {
    const headers = { authorization: `Bearer ${TEST_KEY}` };
    const client = await RealtimeClient.connect(service, { headers, query: "model=gpt-4o-transcribe-diarize" });
    client.configure({ format: { type: "audio/pcm", rate: 16_000 }, turn_detection: null });
    client.append(encodePcm([repeated(speech, 2, 1)]));
    client.commit();
    const [{ item_id, transcript }] = await client.received("completed");
    const segments = client.of("segment");
    expect(segments.map(({ text }) => text).join(" ")).toBe(transcript);
    for (const segment of segments) {
      expect(segment).toMatchObject({ item_id, content_index: 0, speaker: expect.stringMatching(/^(A|unknown)$/) });
      expect(segment.end).toBeGreaterThan(segment.start);
    }
    client.socket.close();
  });

  test("without the switch there are no speakers, and a configuration alone is named as ineffective", async () => {
    const { client, result } = await spoken(service, encodePcm([repeated(speech, 1, 1)]), 10, { diarization: false });
    expect(JSON.stringify(client.messages)).not.toContain("speaker");
    expect(result.metadata.diarization).toBeUndefined();
    const { json } = await call(service, "POST", "/v2/live", { body: { diarization_config: { max_speakers: 2 } } });
    expect(json.warnings).toEqual(["diarization_config has no effect without diarization: true"]);
  });

  test("numbers that contradict each other, and names without a library, are refused and say what to do", async () => {
    const counts = await call(service, "POST", "/v2/live", {
      body: { diarization: true, diarization_config: { min_speakers: 4, max_speakers: 2 } },
    });
    expect(counts.status).toBe(400);
    expect(JSON.stringify(counts.json)).toMatch(/lower min_speakers, raise max_speakers, or leave one of them out/);
    const named = { diarization: true, diarization_config: { identify_speakers: true } };
    const off = await call(service, "POST", "/v2/live", { body: named });
    expect(off.status).toBe(409);
    expect(off.json.message).toMatch(/PUT \/v2\/voices\/settings/);
  });
});
