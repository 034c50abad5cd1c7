// Environment → one frozen object, or one error that lists every problem at once. The only reader of process.env.
import { readFileSync } from "node:fs";
import { errors } from "../errors.ts";
import { TELEMETRY_OFF } from "./no-telemetry.ts";
import type { Setting } from "./setting.ts";
import { SETTINGS, type Settings } from "./settings.ts";

type Environment = Readonly<Record<string, string | undefined>>;

const ON = new Set(["1", "true", "yes", "on"]);
const OFF = new Set(["0", "false", "no", "off"]);

function read(setting: Setting, text: string): { value: unknown } | { problem: string } {
  switch (setting.kind) {
    case "switch":
      if (ON.has(text.toLowerCase())) return { value: true };
      if (OFF.has(text.toLowerCase())) return { value: false };
      return { problem: `must be true or false; it is "${text}"` };
    case "choice":
      if (setting.choices.includes(text)) return { value: text };
      return { problem: `must be one of ${setting.choices.join(", ")}; it is "${text}"` };
    case "number": {
      const value = Number(text);
      const whole = setting.integer ? "a whole number" : "a number";
      if (!Number.isFinite(value) || (setting.integer && !Number.isInteger(value))) {
        return { problem: `must be ${whole}; it is "${text}"` };
      }
      if (value < setting.least || value > setting.most) {
        return { problem: `must be from ${setting.least} to ${setting.most}; it is ${text}` };
      }
      return { value };
    }
    case "text": {
      const problem = setting.check?.(text);
      return problem ? { problem } : { value: text };
    }
  }
}

/** Behind the variable of a secret: names a file that has the value, as Docker and systemd provide them. */
const FILE_SUFFIX = "_FILE";

/** @returns undefined where neither the variable nor its file is set */
function given(
  setting: Setting,
  environment: Environment,
): { variable: string; text: string } | { problem: string } | undefined {
  const { variable, alias = "" } = setting;
  const used = environment[variable]?.trim() ? variable : alias;
  const text = environment[used]?.trim();
  const file = hasFile(setting) ? environment[variable + FILE_SUFFIX]?.trim() : undefined;
  if (!file) return text ? { variable: used, text } : undefined;
  if (text) return { problem: `${variable} and ${variable}${FILE_SUFFIX} are both set; set one of them` };
  try {
    const content = readFileSync(file, "utf8").trim();
    return content === ""
      ? { problem: `${variable}${FILE_SUFFIX} is ${file}, which is empty` }
      : { variable, text: content };
  } catch (error) {
    return { problem: `${variable}${FILE_SUFFIX} is ${file}, which cannot be read: ${(error as Error).message}` };
  }
}

/**
 * Variables that Kubernetes sets in each pod for each Service of its namespace, such as PARLANCE_API_SERVICE_HOST for a Service named
 * parlance-api. They are no settings.
 * @source kubelet, envvars.FromServices
 */
const SERVICE_LINK = /_(?:SERVICE_(?:HOST|PORT(?:_[A-Z0-9_]+)?)|PORT_\d+_(?:TCP|UDP|SCTP)(?:_(?:PROTO|PORT|ADDR))?)$/;
/** Value of NAME_PORT, whose name alone could be that of a setting. */
const SERVICE_ADDRESS = /^(?:tcp|udp|sctp):\/\//;

const isServiceAddress = (variable: string, text: string) => variable.endsWith("_PORT") && SERVICE_ADDRESS.test(text);

const hasFile = (setting: Setting) => setting.kind === "text" && setting.isSecret === true;

/**
 * @param environment  usually process.env
 * @throws settings.invalid naming every bad or unknown variable
 */
