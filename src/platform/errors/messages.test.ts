// Pages show messages of the catalogue in other languages by their forms in src/contract/messages.
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { MESSAGES, readMessage } from "../../contract/messages/read-message.ts";
import { errors, ParlanceError } from "../errors.ts";

/** Codes that no page shows, by the reason. */
const NOT_SHOWN: Readonly<Record<string, readonly string[]>> = {
  "only the command line": [
    "account.bad_key_name",
    "account.bad_name",
    "account.being_deleted",
    "account.exists",
    "account.is_default",
    "account.no_such_key",
    "account.unknown",
    "models.bad_checkpoint",
    "models.bad_name",
    "models.exists",
    "models.no_head",
  ],
  "the console signs out instead": ["account.not_signed_in"],
  "requests of other clients": [
    "limit.assistant_calls",
    "live.signature_refused",
    "live.upgrade_over_limit",
    "live.upgrade_refused",
    "live.without_source",
    "request.bad_host",
    "request.content_encoding",
    "request.content_type",
    "request.head_too_large",
    "request.head_too_slow",
    "request.header",
    "request.no_route",
    "request.range",
    "request.unreadable",
    "upload.wrong_version",
  ],
  "the message is that of the cause": ["job.failed", "translation.failed"],
};
/** Files of topics that no page shows, and parts of codes of other protocols and of the start of a process. */
const FILES_NOT_SHOWN = ["commands.ts", "transfer.ts", "message-parts.ts", "parlance-error.ts"];
const STARTING =
  /^(?:live\.(?:wyoming|audiosocket)|storage\.(?:folder|locks|taken|other|no_database)|database\.(?:refused|newer|encoding|damaged)|service\.cannot_listen|settings\.)/;

const hidden = new Set(Object.values(NOT_SHOWN).flat());
const codes = readdirSync(import.meta.dirname)
  .filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts") && !FILES_NOT_SHOWN.includes(file))
  .flatMap((file) => [...readFileSync(path.join(import.meta.dirname, file), "utf8").matchAll(/code: "([a-z_.]+)"/g)])
  .map(([, code = ""]) => code)
  .filter((code) => !STARTING.test(code));

test("each code of the catalogue has a form, or a reason why no page shows it", () => {
  expect(codes.length).toBeGreaterThan(100);
  expect(codes.filter((code) => !Object.hasOwn(MESSAGES, code) && !hidden.has(code))).toEqual([]);
});

test("no code is listed as not shown without need", () => {
  expect([...hidden].filter((code) => !codes.includes(code))).toEqual([]);
});

/** Samples for the parameters of factories, by name; the others are texts. */
const SAMPLES: Readonly<Record<string, unknown>> = {
  cause: undefined,
  fields: ["name is required"],
  installed: ["en", "de"],
  known: ["en", "de"],
  languages: ["fr"],
  likelyCauses: undefined,
  problems: ["a file is missing"],
  similar: ["whisper-tiny"],
  tracks: [
    { number: 0, channels: 1 },
    { number: 1, channels: 2, language: "eng" },
  ],
  wasFetched: true,
  whose: " of this account",
};
const COUNT =
  /^(?:limit|most|free|needed|reserve|retryAfterSeconds|seconds|count|version|expected|found|stored|given|perSecond|spent|decoded|sessions|milliseconds|ofA|room|context|size|length|requested|leastBytes|status|attempts)/;
/** Parameters that look like counts, and are texts. */
const TEXTS = new Set(["noTranscript.status", "jobNotFinished.status"]);

function sampleOf(factory: string, name: string): unknown {
  if (Object.hasOwn(SAMPLES, name)) return SAMPLES[name];
  return COUNT.test(name) && !TEXTS.has(`${factory}.${name}`) ? 3_000_000 : "sample";
}

/** Other wordings of shown codes, which only the command line and other clients receive. */
const OTHER_WORDINGS = new Set([
  "formTooLarge",
  "modelNotListed",
  "refusedByServer",
  "restoreNoRoom",
  "serviceFetchFailed",
]);

type Factory = (...parameters: unknown[]) => unknown;

test("the forms are those of the messages that the factories write", () => {
  const shown = new Set(codes.filter((code) => !hidden.has(code)));
  const checked = new Set<string>();
  const unread: string[] = [];
  for (const [name, factory] of Object.entries(errors) as [string, Factory][]) {
    const head = /^\((.*?)\)\s*=>/s.exec(factory.toString())?.[1] ?? "";
    if (/[{]/.test(head) || OTHER_WORDINGS.has(name)) continue;
    const names = head.split(",").map((one) => one.trim().split(/[\s=:]/)[0] ?? "");
    let error: unknown;
    try {
      error = factory(...names.filter(Boolean).map((one) => sampleOf(name, one)));
    } catch {
      continue;
    }
    if (!(error instanceof ParlanceError) || !shown.has(error.code)) continue;
    const read = readMessage(error.message);
    if (read?.code.startsWith(error.code)) checked.add(error.code);
    else unread.push(`${name}: ${error.message}`);
  }
  expect(unread).toEqual([]);
  expect(checked.size).toBeGreaterThan(90);
});
