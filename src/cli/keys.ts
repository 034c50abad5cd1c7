// parlance keys: account keys, made, listed and revoked. A key is shown once, when it is made.
import type { Command } from "commander";
import { withCommands } from "../accounts/administration/connect.ts";
import { loadSettings } from "../config/load.ts";
import { DEFAULT_ACCOUNT } from "../storage/db/accounts.ts";
import { printJson, printTable } from "./table.ts";

export function addKeys(program: Command): void {
  const keys = program
    .command("keys")
    .description("Make, list and revoke account keys, whether the service runs or not");
  keys
    .command("create")
    .description("Make a key and print it, this once")
    .option("--account <name>", "whose key it is", DEFAULT_ACCOUNT)
    .option("--name <text>", "what it is for", "")
    .option("--json", "print JSON")
    .action(async ({ account, name, json }: { account: string; name: string; json?: boolean }) => {
      const made = await withCommands(loadSettings(), (commands) => commands.createKey(account, name));
      if (json) printJson(made);
      else process.stdout.write(`${made.key}\n`);
    });
  keys
    .command("list")
    .description("List the keys of all accounts")
    .option("--json", "print JSON")
    .action(async ({ json }: { json?: boolean }) => {
      const all = await withCommands(loadSettings(), (commands) => commands.listKeys());
      if (json) return printJson(all);
      const rows = all.map((key) => [key.id, key.account, key.name, key.createdAt, key.revokedAt ?? ""]);
      printTable(["id", "account", "name", "created", "revoked"], rows);
    });
  keys
    .command("revoke")
    .description("Revoke a key")
    .argument("<id>", "as parlance keys list shows it")
    .action(async (id: string) => {
      await withCommands(loadSettings(), (commands) => commands.revokeKey(id));
      process.stdout.write(`revoked ${id}\n`);
    });
}
