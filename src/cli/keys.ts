// parlance keys: account keys, made, listed and revoked. A key is shown once, when it is made.
import { parseArgs } from "node:util";
import { withCommands } from "../administration/connect.ts";
import { loadSettings } from "../config/load.ts";
import { DEFAULT_ACCOUNT } from "../storage/db/accounts.ts";
import { type Command, usageError } from "./command.ts";
import { printTable } from "./table.ts";

export const keysCommand: Command = {
  name: "keys",
  synopsis: "keys create [--account NAME] [--name TEXT] | keys list | keys revoke ID",
  summary: "Make, list and revoke account keys, whether the service runs or not.",
  async run(args) {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: { account: { type: "string", default: DEFAULT_ACCOUNT }, name: { type: "string", default: "" } },
    });
    const [action, id, ...more] = positionals;
    const takesId = action === "revoke";
    if (more.length > 0 || takesId !== (id !== undefined)) throw usageError(`usage: parlance ${this.synopsis}`);
    await withCommands(loadSettings(), async (commands) => {
      switch (action) {
        case "create": {
          const { key } = await commands.createKey(values.account, values.name);
          process.stdout.write(`${key}\n`);
          break;
        }
        case "list":
          printTable(
            ["id", "account", "name", "created", "revoked"],
            (await commands.listKeys()).map((key) => [
              key.id,
              key.account,
              key.name,
              key.createdAt,
              key.revokedAt ?? "",
            ]),
          );
          break;
        case "revoke":
          await commands.revokeKey(id ?? "");
          process.stdout.write(`revoked ${id}\n`);
          break;
        default:
          throw usageError(`usage: parlance ${this.synopsis}`);
      }
    });
  },
};
