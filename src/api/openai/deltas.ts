// Text of a job that will not change, while it runs: the stretches of speech from the beginning on that are done,
// but for the last, whose full stop depends on what follows.
import { readFile } from "node:fs/promises";
import type { ChannelSegments } from "../../jobs/stages/stage.ts";
import { recognizedKey, segmentsKey } from "../../jobs/stages/stage.ts";
import { isDoubtful } from "../../recognition/english-evidence.ts";
import { parseJsonLines } from "../../storage/json-lines.ts";
import type { ObjectStore } from "../../storage/objects/object-store.ts";
import { type RecognizedSegment, utterancesOf, type Writing } from "../../transcripts/recognized-segments.ts";

const nameOf = (channel: number, startSample: number) => `${channel}:${startSample}`;

/** @param writing  as the finished transcript is written @returns none while there is none, or where the job runs on another machine */
export async function settledTexts(objects: ObjectStore, jobId: string, writing: Writing): Promise<string[]> {
  const read = async (key: string) => readFile(await objects.localPath(key), "utf8").catch(() => undefined);
  const [plan, lines] = await Promise.all([read(segmentsKey(jobId)), read(recognizedKey(jobId))]);
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
