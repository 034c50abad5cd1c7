// parlance keys: creates, lists and revokes account keys: those of every account in the database of this installation, or with
// --server those of the caller's account.

import type { Command } from "commander";
import type { Keys, MadeKey } from "../contract/account.ts";
import { askService } from "../platform/net/service-request.ts";
import { DEFAULT_ACCOUNT } from "../platform/storage/db/accounts/accounts.ts";
import { withAccountCommands } from "./account-commands.ts";
import { type ServiceOptions, serviceOf } from "./service-options.ts";
import { printJson, printTable } from "./table.ts";
import { UsageError } from "./usage-error.ts";

interface KeyOptions extends ServiceOptions {
  json?: boolean;
}

const PATH = "/v2/account/keys";
/** A service takes no empty name. */
const UNNAMED = "command line";
const parsed = (content: Buffer): unknown => JSON.parse(content.toString());

const addServer = (command: Command) =>
  command
    .option("--server <address>", "manage the keys of your account on this service; default: this installation")
    .option("--key <key>", "account key for --server; default: that of parlance login, else PARLANCE_API_KEY");

async function create(options: KeyOptions & { account?: string; name: string }): Promise<void> {
  const { account, name, json, server } = options;
  if (server !== undefined) {
    if (account !== undefined) throw new UsageError("--account and --server exclude each other");
    const made = parsed(await askService(serviceOf(options), "POST", PATH, { name: name || UNNAMED })) as MadeKey;
    return json ? printJson(made) : void process.stdout.write(`${made.key}\n`);
  }
  const made = await withAccountCommands((commands) => commands.createKey(account ?? DEFAULT_ACCOUNT, name), {
    mayCreateDatabase: true,
  });
  if (json) printJson(made);
  else process.stdout.write(`${made.key}\n`);
}

async function list(options: KeyOptions): Promise<void> {
  const { json, server } = options;
  if (server !== undefined) {
    const { items } = parsed(await askService(serviceOf(options), "GET", PATH)) as Keys;
    if (json) return printJson(items);
    return printTable(
      ["id", "name", "created"],
      items.map(({ id, name, created_at }) => [id, name, created_at]),
    );
  }
  const all = await withAccountCommands((commands) => commands.listKeys());
  if (json) return printJson(all);
  const rows = all.map((key) => [key.id, key.account, key.name, key.createdAt, key.revokedAt ?? ""]);
  printTable(["id", "account", "name", "created", "revoked"], rows);
}

async function revoke(id: string, options: ServiceOptions): Promise<void> {
  if (options.server !== undefined) {
    await askService(serviceOf(options), "DELETE", `${PATH}/${encodeURIComponent(id)}`);
  } else await withAccountCommands((commands) => commands.revokeKey(id));
  process.stdout.write(`revoked ${id}\n`);
}

export function addKeys(program: Command): void {
  const keys = program.command("keys").description("Create, list and revoke account keys");
  addServer(keys.command("create"))
    .description("Create a key and print it, this once")
    .option("--account <name>", `whose key it is; default: ${DEFAULT_ACCOUNT}`)
    .option("--name <text>", "purpose of the key, shown in the list", "")
    .option("--json", "print JSON")
    .action(create);
  addServer(keys.command("list"))
    .description("List the keys of all accounts, or with --server those of your account")
    .option("--json", "print JSON")
    .action(list);
  addServer(keys.command("revoke"))
    .description("Revoke a key")
    .argument("<id>", "id of the key, from parlance keys list")
    .action(revoke);
}
