// The command line: one file a command. Ends with 0 when all went well, 1 when something failed, 2 when the call cannot be
// understood.
import completion from "@bomb.sh/tab/commander";
import { Command, CommanderError } from "commander";
import { packageVersion } from "../compose.ts";
import { ParlanceError } from "../errors.ts";
import { addAccounts } from "./accounts.ts";
import { addDoctor } from "./doctor.ts";
import { addJobs } from "./jobs.ts";
import { addKeys } from "./keys.ts";
import { addLive } from "./live.ts";
import { addModels } from "./models.ts";
import { addServe } from "./serve.ts";
import { addTranscribe } from "./transcribe.ts";
import { addTransfer } from "./transfer.ts";
import { UsageError } from "./usage-error.ts";

const FAILED = 1;
const NOT_UNDERSTOOD = 2;

async function main(): Promise<void> {
  const program = new Command("parlance")
    .description("A speech transcription service that you run yourself.")
    .version(await packageVersion())
    .showHelpAfterError("(--help tells more)")
    .exitOverride();
  for (const add of [
    addServe,
    addTranscribe,
    addLive,
    addJobs,
    addModels,
    addKeys,
    addAccounts,
    addTransfer,
    addDoctor,
  ]) {
    add(program);
  }
  completion(program);
  await program.parseAsync();
}

// Whoever reads it may have had enough.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
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
    const isOurs = error instanceof ParlanceError || error instanceof UsageError;
    const text = isOurs ? error.message : error instanceof Error ? error.stack : String(error);
    process.stderr.write(`parlance: ${text}\n`);
    process.exit(error instanceof UsageError ? NOT_UNDERSTOOD : FAILED);
  }
}
