// Faults of a recording as sentences for its owner.
import { firstOf } from "../../../contract/first-of.ts";
import type { FileFaults } from "./audio-file.ts";

/** Shortest difference to the declared duration that counts as truncation: above padding and rounding. */
const TRUNCATED_SECONDS = 0.5;

/** Further skipped parts are only counted. */
const MOST_LISTED_PARTS = 20;

const time = (seconds: number) => `${seconds.toFixed(1)} s`;

function counted(count: number, singular: string, plural: string): string {
  return count === 1 ? `1 ${singular}` : `${count} ${plural}`;
}

/**
 * @param durationSeconds  of the decoded audio, including gaps
 * @param declaredSeconds  duration declared by the container; undefined if it declares none
 */
export function warningsOf(faults: FileFaults, durationSeconds: number, declaredSeconds: number | undefined): string[] {
  const warnings: string[] = [];
  if (declaredSeconds !== undefined && declaredSeconds - durationSeconds > TRUNCATED_SECONDS) {
    warnings.push(
      `The file is truncated: it holds ${time(durationSeconds)} of the ${time(declaredSeconds)} of audio that it declares`,
    );
  }
  if (faults.damagedPackets > 0) {
    warnings.push(`${counted(faults.damagedPackets, "damaged packet was", "damaged packets were")} skipped`);
  }
  if (faults.failedReads > 0) {
    warnings.push(`The file is damaged in ${counted(faults.failedReads, "place", "places")} that could not be read`);
  }
  if (faults.hasUnreadableEnd) {
    warnings.push(`The file is damaged: what follows after ${time(durationSeconds)} could not be read`);
  }
  if (faults.gaps > 0) {
    warnings.push(
      `The file holds no audio for ${time(faults.gapSeconds)} in ${counted(faults.gaps, "place", "places")}, first at ${time(faults.firstGapSeconds)}; it counts as silence`,
    );
  }
  const skipped = firstOf(faults.skippedPartsAtSeconds, MOST_LISTED_PARTS);
  for (const seconds of skipped.first) {
    warnings.push(`A part of the file could not be decoded and was skipped, at ${time(seconds)}`);
  }
  if (skipped.rest > 0) warnings.push(`${counted(skipped.rest, "further part was", "further parts were")} skipped`);
  if (faults.ignoredJumps > 0) {
    warnings.push(
      `The timestamps jump ahead ${counted(faults.ignoredJumps, "time", "times")} by more than the recording can last; the jumps were ignored`,
    );
  }
  if (faults.stepsBack > 0) {
    warnings.push(
      `The timestamps step back ${counted(faults.stepsBack, "time", "times")}; times after that count on from the audio before`,
    );
  }
  if (faults.ignoredFromSeconds !== undefined) {
    warnings.push(`The timestamps contradict each other; from ${time(faults.ignoredFromSeconds)} on they were ignored`);
  }
  return warnings;
}
