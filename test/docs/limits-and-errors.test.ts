// docs/limits-and-errors.md is made from the table of settings and the catalogue of errors. `UPDATE_DOCS=true npx vitest run test/docs` writes it.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { Setting } from "../../src/platform/config/setting.ts";
import { SETTINGS } from "../../src/platform/config/settings.ts";

/** One file for each topic of the catalogue. */
const CATALOGUE = "src/platform/errors";
const PAGE = "docs/limits-and-errors.md";

const INTRODUCTION = `# Limits and errors

Made from the code: \`UPDATE_DOCS=true npx vitest run test/docs/limits-and-errors.test.ts\` writes this page, and the test fails while it differs.

## Limits

What a single request may hold: [limits of a request](features.md#limits-of-a-request). An operator sets these limits, and
\`parlance accounts limit\` sets those of one account:
`;

const ERRORS = `
## Errors

Every error of \`/v2\` is JSON with \`statusCode\`, \`message\`, \`path\`, \`request_id\` and, if fields are invalid, \`validation_errors\`. \`/v1\` uses
[OpenAI's form](moving-from-openai.md#errors), \`/v1/listen\` and \`/v2/listen\` [Deepgram's](moving-from-deepgram.md#errors), \`/v2/transcript\` and \`/v3\` [AssemblyAI's](assemblyai.md), and \`/asr\` that of FastAPI (\`detail\`). A failed job has \`error_code\`, one of these statuses, and \`error_message\`. The log names each
error by its code. "Retry" means that the same request can succeed later; such answers have the header \`Retry-After\` if the time is known.
\`…\` stands for what the message quotes, and \` / \` separates alternative texts.
A failed job has \`code\` and \`parameters\` of its message in \`error_details\`, and a result those of its warnings in \`warning_details\`. A client can show them in another
language. A code with a suffix is another wording of the same error; \`other\` is a message without a code.
Some codes occur only in messages of the command line. Errors whose status is that of their cause, such as \`job.failed\`, are not listed.
`;

const NUMBER = new Intl.NumberFormat("en");
const isLimit = ({ variable, kind }: Setting) =>
  kind === "number" && /_(MAX|CONCURRENT|QUEUED|SESSIONS|PER_SECOND|LIVE|FETCH|RETENTION|STALL)/.test(variable);

const cell = (text: string) => text.replaceAll("|", "\\|").replaceAll("\n", " ").replace(/\s+/g, " ").trim();

function limitRows(): string[] {
  return Object.values(SETTINGS as Record<string, Setting>).flatMap((setting) => {
    if (!isLimit(setting) || setting.kind !== "number") return [];
    const { variable, unit, why } = setting;
    return [`| \`${variable}\` | ${NUMBER.format(setting.default)} ${unit} | ${cell(why)} |`];
  });
}

/** A condition with an empty branch: text that only some messages have. */
const OPTIONAL = /\?\s*""\s*:|:\s*""\s*$/;

/** An ellipsis in the place of each expression of a template; nothing in that of optional text. */
function withoutExpressions(withPrefix: string): string {
  const source = withPrefix.replaceAll("${" + "PARLANCE}", "npx --no-install parlance");
  let text = "";
  let depth = 0;
  let start = 0;
  for (let at = 0; at < source.length; at++) {
    const isStart = source.startsWith("${", at);
    if (depth === 0 && isStart) start = at + 2;
    if (depth === 0 && !isStart) text += source[at];
    if (isStart || (depth > 0 && source[at] === "{")) depth++;
    if (isStart) at++;
    else if (depth > 0 && source[at] === "}") {
      depth--;
      if (depth === 0 && !OPTIONAL.test(source.slice(start, at))) text += "…";
    }
  }
  return text;
}

/** The text of the literals of a message; the branches of a condition are separated by " / ". */
function messageText(source: string): string {
  const plain = withoutExpressions(source).replace(/===\s*"[^"]*"/g, "");
  const literals = plain.matchAll(/`((?:[^`\\]|\\.)*)`|"((?:[^"\\]|\\.)*)"/g);
  let text = "";
  let end = 0;
  for (const { 0: whole, 1: template, 2: quoted, index } of literals) {
    text += `${plain.slice(end, index).includes(":") ? " / " : ""}${template ?? quoted ?? ""}`;
    end = index + whole.length;
  }
  return cell(text);
}

interface Row {
  status: number;
  code: string;
  isRetryable: boolean;
  message: string;
}

/** @param source  of the catalogue; errors whose status is computed are left out */
function errorRows(source: string): Row[] {
  const rows = new Map<string, Row>();
  const pattern =
    /new ParlanceError\(((?:(?!new ParlanceError\()[\s\S])*?),\s*\{\s*code:\s*"([a-z_.]+)",?\s*status(?::\s*(\d{3}))?([\s\S]*?)\}\s*,?\s*\)/g;
  for (const [, message = "", code = "", status, rest = ""] of source.matchAll(pattern)) {
    if (status === undefined || rows.has(code)) continue;
    rows.set(code, {
      status: Number(status),
      code,
      isRetryable: /retryable: true/.test(rest),
      message: messageText(message),
    });
  }
  return [...rows.values()].sort((left, right) => left.status - right.status || (left.code < right.code ? -1 : 1));
}

function page(): string {
  const files = readdirSync(CATALOGUE).sort();
  const rows = errorRows(files.map((file) => readFileSync(`${CATALOGUE}/${file}`, "utf8")).join("\n"));
  return [
    INTRODUCTION,
    "| setting | default | purpose |",
    "| --- | --- | --- |",
    ...limitRows(),
    ERRORS,
    "| status | code | retry | message |",
    "| --- | --- | --- | --- |",
    ...rows.map(({ status, code, isRetryable, message }) => {
      const shown =
        message === "" || (message.startsWith("…") && message.length < 3) ? "the message of the cause" : message;
      return `| ${status} | \`${code}\` | ${isRetryable ? "yes" : ""} | ${shown} |`;
    }),
    "",
  ].join("\n");
}

test("the page of limits and errors is that of the code", () => {
  const made = page();
  if (process.env["UPDATE_DOCS"] === "true") writeFileSync(PAGE, made);
  expect(made.split("\n").length).toBeGreaterThan(100);
  expect(made).not.toMatch(/……|… \./);
  expect(readFileSync(PAGE, "utf8")).toBe(made);
});
