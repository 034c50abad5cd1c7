import type { Command } from "commander";
import { type LocalTarget, localTargets, shownTarget } from "../config/listen-address.ts";
import { loadSettings } from "../config/load.ts";
import type { ServiceAddress } from "../net/service-request.ts";

export interface ServiceOptions {
  server?: string;
  key?: string;
}

export function addServiceOptions(command: Command): Command {
  return command
    .option("--server <address>", "of the service; else the one that the settings name, on this machine")
    .option("--key <key>", "account key; else PARLANCE_API_KEY");
}

/** Which service is meant. */
export function serviceOf({ server, key }: ServiceOptions): ServiceAddress {
  const settings = loadSettings();
  const [local] = localTargets(settings);
  const own = settings.publicUrl === "" ? shownTarget(local as LocalTarget) : settings.publicUrl;
  return { base: server ?? own, key: key ?? settings.apiKey };
}
