// The command line: one file a command. Exit code 0: success; 1: something failed; 2: the command or a request is invalid.
import { Command, CommanderError } from "commander";
import { ParlanceError, reasonOf, shortageError, withDetail } from "../platform/errors.ts";
import { packageVersion } from "../platform/process/package-version.ts";
import { PRIVATE_UMASK } from "../platform/process/private-umask.ts";
import { statusWithoutReader } from "./closed-reader.ts";
import { guardTerminal } from "./terminal-text.ts";
import { asUnreadModule } from "./unread-module.ts";
import { UsageError } from "./usage-error.ts";

type AddCommand = (program: Command) => void;

/** In the order of the help. Only the module of the command that is called is imported. */
const COMMANDS: Readonly<Record<string, () => Promise<AddCommand>>> = {
  serve: async () => (await import("./serve.ts")).addServe,
  transcribe: async () => (await import("./transcribe.ts")).addTranscribe,
  live: async () => (await import("./live.ts")).addLive,
  mcp: async () => (await import("./mcp.ts")).addMcp,
  login: async () => (await import("./login.ts")).addLogin,
  logout: async () => (await import("./login.ts")).addLogin,
  jobs: async () => (await import("./jobs.ts")).addJobs,
  models: async () => (await import("./models.ts")).addModels,
  voices: async () => (await import("./voices.ts")).addVoices,
  keys: async () => (await import("./keys.ts")).addKeys,
  accounts: async () => (await import("./accounts.ts")).addAccounts,
  export: async () => (await import("./transfer.ts")).addTransfer,
  import: async () => (await import("./transfer.ts")).addTransfer,
  backup: async () => (await import("./backup.ts")).addBackup,
  restore: async () => (await import("./backup.ts")).addBackup,
  store: async () => (await import("./store.ts")).addStore,
  doctor: async () => (await import("./doctor.ts")).addDoctor,
};

/** Beside `serve`, these open the storage of the service: what they write is for their user alone. */
const WITH_STORAGE: ReadonlySet<string> = new Set([
  "keys",
  "accounts",
  "export",
  "import",
  "backup",
  "restore",
  "store",
  "doctor",
]);

const FAILED = 1;
const NOT_UNDERSTOOD = 2;

async function addAll(program: Command): Promise<void> {
  const adding = await Promise.all(Object.values(COMMANDS).map((command) => command()));
  for (const add of new Set(adding)) add(program);
  const { default: completion } = await import("@bomb.sh/tab/commander");
  completion(program);
}

function textOf(error: unknown): string | undefined {
  if (error instanceof ParlanceError) {
    return withDetail(reasonOf(error), error.detail);
  }
  if (error instanceof UsageError) return error.message;
  const shortage = shortageError(error) ?? asUnreadModule(error);
  if (shortage) return shortage.message;
  const system = systemProblem(error);
  if (system !== undefined) return system;
  if (error instanceof Error) return error.stack;
  // The embedded database throws objects that are not instances of Error.
  return typeof error === "object" ? JSON.stringify(error) : String(error);
}

/** Advice for errors of the operating system, by their code. */
const SYSTEM_ADVICE: Readonly<Record<string, string>> = {
  EACCES: "there is no permission",
  EPERM: "there is no permission",
  EROFS: "the file system is read-only",
  ENOENT: "there is no such file or folder",
  ENOTDIR: "a part of the path is not a folder",
  EISDIR: "it is a folder",
  EEXIST: "it exists already",
  EADDRINUSE: "another program uses the address",
  EADDRNOTAVAIL: "this machine does not have the address",
  ECONNREFUSED: "nothing answers there",
  ENOTFOUND: "there is no such host",
  ELOOP: "there are too many symbolic links",
  ENAMETOOLONG: "the name is too long",
};

/** @returns one sentence for an error of the operating system; undefined for other errors */
function systemProblem(error: unknown): string | undefined {
  const {
    code = "",
    path,
    address,
    port,
    message,
  } = (error ?? {}) as NodeJS.ErrnoException & {
    address?: string;
    port?: number;
  };
  const advice = SYSTEM_ADVICE[code];
  if (advice === undefined) return undefined;
  const place = path ?? (address === undefined ? undefined : [address, port].filter(Boolean).join(":"));
  return place === undefined ? `${message} (${advice})` : `${place}: ${advice} (${code})`;
}

/** Whether this program or the service refused the command as invalid. */
const isMisuse = (error: unknown) =>
  error instanceof UsageError ||
  (error instanceof ParlanceError && (error.code === "service.refused_request" || error.code === "request.invalid"));

const FOR_LOCAL_COMMANDS =
  "parlance: this command works on the machine of the service only. transcribe, live, jobs, keys, models and doctor take --server.\n";

async function main(): Promise<void> {
  const program = new Command("parlance")
    .description("A speech transcription service that you run yourself.")
    .version(await packageVersion())
    .showHelpAfterError("(--help shows the options)")
    .exitOverride();
  const name = process.argv[2] ?? "";
  if (WITH_STORAGE.has(name)) process.umask(PRIVATE_UMASK);
  const called = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (called) (await called())(program);
  else await addAll(program);
  await program.parseAsync();
}

// The log of the service is also read by programs, and escapes its texts itself.
if (process.argv[2] !== "serve") {
  for (const stream of [process.stdout, process.stderr]) process.once("exit", guardTerminal(stream));
}

// A command ends when its reader has closed the pipe. The service runs on.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (process.argv[2] === "serve") return;
  if (error.code === "EPIPE") process.exit(process.exitCode || statusWithoutReader(process.argv.slice(2)));
  process.stderr.write(`parlance: standard output: ${textOf(error)}\n`);
  process.exit(FAILED);
});
// Without a reader of its messages, a command completes its work.
process.stderr.on("error", () => undefined);

try {
  await main();
} catch (error) {
  if (error instanceof CommanderError) {
    // Commander has printed the message.
    if (error.code === "commander.unknownOption" && error.message.includes("--server")) {
      process.stderr.write(FOR_LOCAL_COMMANDS);
    }
    process.exitCode = error.exitCode === 0 ? 0 : NOT_UNDERSTOOD;
  } else {
    process.stderr.write(`parlance: ${textOf(error)}\n`);
    process.exit(isMisuse(error) ? NOT_UNDERSTOOD : FAILED);
  }
}
