// Text of a job that will not change, while it runs: the stretches of speech from the beginning on that are done,
// but for the last, whose full stop depends on what follows.
import { text } from "node:stream/consumers";
import type { JobParameters } from "../../contract/job-parameters.ts";
import { findAttempt } from "../../platform/storage/db/jobs/jobs.ts";
import { parseJsonLines } from "../../platform/storage/json-lines.ts";
import type { ChannelSegments } from "../../service/jobs/stages/stage.ts";
import { WorkFiles } from "../../service/jobs/stages/work-files.ts";
import { type RecognizedSegment, utterancesOf, type Writing } from "../../service/transcripts/recognized-segments.ts";
import { isDoubtful } from "../../speech/recognition/english-evidence.ts";
import { vocabularyOf } from "../../speech/recognition/vocabulary.ts";
import type { ApiContext } from "../context.ts";

/** Whether options of a job change the text after it is complete: no text can be sent before. */
export const changesText = (parameters: JobParameters): boolean =>
  vocabularyOf(parameters).length > 0 || parameters.diarization === true || parameters.translation === true;

const nameOf = (channel: number, startSample: number) => `${channel}:${startSample}`;

/**
 * Reads the files of the job: those of this machine if it runs here, and otherwise the copies that its process stores meanwhile.
 * @param writing  as the finished transcript is written @returns none while there is none
 */
export async function settledTexts(
  { database, objects }: Pick<ApiContext, "database" | "objects">,
  jobId: string,
  writing: Writing,
): Promise<string[]> {
  const read = (key: string) =>
    objects
      .read(key)
      .then(text)
      .catch(() => undefined);
  const row = await findAttempt(database, jobId);
  if (!row) return [];
  const files = WorkFiles.ofRow(row);
  const [plan, lines] = await Promise.all([read(files.segments), read(files.recognized)]);
  if (plan === undefined || lines === undefined) return [];
  const known = new Map(
    parseJsonLines<RecognizedSegment>(lines).map((line) => [nameOf(line.channel, line.segment.startSample), line]),
  );
  const order = (JSON.parse(plan) as ChannelSegments[])
    .flatMap(({ channel, segments }) => segments.map(({ startSample }) => ({ channel, startSample })))
    .sort((left, right) => left.startSample - right.startSample);
  const recognized: RecognizedSegment[] = [];
  for (const { channel, startSample } of order) {
    const line = known.get(nameOf(channel, startSample));
    if (!line) break;
    recognized.push(line);
  }
  // Words that may turn out not to be English are not sent before that is decided.
  if (recognized.every(({ language }) => language === "en") && isDoubtful(recognized.flatMap(({ words }) => words)))
    return [];
  return utterancesOf(recognized, writing)
    .slice(0, -1)
    .map(({ text }) => text);
}
