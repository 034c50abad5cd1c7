// Jobs, recordings, uploads and voices that are deleted while other requests use them: each answer is the whole one or an error that
// says that it is gone.
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { expect, test } from "vitest";
import { silence, wav } from "../fixtures/recordings.ts";
import { decodeSpeech, repeated } from "../fixtures/speech.ts";
import { tinySpeakerModels } from "../fixtures/tiny-speakers.ts";
import { begin, patch, tus } from "../fixtures/tus.ts";
import { enrol, SECRETS_KEY, turnOn, voiceForm } from "../fixtures/voices.ts";
import { call, finished, startService, submit, upload } from "../service.ts";

const ROUNDS = 8;
/** Each reads the result of a job in its own way: addresses, and methods with bodies. */
const READERS: readonly [method: string, path: string, body?: object][] = [
  ...[
    "",
    "/file",
    "/cues",
    "/peaks",
    "/notes",
    "/corrections",
    "/transcript?format=srt",
    "/transcript?format=docx",
  ].map((path): [string, string] => ["GET", `/v2/transcription/ID${path}`]),
  ...["", "/sentences", "/vtt"].map((path): [string, string] => ["GET", `/v2/transcript/ID${path}`]),
  ["GET", "/v2/pre-recorded/ID"],
  ["POST", "/v2/transcription/ID/notes", { channel: 0, start: 0, end: 3, text: "A note" }],
  ["PATCH", "/v2/transcription/ID/transcript", { utterances: [{ index: 0, text: "Corrected" }] }],
  ["POST", "/v2/transcription/ID/recognition", { channel: 0, start: 0, end: 1 }],
];

/** The status of an answer whose body was read to its end, as its headers describe it. */
async function statusOf(answer: Promise<Awaited<ReturnType<typeof call>>>): Promise<string> {
  return answer.then(
    ({ status, text }) => (status < 400 || status === 404 ? String(status) : text),
    // A cut connection, or a body that is not in the coding of its headers.
    (error: Error) => `${error.message}: ${(error.cause as Error | undefined)?.message}`,
  );
}

const toText = ({ status, text }: Awaited<ReturnType<typeof call>>) =>
  status < 400 ? String(status) : `${status} ${text}`;

test("every reader answers with the job or that it is gone, in the coding of its headers", async () => {
  const service = await startService();
  try {
    const speech = wav([await decodeSpeech()]);
    const seen = new Set<string>();
    for (let round = 0; round < ROUNDS; round++) {
      const id = await submit(service, speech);
      await finished(service, id);
      const read = ([method, address, body]: (typeof READERS)[number]) =>
        statusOf(call(service, method, address.replace("ID", id), { body })).then((status) =>
          seen.add(`${method} ${address} ${status}`),
        );
      const reading = Array.from({ length: 4 }, () => READERS.map(read)).flat();
      await new Promise((resolve) => setTimeout(resolve, round * 4));
      const removed = call(service, "DELETE", `/v2/transcription/${id}`);
      reading.push(...Array.from({ length: 4 }, () => READERS.map(read)).flat());
      expect((await removed).status).toBe(202);
      await Promise.all(reading);
    }
    expect([...seen].filter((answer) => !/ (?:20[01]|404)$/.test(answer))).toEqual([]);
    for (const status of [/ 20[01]$/, / 404$/]) expect([...seen].some((answer) => status.test(answer))).toBe(true);
  } finally {
    await service.remove();
  }
});

/** Uses of a thing that begin before and after its deletion. @returns their different answers */
async function answersAround(uses: readonly (() => Promise<string>)[], remove: () => Promise<unknown>, round: number) {
  const all = () => Array.from({ length: 4 }, () => uses.map((use) => use())).flat();
  const before = all();
  await new Promise((resolve) => setTimeout(resolve, round * 3));
  const [removed, after] = [remove(), all()];
  await removed;
  return new Set(await Promise.all([...before, ...after]));
}

const merged = (sets: readonly Set<string>[]) => [...new Set(sets.flatMap((set) => [...set]))].sort();

test("jobs of a recording that is deleted are made, or the recording is not found", async () => {
  const service = await startService();
  try {
    const sets: Set<string>[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const { audio_url, audio_metadata } = (await upload(service, wav([silence(0.3)]))).json;
      const create = () => call(service, "POST", "/v2/pre-recorded", { body: { audio_url } }).then(toText);
      const remove = () => call(service, "DELETE", `/v2/upload/${audio_metadata.id}`);
      sets.push(await answersAround([create], remove, round));
    }
    expect(
      merged(sets).filter((text) => text !== "201" && !/^422 .*(?:deleted|not found|no longer)/i.test(text)),
    ).toEqual([]);
  } finally {
    await service.remove();
  }
});

test("parts of an upload that is deleted meanwhile are stored or refused, never answered 500", async () => {
  const service = await startService();
  const content = Buffer.from(wav([silence(1)]));
  try {
    const sets: Set<string>[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      // In every second round, the bytes complete the upload.
      const address = await begin(service, content.length + (round % 2) * 100_000);
      const add = () => patch(service, address, 0, content).then(({ status, text }) => `${status} ${text}`);
      sets.push(await answersAround([add], () => tus(service, "DELETE", address), round));
    }
    // 503: a server of S3 that removes empty folders refuses another part in that moment. A repetition finds the upload, or 404.
    expect(merged(sets).filter((text) => !/^(?:204|404|409|423|503) /.test(text))).toEqual([]);
  } finally {
    await service.remove();
  }
});

test("a voice that is deleted while samples are added takes them or is not found", async () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), "parlance-deleted-"));
  const service = await startService({
    environment: { PARLANCE_MODELS_DIR: (await tinySpeakerModels(folder)).folder, PARLANCE_SECRETS_KEY: SECRETS_KEY },
  });
  try {
    const speech = repeated(await decodeSpeech(), 4, 0.2);
    await turnOn(service);
    const sets: Set<string>[] = [];
    for (let round = 0; round < 3; round++) {
      const { id } = (await enrol(service, "Maria", speech)).json;
      const add = () =>
        call(service, "POST", `/v2/voices/${id}/samples`, { body: voiceForm(wav([speech])) }).then(toText);
      const remove = () => call(service, "DELETE", `/v2/voices/${id}`);
      sets.push(await answersAround([add], remove, round * 100));
    }
    expect(merged(sets).filter((text) => !/^(?:201|404)/.test(text))).toEqual([]);
  } finally {
    await service.remove();
    rmSync(folder, { recursive: true, force: true });
  }
});
