import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { type ErrorCode, errors, ParlanceError, toParlanceError, transferredError } from "./errors.ts";

const TOPICS = `${import.meta.dirname}/errors`;

/** Names of the factories, as the files of the topics declare them. */
const declaredNames = () =>
  readdirSync(TOPICS).flatMap((file) => {
    const [, table = ""] = readFileSync(`${TOPICS}/${file}`, "utf8").split(/^export const \w+Errors = \{$/m);
    return [...table.matchAll(/^ {2}(\w+): /gm)].map(([, name = ""]) => name);
  });

test("the catalogue has every factory of every topic, and no topic replaces one of another", () => {
  const ofErrors = ["fetchGivenUp", "modelNotFetched", "uploadNotFetched"];
  expect([...declaredNames(), ...ofErrors].sort()).toEqual(Object.keys(errors).sort());
});

test("codes of errors are checked when they are compiled", () => {
  const error: ParlanceError = errors.aborted();
  const stopped: ErrorCode = "work.aborted";
  expect(error.code).toBe(stopped);
  // @ts-expect-error: the catalogue has no such code. Without an error of the compiler here, any text would be one.
  expect(error.code === "work.abortd").toBe(false);
  // @ts-expect-error: only factories create errors, each with a code of the catalogue.
  expect(new ParlanceError("Stopped", { code: "work.abortd", status: 503 }).code).toBe("work.abortd");
});

test("an error of another process keeps its code, also one that this version does not have", () => {
  const error = transferredError("It failed", { code: "of.another_version", status: 422, retryable: true });
  expect(error).toBeInstanceOf(ParlanceError);
  expect(toParlanceError(error)).toBe(error);
  expect(error).toMatchObject({ message: "It failed", code: "of.another_version", status: 422, retryable: true });
});
