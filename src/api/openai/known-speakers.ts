// known_speaker_names and known_speaker_references: who may talk in a recording, with a sound of each. They serve one request: their voices are
// sealed in the row of its job, and deleted when the job ends.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import type { RequestedPerson } from "../../contract/job-parameters.ts";
import { errors, ParlanceError } from "../../platform/errors.ts";
import { decodedBytes, MOST_ENROLMENT_SECONDS } from "../../service/voices/enrolment-audio.ts";
import { foldedName } from "../../service/voices/folded-name.ts";
import type { ApiContext } from "../context.ts";

/** The limit of OpenAI's interface. */
export const MOST_KNOWN_SPEAKERS = 4;
/** A reference has 2 to 10 s there; 10 s of stereo at 48 kHz have 2.6 MB in base64. */
export const MOST_REFERENCE_BYTES = 3_000_000;
const MOST_NAME_CHARACTERS = 100;
/** Least speech of a reference, seconds. */
const LEAST_REFERENCE_SECONDS = 1.2;

export interface KnownSpeaker {
  name: string;
  audio: Buffer;
}

/**
 * `data:audio/wav;base64,…`; parameters of the type may stand between. No two neighbouring parts match white space, so that the time is
 * linear.
 */
const DATA_URL = /^data:(?:[\w.+-]+\/[\w.+-]+)?(?:;[^;,]*)*;base64,([A-Za-z0-9+/_\-\s]+(?:=\s*){0,2})$/;

/** @param problems  receives a sentence for each value that cannot be used */
export function judgeKnownSpeakers(
  names: readonly string[],
  references: readonly string[],
  problems: string[],
): KnownSpeaker[] {
  if (names.length !== references.length) {
    problems.push(
      `known_speaker_references must have a recording for each of known_speaker_names; there are ${names.length} names and ${references.length} recordings`,
    );
    return [];
  }
  if (names.length > MOST_KNOWN_SPEAKERS) {
    problems.push(`known_speaker_names must not have more than ${MOST_KNOWN_SPEAKERS} names; it has ${names.length}`);
    return [];
  }
  const known: KnownSpeaker[] = [];
  for (const [at, given] of names.entries()) {
    const name = given.trim();
    if (name === "" || name.length > MOST_NAME_CHARACTERS) {
      problems.push(`known_speaker_names[${at}] must have 1 to ${MOST_NAME_CHARACTERS} characters`);
      continue;
    }
    const first = known.findIndex((one) => foldedName(one.name) === foldedName(name));
    if (first >= 0) problems.push(`known_speaker_names must be different; [${first}] and [${at}] are the same`);
    const content = DATA_URL.exec(references[at] ?? "")?.[1];
    if (content === undefined) {
      problems.push(`known_speaker_references[${at}] must be a data URL with base64, such as data:audio/wav;base64,…`);
    }
    known.push({ name, audio: Buffer.from(content ?? "", "base64") });
  }
  return known;
}

/** @throws voices.refused naming the speaker; voices.no_model; media errors for a reference that cannot be decoded */
export async function voicesOfSpeakers(
  speakers: readonly KnownSpeaker[],
  tenant: string,
  signal: AbortSignal,
  { enroller, temporaryFolder }: Pick<ApiContext, "enroller" | "temporaryFolder">,
): Promise<RequestedPerson[]> {
  const voices: RequestedPerson[] = [];
  for (const { name, audio } of speakers) {
    const folder = await mkdtemp(path.join(temporaryFolder, "reference-"));
    try {
      const file = path.join(folder, "reference");
      await writeFile(file, audio);
      const bytes = decodedBytes(MOST_ENROLMENT_SECONDS, 1);
      const source = { tenant, path: file, filename: "reference", bytes, signal };
      const { print, seconds } = await enroller.ofRecording(source, LEAST_REFERENCE_SECONDS);
      voices.push({ name, print: [...print], seconds });
    } catch (thrown) {
      if (!(thrown instanceof ParlanceError) || thrown.status >= 500) throw thrown;
      throw errors.invalidParameters([`known_speaker_references of ${name}: ${thrown.message}`]);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }
  return voices;
}
