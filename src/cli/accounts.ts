// parlance accounts: creates, lists and deletes accounts, and sets their limits.

import { createInterface } from "node:readline/promises";
import type { Command } from "commander";
import { PARLANCE } from "../platform/command-prefix.ts";
import { LIMITS } from "../platform/storage/db/accounts/accounts.ts";
import type { AccountLimitColumns } from "../platform/storage/db/schema.ts";
import { withAccountCommands } from "./account-commands.ts";
import { printJson, printTable } from "./table.ts";
import { answerTo } from "./terminal-prompt.ts";
import { UsageError } from "./usage-error.ts";

/** concurrent_jobs → concurrent-jobs */
const optionOf = (limit: string) => limit.replaceAll("_", "-");
/** concurrent_jobs → concurrentJobs, as the parser names it */
const fieldOf = (limit: string) => limit.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
const FRACTIONAL = "requests_per_second";

function limitValue(limit: string, text: string): number | null {
  if (text === "default") return null;
  const value = Number(text);
  const isFractional = limit === FRACTIONAL;
  if (text.trim() === "" || !Number.isFinite(value) || value < 0 || (!isFractional && !Number.isInteger(value))) {
    const kind = isFractional ? "a" : "a whole";
    throw new UsageError(`--${optionOf(limit)} must be ${kind} number from 0, or default; it is ${text}`);
  }
  return value;
}

/** @throws UsageError unless the name is typed once more */
async function confirmDeletion(name: string): Promise<void> {
  if (!process.stdin.isTTY) throw new UsageError(`this deletes everything that ${name} has; add --yes to do so`);
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  try {
    const question = `This deletes everything that ${name} has. Type its name to do so: `;
    if ((await answerTo(terminal, question)) !== name)
      throw new UsageError(`${name} was not deleted: the name was not typed`);
  } finally {
    terminal.close();
  }
}

export function addAccounts(program: Command): void {
  const accounts = program
    .command("accounts")
    .description("Create, list and delete accounts and set their limits, on the machine of the service");
  accounts
    .command("create")
    .description("Make an account")
    .argument("<name>")
    .action(async (name: string) => {
      await withAccountCommands((commands) => commands.createAccount(name), { mayCreateDatabase: true });
      process.stdout.write(
        `Created the account ${name}. Create a key for it with: ${PARLANCE} keys create --account ${name}\n`,
      );
    });
  accounts
    .command("list")
    .description("List accounts with their limits")
    .option("--json", "print JSON")
    .action(async ({ json }: { json?: boolean }) => {
      const all = await withAccountCommands((commands) => commands.listAccounts());
      if (json) return printJson(all);
      const rows = all.map((account) => [
        account.deleting_at ? `${account.name} (being deleted)` : account.name,
        ...LIMITS.map((limit) => String(account[limit] ?? "default")),
      ]);
      printTable(["account", ...LIMITS.map(optionOf)], rows);
    });
  accounts
    .command("delete")
    .description("Delete an account with everything it has: keys, jobs, recordings, results")
    .argument("<name>")
    .option("--yes", "do not ask")
    .action(async (name: string, { yes }: { yes?: boolean }) => {
      if (!yes) await confirmDeletion(name);
      await withAccountCommands((commands) => commands.deleteAccount(name));
      process.stdout.write(
        `${name}: its keys are revoked. The service removes its data, at its next start if it does not run; ` +
          `${PARLANCE} accounts list shows the account until nothing is left.\n`,
      );
    });
  const limit = accounts
    .command("limit")
    .description("Set limits of an account; 'default' restores the limit of the settings, 0 is no limit")
    .argument("<name>");
  for (const name of LIMITS) limit.option(`--${optionOf(name)} <n>`);
  limit.action(async (name: string, values: Record<string, string | undefined>) => {
    const given = LIMITS.filter((one) => values[fieldOf(one)] !== undefined);
    if (given.length === 0)
      throw new UsageError(`name a limit: ${LIMITS.map((one) => `--${optionOf(one)}`).join(", ")}`);
    const limits = Object.fromEntries(given.map((one) => [one, limitValue(one, values[fieldOf(one)] ?? "")]));
    await withAccountCommands((commands) => commands.limitAccount(name, limits as Partial<AccountLimitColumns>));
    process.stdout.write(`${name}: ${given.map((one) => `${optionOf(one)} ${limits[one] ?? "default"}`).join(", ")}\n`);
  });
}
