import { expect, test } from "vitest";
import { ParlanceError } from "../errors.ts";
import { childEnvironment, loadSettings } from "./load.ts";

test("defaults hold where nothing is set", () => {
  expect(loadSettings({})).toMatchObject({
    port: 8080,
    host: "127.0.0.1",
    model: "moonshine-base-en",
    anonymous: false,
  });
});

test("every problem is named at once", () => {
  const environment = {
    PARLANCE_PORT: "http",
    PARLANCE_WORKERS: "0",
    PARLANCE_LOG_LEVEL: "loud",
    PARLANCE_ANONYMOUS: "perhaps",
    PARLANCE_PUBLIC_URL: "example.com",
    DATABASE_URL: "mysql://x",
    PARLANCE_PROT: "1",
  };
  let message = "";
  try {
    loadSettings(environment);
  } catch (error) {
    expect(error).toBeInstanceOf(ParlanceError);
    message = (error as Error).message;
  }
  for (const variable of Object.keys(environment)) expect(message).toContain(variable);
  expect(message).toMatch(/PARLANCE_WORKERS must be from 1 to 256; it is 0/);
  expect(message).toMatch(/PARLANCE_PROT is not a setting/);
});

test("child processes see no secret", () => {
  expect(childEnvironment({ PATH: "/bin", PARLANCE_API_KEY: "secret", DATABASE_URL: "postgres://x" })).toEqual({
    PATH: "/bin",
  });
});
