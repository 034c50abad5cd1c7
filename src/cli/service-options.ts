// Which service a command uses: --server, the stored login, or the service of this machine.
import type { Command } from "commander";
import { type LocalTarget, localTargets, shownTarget, socketOf } from "../platform/config/listen-address.ts";
import { loadSettings } from "../platform/config/load.ts";
import type { ServiceAddress } from "../platform/net/service-request.ts";
import { storedLogin } from "./login-file.ts";
import { UsageError } from "./usage-error.ts";

export interface ServiceOptions {
  server?: string;
  key?: string;
}

export interface OptionalServiceOptions extends ServiceOptions {
  /** Run on this machine even if a login is stored. */
  local?: boolean;
}

export function addServiceOptions(command: Command, otherwise = "the service on this machine"): Command {
  return command
    .option("--server <address>", `address of the service; default: that of parlance login, else ${otherwise}`)
    .option("--key <key>", "account key; default: that of parlance login, else PARLANCE_API_KEY");
}

/** For commands that can also run without a service. */
export const addOptionalServiceOptions = (command: Command): Command =>
  addServiceOptions(command, "no service").option("--local", "run on this machine, even if a login is stored");

/** @returns the address in its usual form, without trailing slashes @throws UsageError */
export function serverAddress(text: string): string {
  const address = text.trim();
  if (socketOf(address)) return address;
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url?.protocol !== "http:" && url?.protocol !== "https:") {
    throw new UsageError(
      `--server takes an address such as http://localhost:8080, https://speech.example.com or unix:/path; it is ${text}`,
    );
  }
  if (url.username !== "" || url.password !== "") {
    throw new UsageError("--server takes an address without a user name and password; give the account key with --key");
  }
  if (url.search !== "" || url.hash !== "") {
    throw new UsageError(`--server takes an address without ? and #; it is ${text}`);
  }
  return url.href.replace(/(?<!\/)\/+$/, "");
}

/** The key of a login is only sent to the service of that login. */
function named({ server, key }: ServiceOptions): ServiceAddress | undefined {
  const login = storedLogin();
  const base = server === undefined ? login?.server : serverAddress(server);
  if (base === undefined) return undefined;
  return { base, key: key ?? (base === login?.server ? login.key : loadSettings().apiKey) };
}

/** The service of the options, else that of the login, else that of this machine. @throws UsageError */
export function serviceOf(options: ServiceOptions): ServiceAddress {
  const service = named(options);
  if (service) return service;
  const settings = loadSettings();
  const [local] = localTargets(settings);
  const own = settings.publicUrl === "" ? shownTarget(local as LocalTarget) : settings.publicUrl;
  return { base: own, key: options.key ?? settings.apiKey };
}

/** @returns undefined if the command does the work itself @throws UsageError */
export function optionalServiceOf(options: OptionalServiceOptions): ServiceAddress | undefined {
  const { server, key, local } = options;
  if (local) {
    if (server !== undefined) throw new UsageError("--server and --local exclude each other");
    return undefined;
  }
  return named(options) ?? (key === undefined ? undefined : serviceOf(options));
}
