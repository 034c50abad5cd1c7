// Jobs that version 0.1.0 stored are read by this version as they were: by the interface, and by the code that runs them.
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { Ajv } from "ajv";
import addFormats from "ajv-formats";
import { afterAll, beforeAll, expect, test } from "vitest";
import { JobBody } from "../../src/contract/job.ts";
import { parseJobParameters, parseLiveParameters } from "../../src/contract/job-parameters.ts";
import { DEFAULT_ACCOUNT, ensureAccount } from "../../src/platform/storage/db/accounts/accounts.ts";
import { clientTime } from "../../src/platform/storage/db/client-time.ts";
import { openDatabase } from "../../src/platform/storage/db/database.ts";
import { corrected } from "../../src/service/transcripts/corrections.ts";
import { writeTranscript } from "../../src/service/transcripts/formats/write.ts";
import { type InProcess, startInProcess } from "../fixtures/in-process.ts";
import { strictSchema } from "../fixtures/strict-schema.ts";

const STORED = JSON.parse(readFileSync("test/fixtures/jobs-of-0.1.0.json", "utf8"));
const [FINISHED, DEPRECATED_FIELDS, SWITCHING, LIVE] = STORED.jobs;
/** Columns with JSON. */
const JSON_COLUMNS = ["request_params", "custom_metadata", "metadata_filter", "post_session_metadata", "stage_outputs"];

function insertable(row: Record<string, unknown>) {
  const isJson = ([name, value]: [string, unknown]) => JSON_COLUMNS.includes(name) && value !== null;
  return Object.fromEntries(
    Object.entries(row).map((entry) => (isJson(entry) ? [entry[0], JSON.stringify(entry[1])] : entry)),
  );
}

let app: InProcess;
beforeAll(async () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), "parlance-earlier-rows-"));
  const database = await openDatabase("", folder);
  await ensureAccount(database, { id: FINISHED.account_id, name: DEFAULT_ACCOUNT }, clientTime(new Date()));
  for (const file of STORED.files) await database.insertInto("files").values(file).execute();
  for (const job of STORED.jobs) {
    await database
      .insertInto("jobs")
      .values(insertable(job) as never)
      .execute();
  }
  await database.destroy();
  mkdirSync(path.join(folder, "objects/results"), { recursive: true });
  writeFileSync(path.join(folder, "objects", FINISHED.result_key), JSON.stringify(STORED.result));
  app = await startInProcess({}, folder);
});
afterAll(() => app.remove());

const ajv = new Ajv({ strict: false, allErrors: true });
(addFormats as unknown as (ajv: Ajv) => void)(ajv);
const validate = ajv.compile(strictSchema(JobBody));

test.each([
  ["a finished job, with its result", FINISHED],
  ["a failed job with deprecated fields", DEPRECATED_FIELDS],
  ["a failed job with the old fields of code switching", SWITCHING],
  ["a live session", LIVE],
])("%s is shown with the fields that the interface describes", async (_name, row) => {
  const { status, json } = await app.call("GET", `/v2/transcription/${row.id}`);
  expect(status).toBe(200);
  expect(validate(json), JSON.stringify(validate.errors)).toBe(true);
  const { status: state, kind, custom_metadata, error_message, request_params } = row;
  expect(json).toMatchObject({ status: state, kind, custom_metadata, error_message, request_params });
  expect(json.result).toEqual(row === FINISHED ? STORED.result : null);
});

test("all are listed", async () => {
  const { json } = await app.call("GET", "/v2/transcription");
  expect(json.items.map(({ id }: { id: string }) => id).sort()).toEqual(
    STORED.jobs.map(({ id }: { id: string }) => id).sort(),
  );
});

test("a transcript of that version is corrected and exported", async () => {
  const { metadata, transcription } = STORED.result;
  const change = { utterances: [{ index: 0, text: "Corrected." }], undone_at: null };
  const exported = async (changes: (typeof change)[]) => {
    const source = {
      title: "hello",
      createdAt: FINISHED.created_at,
      result: { metadata, transcription },
      transcription: corrected(transcription, changes),
    };
    const written = await writeTranscript(source, "srt");
    return written.toString();
  };
  expect(await exported([])).toContain("Hello");
  expect(await exported([change])).toMatch(/00:00:0.* --> 00:00:0.*\nCorrected\./);
});

test("stored parameters are read completely: none is changed, and no warning names one", () => {
  for (const { kind, request_params } of STORED.jobs) {
    const parameters = kind === "live" ? parseLiveParameters(request_params) : parseJobParameters(request_params);
    expect(parameters).toMatchObject(request_params);
    expect(parameters.warnings).toBeUndefined();
  }
  expect(parseJobParameters(SWITCHING.request_params).language_config).toEqual({
    languages: ["en", "fr"],
    code_switching: true,
  });
});
