// The command line: one file a command. Ends with 0 when all went well, 1 when something failed, 2 when the call cannot be
// understood.
import { Command, CommanderError } from "commander";
import { ParlanceError, shortageError, withDetail } from "../errors.ts";
import { packageVersion } from "../process/package-version.ts";
import { asUnreadModule } from "./unread-module.ts";
import { UsageError } from "./usage-error.ts";

type AddCommand = (program: Command) => void;

/** In the order of the help. Only the command that is called is read. */
const COMMANDS: Readonly<Record<string, () => Promise<AddCommand>>> = {
  serve: async () => (await import("./serve.ts")).addServe,
  transcribe: async () => (await import("./transcribe.ts")).addTranscribe,
  live: async () => (await import("./live.ts")).addLive,
  jobs: async () => (await import("./jobs.ts")).addJobs,
  models: async () => (await import("./models.ts")).addModels,
  keys: async () => (await import("./keys.ts")).addKeys,
  accounts: async () => (await import("./accounts.ts")).addAccounts,
  export: async () => (await import("./transfer.ts")).addTransfer,
  import: async () => (await import("./transfer.ts")).addTransfer,
  backup: async () => (await import("./backup.ts")).addBackup,
  restore: async () => (await import("./backup.ts")).addBackup,
  store: async () => (await import("./store.ts")).addStore,
  doctor: async () => (await import("./doctor.ts")).addDoctor,
};

const FAILED = 1;
const NOT_UNDERSTOOD = 2;

async function addAll(program: Command): Promise<void> {
  const adding = await Promise.all(Object.values(COMMANDS).map((command) => command()));
  for (const add of new Set(adding)) add(program);
  const { default: completion } = await import("@bomb.sh/tab/commander");
  completion(program);
}

function textOf(error: unknown): string | undefined {
  if (error instanceof ParlanceError) return withDetail(error.message, error.detail);
  if (error instanceof UsageError) return error.message;
  const shortage = shortageError(error) ?? asUnreadModule(error);
  if (shortage) return shortage.message;
  if (error instanceof Error) return error.stack;
  // The embedded database throws objects of its own.
  return typeof error === "object" ? JSON.stringify(error) : String(error);
}

async function main(): Promise<void> {
  const program = new Command("parlance")
    .description("A speech transcription service that you run yourself.")
    .version(await packageVersion())
    .showHelpAfterError("(--help tells more)")
    .exitOverride();
  const called = COMMANDS[process.argv[2] ?? ""];
  if (called) (await called())(program);
  else await addAll(program);
  await program.parseAsync();
}

// A command ends when its reader has closed the pipe, as `parlance jobs | head` does. The service runs on.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (process.argv[2] === "serve") return;
  if (error.code !== "EPIPE") throw error;
  process.exit();
});

try {
  await main();
} catch (error) {
  if (error instanceof CommanderError) {
    // Commander has told it.
    process.exitCode = error.exitCode === 0 ? 0 : NOT_UNDERSTOOD;
  } else {
    process.stderr.write(`parlance: ${textOf(error)}\n`);
    process.exit(error instanceof UsageError ? NOT_UNDERSTOOD : FAILED);
  }
}
