// The library of voices of an account: people, samples of their voices, and the person of each speaker of its jobs. Names and voice prints are
// biometric data: they are stored only while the operator's key is set, sealed with it, and only for accounts that turned the library on.
// All state is in the database, which the processes of a deployment share.

import type { SpeakerIdentity } from "../../contract/transcript/transcript.ts";
import { errors } from "../../platform/errors.ts";
import { lockAccount } from "../../platform/storage/db/accounts/accounts.ts";
import type { Database } from "../../platform/storage/db/database.ts";
import type { DatabaseTime } from "../../platform/storage/db/database-time.ts";
import { type Hold, lockHeldJob } from "../../platform/storage/db/jobs/held-jobs.ts";
import { withoutAccents } from "../../platform/storage/db/jobs/searchable-words.ts";
import { inTransaction } from "../../platform/storage/db/transaction.ts";
import {
  addJobVoice,
  clearJobVoices,
  deleteVoice,
  deleteVoices,
  insertSample,
  insertVoice,
  jobVoices,
  libraryOnSince,
  lockJob,
  moveVoice,
  sampleRows,
  setJobVoice,
  setLibrary,
  setVoiceName,
  voiceRows,
} from "../../platform/storage/db/voices.ts";
import type { EnrolledVoice } from "../../speech/speakers/enrolment.ts";
import type { KnownPerson, VoiceMatch } from "../../speech/speakers/known-voices.ts";
import { packFloats, unpackFloats } from "../../speech/speakers/packed-floats.ts";
import { foldedName } from "./folded-name.ts";
import type { VoiceSeals } from "./voice-seals.ts";

/** People of one account. */
const MOST_VOICES = 1_000;
/** Samples of one person. */
export const MOST_SAMPLES = 20;

export interface Voice {
  id: string;
  name: string;
  createdAt: Date;
  samples: VoiceSample[];
}

export interface VoiceSample {
  id: string;
  createdAt: Date;
  /** Seconds of speech. */
  seconds: number;
  /** Id of the speaker model. */
  model: string;
  /** Of unit length. */
  print: Float32Array;
}

/** A voice with the model that computed it. */
export interface ModelVoice extends EnrolledVoice {
  model: string;
}

export interface VoiceLibraryOptions {
  database: Database;
  seals: VoiceSeals;
  newId(): string;
  now(): DatabaseTime;
}

export class VoiceLibrary {
  constructor(private readonly options: VoiceLibraryOptions) {}

  async isOn(accountId: string): Promise<boolean> {
    return (await libraryOnSince(this.options.database, accountId)) !== undefined;
  }

  /** @throws voices.no_key if the operator set no key */
  async turnOn(accountId: string): Promise<void> {
    if (!this.options.seals.hasKey) throw errors.voicesNeedKey();
    if (!(await this.isOn(accountId))) await setLibrary(this.options.database, accountId, this.options.now());
  }

  /** Turns the library off and deletes every voice of the account, with its names in results. */
  async turnOff(accountId: string): Promise<void> {
    await inTransaction(this.options.database, async (transaction) => {
      await lockAccount(transaction, accountId);
      await deleteVoices(transaction, accountId);
      await setLibrary(transaction, accountId, null);
    });
  }

  /** @throws voices.off, voices.no_key */
  async requireOn(accountId: string): Promise<void> {
    if (!(await this.isOn(accountId))) throw errors.voicesOff();
    if (!this.options.seals.hasKey) throw errors.voicesNeedKey();
  }

  /** Number of people; works without the key. */
  async count(accountId: string): Promise<number> {
    return (await voiceRows(this.options.database, accountId)).length;
  }

  /** All people of an account, oldest first. @throws voices.locked if they were sealed with another key */
  list(accountId: string): Promise<Voice[]> {
    return this.read(this.options.database, accountId);
  }

