// One structured logger for the process. Fields that could carry secrets are cut out wherever they appear.
import { type Logger, pino } from "pino";

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

export function createLogger(level: string): Logger {
  return pino({
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    redact: { paths: SECRETS, remove: true },
  });
}
