// The command line: one file a command.
import { packageVersion } from "../compose.ts";
import { ParlanceError } from "../errors.ts";
import { accountsCommand } from "./accounts.ts";
import type { Command } from "./command.ts";
import { keysCommand } from "./keys.ts";
import { modelsCommand } from "./models.ts";
import { serveCommand } from "./serve.ts";
import { transcribeCommand } from "./transcribe.ts";

const COMMANDS: readonly Command[] = [serveCommand, transcribeCommand, modelsCommand, keysCommand, accountsCommand];

const usage = () =>
  [
    "Usage: parlance COMMAND [OPTIONS]",
    "",
    ...COMMANDS.map(({ synopsis, summary }) => `  ${synopsis}\n      ${summary}`),
    "",
  ].join("\n");

async function main(): Promise<void> {
  const [name, ...rest] = process.argv.slice(2);
  if (name === "--version") {
    process.stdout.write(`${await packageVersion()}\n`);
    return;
  }
  const command = COMMANDS.find((candidate) => candidate.name === name);
  if (!command) {
    const isHelp = name === undefined || name === "--help" || name === "help";
    (isHelp ? process.stdout : process.stderr).write(
      isHelp ? usage() : `parlance: unknown command ${name}\n\n${usage()}`,
    );
    process.exitCode = isHelp ? 0 : 2;
    return;
  }
  await command.run(rest);
}

try {
  await main();
} catch (error) {
  const isOurs = error instanceof ParlanceError || (error as { isUsage?: boolean }).isUsage === true;
  const text = isOurs ? (error as Error).message : error instanceof Error ? error.stack : String(error);
  process.stderr.write(`parlance: ${text}\n`);
  process.exit(1);
}
