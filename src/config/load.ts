// Environment → one frozen object, or one error that lists every problem at once. The only reader of process.env.
import { errors } from "../errors.ts";
import { SETTINGS, type Setting, type Settings } from "./settings.ts";

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

/**
 * @param environment  usually process.env
 * @throws settings.invalid naming every bad or unknown variable
 */
export function loadSettings(environment: Record<string, string | undefined> = process.env): Settings {
  const problems: string[] = [];
  const settings: Record<string, unknown> = {};
  const known = new Set<string>();
  for (const [name, setting] of Object.entries(SETTINGS) as [string, Setting][]) {
    known.add(setting.variable);
    const text = environment[setting.variable]?.trim();
    if (text === undefined || text === "") {
      settings[name] = setting.default;
      continue;
    }
    const result = read(setting, text);
    if ("problem" in result) problems.push(`${setting.variable} ${result.problem}`);
    else settings[name] = result.value;
  }
  for (const variable of Object.keys(environment)) {
    if (variable.startsWith("PARLANCE_") && !known.has(variable)) {
      problems.push(`${variable} is not a setting; see docs/settings.md`);
    }
  }
  if (problems.length > 0) throw errors.invalidSettings(problems);
  return Object.freeze(settings) as unknown as Settings;
}

const HARMLESS_VARIABLES = ["PATH", "HOME", "LANG", "TZ", "TMPDIR", "TEMP", "TMP", "SYSTEMROOT", "LD_LIBRARY_PATH"];

/** What a child process may see: nothing that holds a secret. */
export function childEnvironment(
  environment: Record<string, string | undefined> = process.env,
): Record<string, string> {
  const entries = HARMLESS_VARIABLES.map((name) => [name, environment[name]]);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

const NETWORK_VARIABLES = ["HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "NODE_EXTRA_CA_CERTS"].flatMap((name) => [
  name,
  name.toLowerCase(),
]);

/** What a child process may see that fetches from the network: how to get there, too. */
export function networkEnvironment(
  environment: Record<string, string | undefined> = process.env,
): Record<string, string> {
  const entries = NETWORK_VARIABLES.map((name) => [name, environment[name]]);
  return {
    ...childEnvironment(environment),
    ...Object.fromEntries(entries.filter(([, value]) => value !== undefined)),
  };
}
