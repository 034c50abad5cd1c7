// The same diarization errors by pyannote.metrics, where Python has it: a check of our own counting.
import { execFile } from "node:child_process";
import type { SpeakerSpan } from "./diarization-error.ts";

/** @returns undefined if Python, or its package, is missing */
export function pyannoteErrors(
  references: readonly (readonly SpeakerSpan[])[],
  found: readonly (readonly SpeakerSpan[])[],
): Promise<Record<string, number> | undefined> {
  return new Promise((resolve) => {
    const python = process.env["PYTHON"] ?? "python3";
    const child = execFile(python, ["bench/pyannote-metrics.py"], (error, output) => {
      resolve(error ? undefined : (JSON.parse(output) as Record<string, number>));
    });
    child.on("error", () => resolve(undefined));
    child.stdin?.on("error", () => undefined);
    child.stdin?.end(JSON.stringify(references.map((reference, at) => ({ reference, found: found[at] ?? [] }))));
  });
}