export function loadSettings(environment: Environment = process.env): Settings {
  const problems: string[] = [];
  const settings: Record<string, unknown> = {};
  const known = new Set<string>();
  for (const [name, setting] of Object.entries(SETTINGS) as [string, Setting][]) {
    known.add(setting.variable);
    if (hasFile(setting)) known.add(setting.variable + FILE_SUFFIX);
    const value = given(setting, environment);
    if (value === undefined) {
      settings[name] = setting.default;
      continue;
    }
    if ("problem" in value) {
      problems.push(value.problem);
      continue;
    }
    if (isServiceAddress(value.variable, value.text)) {
      problems.push(
        `${value.variable} is "${value.text}", which Kubernetes set for a Service of that name; set enableServiceLinks: false in the pod, rename the Service, or set ${value.variable}`,
      );
      continue;
    }
    const result = read(setting, value.text);
    if ("problem" in result) problems.push(`${value.variable} ${result.problem}`);
    else settings[name] = result.value;
  }
  for (const [variable, text = ""] of Object.entries(environment)) {
    if (!variable.startsWith("PARLANCE_") || known.has(variable)) continue;
    if (SERVICE_LINK.test(variable) || isServiceAddress(variable, text)) continue;
    problems.push(`${variable} is not a setting; see docs/settings.md`);
  }
  if (problems.length > 0) throw errors.invalidSettings(problems);
  return Object.freeze(settings) as unknown as Settings;
}

declare const isChildEnvironment: unique symbol;

/** Environment of a child process. Only the functions below make one. */
export type ChildEnvironment = Readonly<Record<string, string>> & { readonly [isChildEnvironment]: true };

const INHERITED_VARIABLES = ["PATH", "LANG", "TZ", "SYSTEMROOT", "LD_LIBRARY_PATH"];
/** Where libraries put temporary and per-user files, on POSIX systems and Windows. */
const FOLDER_VARIABLES = ["TMPDIR", "TEMP", "TMP", "HOME", "USERPROFILE", "APPDATA", "LOCALAPPDATA"];
const NETWORK_VARIABLES = ["HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "NODE_EXTRA_CA_CERTS"].flatMap((name) => [
  name,
  name.toLowerCase(),
]);

function pick(names: readonly string[], environment: Record<string, string | undefined>): Record<string, string> {
  const entries = names.map((name) => [name, environment[name]]);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

/**
 * Environment of a child process: no secret, no telemetry, and no folder that it can write to by default but the given one.
 * @param temporaryFolder  absolute; used as the home directory, too
 * @param environment      usually process.env
 */
export function childEnvironment(
  temporaryFolder: string,
  environment: Record<string, string | undefined> = process.env,
): ChildEnvironment {
  return {
    ...pick(INHERITED_VARIABLES, environment),
    ...Object.fromEntries(FOLDER_VARIABLES.map((name) => [name, temporaryFolder])),
    ...TELEMETRY_OFF,
  } as unknown as ChildEnvironment;
}

/** Environment of a child process that fetches from the network: proxies and certificates, too. */
export function networkEnvironment(
  temporaryFolder: string,
  environment: Record<string, string | undefined> = process.env,
): ChildEnvironment {
  return {
    ...pick(NETWORK_VARIABLES, environment),
    ...childEnvironment(temporaryFolder, environment),
  } as ChildEnvironment;
}

/** Moves the temporary files of libraries in this process to `folder`. */
export function useTemporaryFolder(folder: string): void {
  for (const name of ["TMPDIR", "TEMP", "TMP"]) process.env[name] = folder;
}

export interface ServiceManagerVariables {
  /** Socket of the service manager, for its own program that writes to it. */
  environment: ChildEnvironment;
  /** Without a message within this time the service manager restarts the service; undefined where it does not watch this process. */
  watchdogMilliseconds?: number;
}

/**
 * What systemd sets for a unit with Type=notify.
 * @param environment  usually process.env
 * @returns undefined where nothing expects messages
 * @source sd_notify(3), sd_watchdog_enabled(3)
 */
export function serviceManagerVariables(
  environment: Environment = process.env,
  processId = process.pid,
): ServiceManagerVariables | undefined {
  const { NOTIFY_SOCKET: socket, WATCHDOG_USEC: microseconds, WATCHDOG_PID: watched } = environment;
  if (!socket) return undefined;
  const milliseconds = Number(microseconds) / 1000;
  const isWatched = milliseconds > 0 && (!watched || Number(watched) === processId);
  return {
    environment: { ...pick(INHERITED_VARIABLES, environment), NOTIFY_SOCKET: socket } as unknown as ChildEnvironment,
    ...(isWatched ? { watchdogMilliseconds: milliseconds } : {}),
  };
}
