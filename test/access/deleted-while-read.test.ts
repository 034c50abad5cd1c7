// Jobs, recordings, uploads and voices that are deleted while other requests use them: each answer is the whole one or an error that
// says that it is gone.
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { silence, wav } from "../fixtures/recordings.ts";
import { decodeSpeech, repeated } from "../fixtures/speech.ts";
import { tinySpeakerModels } from "../fixtures/tiny-speakers.ts";
import { begin, patch, tus } from "../fixtures/tus.ts";
import { enrol, SECRETS_KEY, turnOn, voiceForm } from "../fixtures/voices.ts";
import { call, finished, type RunningService, startService, submit, upload } from "../service.ts";

const ROUNDS = 6;
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

/** @returns the status of a success, and the status and text of an error; the reason if the answer is cut or not in the coding of its headers */
const outcomeOf = (answer: Promise<{ status: number; text: string }>) =>
  answer.then(
    ({ status, text }) => (status < 400 ? String(status) : `${status} ${text}`),
    (error: Error) => `${error.message}: ${(error.cause as Error | undefined)?.message}`,
  );

/** Uses of a thing that begin before and after its deletion. @returns their outcomes */
async function outcomesAround(
  uses: readonly (() => Promise<string>)[],
  remove: () => Promise<unknown>,
  delayMilliseconds: number,
): Promise<string[]> {
  const all = () => Array.from({ length: 4 }, () => uses.map((use) => use())).flat();
  const before = all();
  await new Promise((resolve) => setTimeout(resolve, delayMilliseconds));
  const [removed, after] = [remove(), all()];
  await removed;
  return Promise.all([...before, ...after]);
}

let folder: string;
let service: RunningService;
beforeAll(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), "parlance-deleted-"));
  service = await startService({
    environment: { PARLANCE_MODELS_DIR: (await tinySpeakerModels(folder)).folder, PARLANCE_SECRETS_KEY: SECRETS_KEY },
  });
});
afterAll(async () => {
  await service?.remove();
  rmSync(folder, { recursive: true, force: true });
});

test("every reader answers with the job or that it is gone, in the coding of its headers", async () => {
  const speech = wav([await decodeSpeech()]);
  const seen = new Set<string>();
  for (let round = 0; round < ROUNDS; round++) {
    const id = await submit(service, speech);
    await finished(service, id);
    const uses = READERS.map(
      ([method, address, body]) =>
        async () =>
          `${method} ${address} ${await outcomeOf(call(service, method, address.replace("ID", id), { body }))}`,
    );
    const remove = async () => expect((await call(service, "DELETE", `/v2/transcription/${id}`)).status).toBe(202);
    for (const outcome of await outcomesAround(uses, remove, round * 4)) seen.add(outcome);
  }
  expect([...seen].filter((outcome) => !/^\w+ \S+ (?:20[01]$|404 )/.test(outcome))).toEqual([]);
  for (const status of [/ 20[01]$/, /^\w+ \S+ 404 /])
    expect([...seen].some((outcome) => status.test(outcome))).toBe(true);
});

test("jobs of a recording that is deleted are made, or the recording is not found", async () => {
  const outcomes: string[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const { audio_url, audio_metadata } = (await upload(service, wav([silence(0.3)]))).json;
    const create = () => outcomeOf(call(service, "POST", "/v2/pre-recorded", { body: { audio_url } }));
    const remove = () => call(service, "DELETE", `/v2/upload/${audio_metadata.id}`);
    outcomes.push(...(await outcomesAround([create], remove, round * 3)));
  }
  expect(outcomes.filter((text) => text !== "201" && !/^422 .*(?:deleted|not found|no longer)/i.test(text))).toEqual(
    [],
  );
});

test("parts of an upload that is deleted meanwhile are stored or refused, never answered 500", async () => {
  const content = Buffer.from(wav([silence(1)]));
  const outcomes: string[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    // In every second round, the bytes complete the upload.
    const address = await begin(service, content.length + (round % 2) * 100_000);
    const add = () => patch(service, address, 0, content).then(({ status, text }) => `${status} ${text}`);
    const remove = () => tus(service, "DELETE", address);
    outcomes.push(...(await outcomesAround([add], remove, round * 3)));
  }
  // 503: a server of S3 that removes empty folders refuses another part in that moment. A repetition finds the upload, or 404.
  expect(outcomes.filter((text) => !/^(?:204|404|409|423|503) /.test(text))).toEqual([]);
});

test("a voice that is deleted while samples are added takes them or is not found", async () => {
  const speech = repeated(await decodeSpeech(), 4, 0.2);
  await turnOn(service);
  const outcomes: string[] = [];
  for (let round = 0; round < 3; round++) {
    const { id } = (await enrol(service, "Maria", speech)).json;
    const add = () => outcomeOf(call(service, "POST", `/v2/voices/${id}/samples`, { body: voiceForm(wav([speech])) }));
    const remove = () => call(service, "DELETE", `/v2/voices/${id}`);
    outcomes.push(...(await outcomesAround([add], remove, round * 300)));
  }
  expect(outcomes.filter((text) => !/^(?:201|404)/.test(text))).toEqual([]);
});
