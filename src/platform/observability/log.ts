// The structured logger of the process. Fields that may contain secrets are removed wherever they appear.
import { type Logger, pino, stdTimeFunctions } from "pino";
import { BoundedOutput } from "./bounded-output.ts";
import { standardOutputSink } from "./sinks.ts";

const SECRETS = [
  "key",
  "apiKey",
  "token",
  "authorization",
  "*.key",
  "*.apiKey",
  "*.token",
  "*.authorization",
  "headers",
];
/** Longest wait for a slow reader at the end of the process. */
const FLUSH_MILLISECONDS = 1_000;

const droppedLine = (lines: number) =>
  `{"level":"warn"${stdTimeFunctions.isoTime()},"lines":${lines},"msg":"${lines} log lines were dropped"}\n`;

let output: BoundedOutput | undefined;

/** Shared output of the process: there is one standard output. */
function serviceOutput(): BoundedOutput {
  output ??= new BoundedOutput(standardOutputSink(), droppedLine);
  return output;
}

/** Log lines dropped since the start. */
export const droppedLogLines = (): number => output?.droppedLines ?? 0;

/** Resolves when the log is written as far as possible, within a second. */
export async function flushLog(): Promise<void> {
  await output?.flush(FLUSH_MILLISECONDS);
}

/**
 * Prints what every start shows, whatever PARLANCE_LOG_LEVEL is: as plain text to a terminal, else as a line of the log, so that
 * programs that collect the log find JSON only.
 */
export function announce(message: string): void {
  const line = process.stdout.isTTY
    ? message
    : `{"level":"info"${stdTimeFunctions.isoTime()},"msg":${JSON.stringify(message)}}`;
  serviceOutput().write(`${line}\n`);
}

export function createLogger(level: string): Logger {
  return pino(
    {
      level,
      base: null,
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths: SECRETS, remove: true },
    },
    serviceOutput(),
  );
}

/**
 * Writes uncaught errors, and warnings of Node and its libraries, to the log. Node would print them to standard error,
 * which blocks the process if its reader stalls.
 */
export function logProcessEvents(logger: Logger): void {
  process.on("uncaughtException", (error) => {
    logger.fatal({ err: error }, "uncaught error");
    void flushLog().then(() => process.exit(1));
  });
  process.removeAllListeners("warning");
  process.on("warning", ({ name, message }) => logger.warn({ warning: name }, message));
}
