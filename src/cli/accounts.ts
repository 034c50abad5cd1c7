// parlance accounts: who uses the service, and how much of it.
import { parseArgs } from "node:util";
import { withCommands } from "../administration/connect.ts";
import { loadSettings } from "../config/load.ts";
import { LIMITS } from "../storage/db/accounts.ts";
import { type Command, usageError } from "./command.ts";
import { printTable } from "./table.ts";

/** concurrent_jobs → concurrent-jobs */
const optionOf = (limit: string) => limit.replaceAll("_", "-");
const FRACTIONAL = "requests_per_second";

function limitValue(option: string, text: string, isFractional: boolean): number | null {
  if (text === "default") return null;
  const value = Number(text);
  if (text.trim() === "" || !Number.isFinite(value) || value < 0 || (!isFractional && !Number.isInteger(value))) {
    throw usageError(`--${option} must be ${isFractional ? "a" : "a whole"} number from 0, or default; it is ${text}`);
  }
  return value;
}

export const accountsCommand: Command = {
  name: "accounts",
  synopsis: `accounts create NAME | accounts list | accounts limit NAME ${LIMITS.map((limit) => `[--${optionOf(limit)} N]`).join(" ")}`,
  summary: "Make and list accounts and set their limits; 'default' takes a limit away again.",
  async run(args) {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: Object.fromEntries(LIMITS.map((limit) => [optionOf(limit), { type: "string" as const }])),
    });
    const [action, name, ...more] = positionals;
    if (more.length > 0 || (action !== "list") !== (name !== undefined)) {
      throw usageError(`usage: parlance ${this.synopsis}`);
    }
    const given = LIMITS.filter((limit) => values[optionOf(limit)] !== undefined);
    const limits = Object.fromEntries(
      given.map((limit) => [limit, limitValue(optionOf(limit), String(values[optionOf(limit)]), limit === FRACTIONAL)]),
    );
    await withCommands(loadSettings(), async (commands) => {
      switch (action) {
        case "create":
          await commands.createAccount(name ?? "");
          process.stdout.write(`Made the account ${name}. A key for it: parlance keys create --account ${name}\n`);
          break;
        case "list":
          printTable(
            ["account", ...LIMITS.map(optionOf)],
            (await commands.listAccounts()).map((account) => [
              account.name,
              ...LIMITS.map((limit) => String(account[limit] ?? "default")),
            ]),
          );
          break;
        case "limit":
          if (given.length === 0) throw usageError(`name a limit: parlance ${this.synopsis}`);
          await commands.limitAccount(name ?? "", limits);
          process.stdout.write(
            `${name}: ${given.map((limit) => `${optionOf(limit)} ${limits[limit] ?? "default"}`).join(", ")}\n`,
          );
          break;
        default:
          throw usageError(`usage: parlance ${this.synopsis}`);
      }
    });
  },
};
