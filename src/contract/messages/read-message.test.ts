import { expect, test } from "vitest";
import { MESSAGES, type MessageCode, readMessage } from "./read-message.ts";

/** A message of the form, with a sample in each place. */
const written = (form: string) =>
  form.replace(/\{(\w+)([#&$]?)\}/g, (_, name: string, kind: string) => (kind === "#" ? "12" : `given-${name}`));

const FORMS = (Object.keys(MESSAGES) as MessageCode[]).flatMap((code) =>
  [MESSAGES[code]].flat().map((form) => [code, form] as const),
);

test("a message of each form is read as that message, with its parameters", () => {
  for (const [code, form] of FORMS) {
    const places = [...form.matchAll(/\{(\w+)([#&$]?)\}/g)];
    const parameters = Object.fromEntries(
      places.map(([, name = "", kind]) => [name, kind === "#" ? 12 : `given-${name}`]),
    );
    expect(readMessage(written(form)), form).toEqual({ code, parameters });
    expect(form, "places need text between them").not.toMatch(/\}\{/);
  }
});

test("a reason that is a message of its own is read", () => {
  expect(readMessage("audio_url could not be fetched: its host was too slow (given up after 5 attempts)")).toEqual({
    code: "fetch.failed",
    parameters: {
      reason: {
        code: "fetch.given_up",
        parameters: { problem: { code: "fetch.reason.slow", parameters: {} }, attempts: 5 },
      },
    },
  });
});

test("the outer message is read first", () => {
  const reason =
    "A question about a transcript needs a language model, and none is installed. Add one: parlance models add x; or set PARLANCE_LLM_URL (and PARLANCE_LLM_MODEL) to an OpenAI-compatible server";
  expect(readMessage(`Not available: ${reason}`)).toEqual({
    code: "questions.unavailable",
    parameters: {
      reason: { code: "questions.needs_model", parameters: { command: "parlance models add x" } },
    },
  });
});

test.each([
  "",
  "Anything else",
  "audio_url could not be fetched: ",
  "This transcript has many notes, as many as it may have; delete one first",
])("%j is of no form", (text) => {
  expect(readMessage(text)).toBeUndefined();
});

test("a long text of no form is no message", () => {
  expect(readMessage(`${"is required ".repeat(400)}: ; , {`)).toBeUndefined();
});
