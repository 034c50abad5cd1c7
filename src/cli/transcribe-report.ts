// What `parlance transcribe` prints for each recording, and for files that it does not transcribe.

import { firstOf } from "../contract/first-of.ts";
import type { TranscriptionResult } from "../contract/transcript/transcript.ts";
import { FetchAddress } from "../platform/addresses/fetch-address.ts";
import { isAddress } from "../platform/addresses/web-url.ts";
import { failedAddons, translationWarnings } from "../service/transcripts/answer-parts.ts";
import type { LeftOut } from "./recordings-in.ts";

export interface Outcome {
  source: string;
  files?: string[];
  text?: string;
  /** As warningsOf. */
  warnings?: string[];
  error?: string;
}

interface ReportOptions {
  json?: boolean;
  quiet?: boolean;
}

/** Options by the add-on that does what they request. */
const OPTIONS = {
  custom_vocabulary: "--vocabulary",
  diarization: "--speakers",
  filler_words: "--fillers",
  profanity_filter: "--mask-profanity",
};

/** What of the recording could not be used, and which options had no effect. */
export const warningsOf = (result: TranscriptionResult): string[] => [
  ...(result.metadata.warnings ?? []),
  ...failedAddons(result, OPTIONS).map(({ name, message }) => `${name} has no effect: ${message}`),
  ...translationWarnings(result),
];

/** A source as it is printed: an address without its user name and password. */
export const shownSource = (source: string) => (isAddress(source) ? FetchAddress.of(source).shown : source);

export function report(given: Outcome, { json, quiet }: ReportOptions): void {
  const outcome = { ...given, source: shownSource(given.source) };
  if (json) process.stdout.write(`${JSON.stringify(outcome)}\n`);
  else if (outcome.error !== undefined) process.stderr.write(`parlance: ${outcome.source}: ${outcome.error}\n`);
  else if (!quiet) for (const file of outcome.files ?? []) process.stdout.write(`${file}\n`);
}

/** Every output file exists. The age of a recording at an address is not known. */
export function reportNoWork(sources: readonly string[]): void {
  const newer = sources.every(isAddress) ? "" : " and is newer than its recording";
  process.stderr.write(
    `Nothing to do: every output file exists${newer}. --force transcribes again and replaces them.\n`,
  );
}

/** Number of other files in a folder that are named. */
const MOST_NAMED = 20;

/** Names what is not transcribed. @returns whether a recording may be among it */
export function reportLeftOut(leftOut: readonly LeftOut[], options: ReportOptions): boolean {
  const failures = leftOut.filter(({ isFailure }) => isFailure);
  for (const { file, reason } of failures) report({ source: file, error: reason }, options);
  const others = leftOut.filter(({ isFailure }) => !isFailure);
  if (!options.quiet) {
    const { first, rest } = firstOf(others, MOST_NAMED);
    for (const { file, reason } of first) {
      process.stderr.write(`parlance: ${file} is left out: ${reason}\n`);
    }
    if (rest > 0) process.stderr.write(`parlance: ${rest} more files are left out\n`);
  }
  return failures.length > 0;
}
