// The command line's way to the accounts: the database itself where nobody else holds it, the running service where
// it does.
import { readFile } from "node:fs/promises";
import type { Settings } from "../../config/settings.ts";
import { ParlanceError } from "../../errors.ts";
import { postLocally } from "../../net/local-post.ts";
import { openDatabase } from "../../storage/db/database.ts";
import { lockDirectory } from "../../storage/directory-lock.ts";
import { COMMAND_NAMES, type Commands, commandsOn } from "./commands.ts";
import { type AdministrationFile, administrationFile, type CommandCall } from "./server.ts";

function remoteCommands({ port, token }: AdministrationFile): Commands {
  const call = async (body: CommandCall): Promise<unknown> => {
    const { status, text } = await postLocally(port, token, JSON.stringify(body));
    const answer = JSON.parse(text) as { result?: unknown; message?: string };
    if (status !== 200) {
      throw new ParlanceError(answer.message ?? `the service answered ${status}`, {
        code: "administration.failed",
        status,
      });
    }
    return answer.result;
  };
  return Object.fromEntries(
    COMMAND_NAMES.map((command) => [command, (...parameters: unknown[]) => call({ command, parameters })]),
  ) as unknown as Commands;
}

/** Runs `work` with the commands of the service that the settings name, whether it runs or not. */
export async function withCommands<Result>(
  { databaseUrl, dataDirectory }: Pick<Settings, "databaseUrl" | "dataDirectory">,
  work: (commands: Commands) => Promise<Result>,
): Promise<Result> {
  const undo: (() => Promise<unknown>)[] = [];
  try {
    if (databaseUrl === "") {
      try {
        undo.push(await lockDirectory(dataDirectory));
      } catch (error) {
        const found = await readFile(administrationFile(dataDirectory), "utf8").catch(() => undefined);
        if (!found) throw error;
        return await work(remoteCommands(JSON.parse(found) as AdministrationFile));
      }
    }
    const database = await openDatabase(databaseUrl, dataDirectory);
    undo.push(() => database.destroy());
    return await work(commandsOn(database));
  } finally {
    for (const step of undo.reverse()) await step();
  }
}
