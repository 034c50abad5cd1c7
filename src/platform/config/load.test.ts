import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { expect, test } from "vitest";
import { ParlanceError } from "../errors.ts";
import { childEnvironment, loadSettings, networkEnvironment } from "./load.ts";

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

/** What the kubelet sets for a Service with a port named http. @source kubelet, envvars.FromServices */
function serviceLinks(name: string): Record<string, string> {
  return {
    [`${name}_SERVICE_HOST`]: "10.0.0.7",
    [`${name}_SERVICE_PORT`]: "8080",
    [`${name}_SERVICE_PORT_HTTP`]: "8080",
    [`${name}_PORT`]: "tcp://10.0.0.7:8080",
    [`${name}_PORT_8080_TCP`]: "tcp://10.0.0.7:8080",
    [`${name}_PORT_8080_TCP_PROTO`]: "tcp",
    [`${name}_PORT_8080_TCP_PORT`]: "8080",
    [`${name}_PORT_8080_TCP_ADDR`]: "10.0.0.7",
  };
}

test("variables that Kubernetes sets for Services are no settings", () => {
  const environment = { ...serviceLinks("PARLANCE_API"), ...serviceLinks("PARLANCE_LIVE") };
  expect(loadSettings(environment)).toEqual(loadSettings({}));
  expect(() => loadSettings({ PARLANCE_API_PORT: "8081" })).toThrow(/PARLANCE_API_PORT is not a setting/);
  expect(() => loadSettings({ PARLANCE_API_HOST: "10.0.0.7" })).toThrow(/PARLANCE_API_HOST is not a setting/);
});

test("the variable of a Service in place of a setting is named as such", () => {
  for (const [name, setting] of Object.entries({
    PARLANCE: "PARLANCE_PORT",
    PARLANCE_WYOMING: "PARLANCE_WYOMING_PORT",
  }))
    expect(() => loadSettings(serviceLinks(name))).toThrow(
      new RegExp(`${setting} is "tcp://10.0.0.7:8080", .*Kubernetes.*enableServiceLinks: false`),
    );
});

test("child processes see no secret", () => {
  const environment = { PATH: "/bin", PARLANCE_API_KEY: "secret", DATABASE_URL: "postgres://x", XDG_CACHE_HOME: "/x" };
  const seen = childEnvironment("/data/tmp", environment);
  expect(Object.values(seen).sort()).toEqual(["/bin", "1", ...new Array(7).fill("/data/tmp")].sort());
  expect(seen).toMatchObject({ PATH: "/bin", HOME: "/data/tmp", TMPDIR: "/data/tmp" });
});

test("child processes have telemetry off in any environment", () => {
  for (const variables of [{}, { ORT_DISABLE_TELEMETRY: "0" }]) {
    expect(childEnvironment("/data/tmp", variables)["ORT_DISABLE_TELEMETRY"]).toBe("1");
    expect(networkEnvironment("/data/tmp", variables)["ORT_DISABLE_TELEMETRY"]).toBe("1");
  }
});

test("secrets are read from files, too; problems of a file are reported", () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), "parlance-settings-"));
  try {
    const [file, empty] = [path.join(folder, "key"), path.join(folder, "empty")];
    writeFileSync(file, "a key of the operator's\r\n");
    writeFileSync(empty, "\n");
    const settings = loadSettings({
      PARLANCE_API_KEY_FILE: file,
      PARLANCE_API_KEY: "",
      PARLANCE_SECRETS_KEY_FILE: file,
    });
    expect(settings).toMatchObject({ apiKey: "a key of the operator's", secretsKey: "a key of the operator's" });
    const told = (environment: Record<string, string>) => expect(() => loadSettings(environment));
    told({ DATABASE_URL_FILE: path.join(folder, "none") }).toThrow(/DATABASE_URL_FILE is .*none, which cannot be read/);
    told({ DATABASE_URL_FILE: folder }).toThrow(/cannot be read: EISDIR/);
    told({ PARLANCE_LLM_KEY_FILE: empty }).toThrow(/PARLANCE_LLM_KEY_FILE is .*empty, which is empty/);
    told({ PARLANCE_API_KEY_FILE: file, PARLANCE_API_KEY: "12345678" }).toThrow(/are both set; set one of them/);
    told({ PARLANCE_PORT_FILE: file }).toThrow(/PARLANCE_PORT_FILE is not a setting/);
    told({ DATABASE_URL_FILE: file }).toThrow(/DATABASE_URL must begin with postgres/);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