  /**
   * Adds a person or a sample, and links a speaker of a job to the person, in one transaction.
   * @param person  name of a new person, or id of an existing one
   * @param ofJob  the speaker of a job of this account whose voice this is
   * @returns the person's id
   * @throws voices.off if the library was turned off meanwhile; request.not_found if the job or the person was deleted meanwhile;
   *   voices.name_taken, limit.voices, voices.locked
   */
  async enrol(
    accountId: string,
    person: { name: string } | { id: string },
    { print, seconds, model }: ModelVoice,
    ofJob?: { id: string; speaker: number },
  ): Promise<string> {
    const { newId, now, seals } = this.options;
    const id = "id" in person ? person.id : newId();
    await this.change(accountId, async (transaction, voices) => {
      if ((await libraryOnSince(transaction, accountId)) === undefined) throw errors.voicesOff();
      if ("name" in person) {
        if (voices.length >= MOST_VOICES) throw errors.tooManyVoices(MOST_VOICES);
        refuseTaken(voices, person.name);
        await insertVoice(transaction, { id, account_id: accountId, created_at: now(), name: seals.seal(person.name) });
      } else if (voiceAmong(voices, id).samples.length >= MOST_SAMPLES) throw errors.tooManyVoiceSamples(MOST_SAMPLES);
      const sealed = seals.seal(packFloats(print));
      await insertSample(transaction, { id: newId(), voice_id: id, created_at: now(), seconds, model, print: sealed });
      if (!ofJob) return;
      if (!(await lockJob(transaction, accountId, ofJob.id))) throw errors.notFound("Job");
      await setJobVoice(transaction, { job_id: ofJob.id, speaker: ofJob.speaker, voice_id: id, confidence: 1 });
    });
    return id;
  }

  /** The new name also appears in the results of jobs. @throws request.not_found, voices.name_taken, voices.locked */
  async rename(accountId: string, id: string, name: string): Promise<void> {
    await this.change(accountId, async (transaction, voices) => {
      voiceAmong(voices, id);
      refuseTaken(
        voices.filter((voice) => voice.id !== id),
        name,
      );
      await setVoiceName(transaction, id, this.options.seals.seal(name));
    });
  }

  /** Moves the samples and the names in results of `other` to `id`, and deletes `other`. @throws request.not_found, limit.voices */
  async merge(accountId: string, id: string, other: string): Promise<void> {
    await this.change(accountId, async (transaction, voices) => {
      const samples = voiceAmong(voices, id).samples.length + voiceAmong(voices, other).samples.length;
      if (samples > MOST_SAMPLES) throw errors.tooManyVoiceSamples(MOST_SAMPLES);
      await moveVoice(transaction, other, id);
      await deleteVoice(transaction, accountId, other);
    });
  }

  /** Deletes a person with all samples, and the name in the results of all jobs. Works without the key. @throws request.not_found */
  async remove(accountId: string, id: string): Promise<void> {
    if (!(await deleteVoice(this.options.database, accountId, id))) throw errors.notFound("Voice");
  }

  /**
   * The people whose voices were computed by a model, for `matchVoice`.
   * @returns an empty list if the library is off
   * @throws voices.locked
   */
  async people(accountId: string, model: string): Promise<KnownPerson[]> {
    if (!(await this.isOn(accountId))) return [];
    return (await this.list(accountId)).flatMap(({ id, name, samples }) => {
      const own = samples.filter((sample) => sample.model === model);
      if (own.length === 0) return [];
      return [{ id, name, prints: own.map(({ print }) => print), seconds: own.map(({ seconds }) => seconds) }];
    });
  }

