// Every setting: its variable, unit, default, bounds and the reason it exists. Validation at start, the documentation and the
// start-up message about unknown variables all come from here.
import { access } from "./sections/access.ts";
import { accounts } from "./sections/accounts.ts";
import { audioSocket } from "./sections/audiosocket.ts";
import { callbacks } from "./sections/callbacks.ts";
import { live } from "./sections/live.ts";
import { machines } from "./sections/machines.ts";
import { models } from "./sections/models.ts";
import { operation } from "./sections/operation.ts";
import { processing } from "./sections/processing.ts";
import { providers } from "./sections/providers.ts";
import { server } from "./sections/server.ts";
import { storage } from "./sections/storage.ts";
import { wyoming } from "./sections/wyoming.ts";
import type { NumberSetting, Section, Setting, SwitchSetting } from "./setting.ts";

export { ROLES, type Role } from "./roles.ts";

/** In the order of the documentation. */
export const SECTIONS: readonly Section[] = [
  {
    title: "Server",
    summary: "Where the service listens, and the addresses that it publishes.",
    settings: server,
  },
  {
    title: "Access",
    summary: "Keys, secrets, and the addresses that requests may reach.",
    settings: access,
  },
  {
    title: "Storage",
    summary: "Where recordings and results are kept, and for how long.",
    settings: storage,
  },
  {
    title: "Models",
    summary: "Which models are used, and where they come from.",
    settings: models,
  },
  {
    title: "Processing",
    summary: "Inference processes, jobs, and recordings fetched from other hosts.",
    settings: processing,
  },
  {
    title: "Limits of accounts",
    summary: "Limits that hold for every account without limits of its own.",
    settings: accounts,
  },
  {
    title: "Live sessions",
    summary: "How many there may be, and when they end.",
    settings: live,
  },
  {
    title: "Home Assistant",
    summary: "The listener of the Wyoming protocol. It is off by default.",
    settings: wyoming,
  },
  {
    title: "Asterisk",
    summary: "The listener of AudioSocket. It is off by default.",
    settings: audioSocket,
  },
  {
    title: "Callbacks",
    summary: "Time limits and retries of callbacks.",
    settings: callbacks,
  },
  {
    title: "Language models and translation",
    summary: "Language model and translation server for add-ons.",
    settings: providers,
  },
  {
    title: "Several machines",
    summary: "Roles of this process, and the logs of live sessions that machines share.",
    settings: machines,
  },
  {
    title: "Operation",
    summary: "Stopping, logs, metrics and traces.",
    settings: operation,
  },
];

export const SETTINGS = {
  ...server,
  ...access,
  ...storage,
  ...models,
  ...processing,
  ...accounts,
  ...live,
  ...wyoming,
  ...audioSocket,
  ...callbacks,
  ...providers,
  ...machines,
  ...operation,
} satisfies Record<string, Setting>;

type ValueOf<S extends Setting> = S extends NumberSetting ? number : S extends SwitchSetting ? boolean : string;
export type Settings = { readonly [Name in keyof typeof SETTINGS]: ValueOf<(typeof SETTINGS)[Name]> };