  /**
   * Stores the person of each speaker of a job. A later call replaces the matches of an earlier one; speakers that a user named stay.
   */
  async identify(accountId: string, job: string | Hold, matches: readonly VoiceMatch[]): Promise<void> {
    const jobId = typeof job === "string" ? job : job.id;
    await inTransaction(this.options.database, async (transaction) => {
      await lockAccount(transaction, accountId);
      // The job may have been deleted meanwhile, or another attempt may hold it.
      const isOurs = typeof job === "string" ? lockJob(transaction, accountId, jobId) : lockHeldJob(transaction, job);
      if (!(await isOurs)) return;
      await clearJobVoices(transaction, jobId);
      const existing = new Set((await voiceRows(transaction, accountId)).map(({ id }) => id));
      for (const { speaker, id, confidence } of matches) {
        // A person may have been deleted meanwhile.
        if (existing.has(id)) await addJobVoice(transaction, { job_id: jobId, speaker, voice_id: id, confidence });
      }
    });
  }

  /** Names of the speakers of a job, in order of their numbers. Names that cannot be opened are left out. */
  async namesOf(jobId: string): Promise<SpeakerIdentity[]> {
    return (await this.namesOfJobs([jobId])).get(jobId) ?? [];
  }

  /** The same of several jobs; jobs without names are left out. */
  async namesOfJobs(jobIds: readonly string[]): Promise<Map<string, SpeakerIdentity[]>> {
    const names = new Map<string, SpeakerIdentity[]>();
    if (jobIds.length === 0) return names;
    for (const { job_id, speaker, voice_id, confidence, name: sealed } of await jobVoices(
      this.options.database,
      jobIds,
    )) {
      const name = this.options.seals.open(sealed);
      if (name === undefined) continue;
      const ofJob = names.get(job_id) ?? [];
      ofJob.push({ speaker, name, confidence: Math.round(confidence * 1000) / 1000, voice_id });
      names.set(job_id, ofJob);
    }
    return names;
  }

  /**
   * Ids of the people whose names a search contains: each of its words must begin a word of the name. The database cannot search sealed names.
   * @returns none for a search with operators
   */
  async idsNamed(accountId: string, search: string): Promise<string[]> {
    if (/"|(^|\s)-|\sor\s/i.test(search) || !(await this.isOn(accountId))) return [];
    const wanted = nameWords(search);
    if (wanted.length === 0) return [];
    return (await voiceRows(this.options.database, accountId)).flatMap(({ id, name: sealed }) => {
      const words = nameWords(this.options.seals.open(sealed) ?? "");
      return wanted.every((beginning) => words.some((word) => word.startsWith(beginning))) ? [id] : [];
    });
  }

  private async change(
    accountId: string,
    work: (transaction: Database, voices: readonly Voice[]) => Promise<void>,
  ): Promise<void> {
    await inTransaction(this.options.database, async (transaction) => {
      await lockAccount(transaction, accountId);
      await work(transaction, await this.read(transaction, accountId));
    });
  }

  private async read(database: Database, accountId: string): Promise<Voice[]> {
    const { seals } = this.options;
    const opened = (stored: string) => {
      const text = seals.open(stored);
      if (text === undefined) throw errors.voicesLocked();
      return text;
    };
    const voices = (await voiceRows(database, accountId)).map(
      ({ id, created_at, name }): Voice => ({ id, name: opened(name), createdAt: created_at, samples: [] }),
    );
    const byId = new Map(voices.map((voice) => [voice.id, voice]));
    for (const { id, voice_id, created_at, seconds, model, print } of await sampleRows(database, accountId)) {
      byId
        .get(voice_id)
        ?.samples.push({ id, createdAt: created_at, seconds, model, print: unpackFloats([opened(print)]) });
    }
    return voices;
  }
}

const nameWords = (text: string) => withoutAccents(foldedName(text)).match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];

function voiceAmong(voices: readonly Voice[], id: string): Voice {
  const voice = voices.find((one) => one.id === id);
  if (!voice) throw errors.notFound("Voice");
  return voice;
}

function refuseTaken(voices: readonly Voice[], name: string): void {
  if (voices.some((voice) => foldedName(voice.name) === foldedName(name))) throw errors.voiceNameTaken(name);
}
