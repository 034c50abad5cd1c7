// Jobs and their transcripts.
import { ParlanceError } from "./parlance-error.ts";

export const jobErrors = {
  jobNotFinished: (status: string) =>
    new ParlanceError(
      `The job is ${status}; only a job that is done or failed can be deleted. Add ?cancel=true to cancel it first.`,
      { code: "job.not_finished", status: 403 },
    ),
  noTranscript: (status: string) =>
    new ParlanceError(
      status === "done"
        ? "The transcript of this job is gone: it was older than results are kept"
        : `The job is ${status}; there is a transcript once it is done`,
      { code: "job.no_transcript", status: 409, retryable: status === "queued" || status === "processing" },
    ),
  jobFillsDisk: () =>
    new ParlanceError(
      "This recording takes more room on the disk while it is transcribed than is free there: 115 MB an hour and channel. Make room, or send it in parts.",
      { code: "job.fills_disk", status: 507 },
    ),
  jobPoisoned: (stage: string, lastTime: string) =>
    new ParlanceError(
      `This recording ended its worker process three times in the stage "${stage}" and has failed. The last time: ${lastTime}. The file may be damaged.`,
      { code: "job.poisoned", status: 500 },
    ),
  jobInterrupted: () =>
    new ParlanceError("This job was interrupted repeatedly without progress and has failed", {
      code: "job.interrupted",
      status: 500,
    }),
  jobNotEnded: () =>
    new ParlanceError("The service could not store the end of this job; its log has the reason", {
      code: "job.not_ended",
      status: 500,
    }),
  /** @param message  and status with which the job was stored */
  jobFailed: (message: string, status: number) => new ParlanceError(message, { code: "job.failed", status }),
  /** @param reason  of the translation that a transcript in another language needs */
  translationFailed: (reason: string) => new ParlanceError(reason, { code: "translation.failed", status: 422 }),
  resultDamaged: (kind: string, hasRecording: boolean) =>
    new ParlanceError(
      `The stored transcript of this job is damaged and cannot be made again${kind === "live" ? " from a live session" : ""}. ` +
        (hasRecording
          ? "Its recording is there: download it and submit it as a new job."
          : "Its recording is missing or damaged."),
      { code: "job.result_damaged", status: 500 },
    ),
  resultRemade: () =>
    new ParlanceError(
      "The stored transcript of this job was damaged; the job is transcribed again. Try again once it is done",
      {
        code: "job.result_remade",
        status: 503,
        retryable: true,
        retryAfterSeconds: 10,
      },
    ),
  transcriptsBusy: () =>
    new ParlanceError("Too many transcripts wait to be written; try again in a moment", {
      code: "transcripts.queue_full",
      status: 503,
      retryable: true,
      retryAfterSeconds: 5,
    }),
  tooManyCorrections: (most: number, mostCharacters: number) =>
    new ParlanceError(
      `This transcript has reached the limit of corrections: ${most}, undone ones included, with ${mostCharacters} characters together`,
      { code: "limit.corrections", status: 409 },
    ),
  transcriptChanged: (expected: number, version: number) =>
    new ParlanceError(
      `The transcript was corrected meanwhile: the change was made for version ${expected}, and version ${version} is current. Read the corrections again, then send the change with the current version`,
      { code: "correction.outdated", status: 409 },
    ),
  tooManyNotes: (most: number) =>
    new ParlanceError(`This transcript has ${most} notes, as many as it may have; delete one first`, {
      code: "limit.notes",
      status: 409,
    }),
  tooManyShares: (most: number) =>
    new ParlanceError(`This transcript has ${most} links, as many as it may have; revoke one first`, {
      code: "limit.shares",
      status: 409,
    }),
  /** The same for every reason: the answer does not show which links there were. */
  shareUnavailable: () =>
    new ParlanceError(
      "This link opens no transcript: it is incomplete, has expired or was revoked, or the transcript was deleted. Ask for a new link",
      { code: "share.unavailable", status: 404 },
    ),
  tooManyTags: (most: number, count: number) =>
    new ParlanceError(`A job has at most ${most} tags; it would have ${count}. Remove some first`, {
      code: "limit.tags",
      status: 409,
    }),
  noteChanged: (expected: number, version: number) =>
    new ParlanceError(
      `The note was changed meanwhile: the change was made for version ${expected}, and version ${version} is current. Read the notes again, then send the change with the current version`,
      { code: "note.outdated", status: 409 },
    ),
  tooManyVocabularyWords: (most: number, mostForms: number) =>
    new ParlanceError(
      `The vocabulary of this account would have more than ${most} words, or more than ${mostForms} words and pronunciations together. Remove some first`,
      { code: "limit.vocabulary", status: 409 },
    ),
  tooManyVocabularyLists: (most: number) =>
    new ParlanceError(`This account has ${most} vocabulary lists, as many as it may have; delete one first`, {
      code: "limit.vocabulary_lists",
      status: 409,
    }),
  vocabularyListExists: (name: string) =>
    new ParlanceError(`There is a vocabulary list named ${name} already; change that one, or choose another name`, {
      code: "vocabulary_list.name_taken",
      status: 409,
    }),
  vocabularyListChanged: (expected: number, version: number) =>
    new ParlanceError(
      `The vocabulary list has changed: the request is for version ${expected}, but the current version is ${version}. Read the list again, then send the change with the current version`,
      { code: "vocabulary_list.outdated", status: 409 },
    ),
  unknownVocabularyList: (name: string) =>
    new ParlanceError(
      `vocabulary_lists names a list that this account does not have: ${name}. GET /v2/vocabulary-lists has those that there are`,
      { code: "vocabulary_list.unknown", status: 422 },
    ),
  stretchWithoutAudio: () =>
    new ParlanceError(
      "The audio of this job is gone: it was deleted, or it was older than audio is kept. Without it, no stretch is recognised again",
      { code: "stretches.no_audio", status: 410 },
    ),
  stretchRedacted: () =>
    new ParlanceError(
      "Personal data was redacted from this transcript. Its audio is not recognised again, because the answer could contain that data",
      { code: "stretches.redacted", status: 409 },
    ),
  stretchesBusy: (ofAccount: number, ofAll: number) =>
    new ParlanceError(
      `Too many stretches wait to be recognised again (at most ${ofAccount} of one account, ${ofAll} of all); try again in a moment`,
      { code: "stretches.busy", status: 503, retryable: true, retryAfterSeconds: 5 },
    ),
  addOnsRunning: () =>
    new ParlanceError("Add-ons are being made for this transcript; request others once they are done", {
      code: "add_ons.running",
      status: 409,
      retryable: true,
      retryAfterSeconds: 5,
    }),
  addOnsWithoutAudio: () =>
    new ParlanceError(
      "The audio of this job is gone: it was deleted, or it was older than audio is kept. Without it, no speakers are found; other add-ons can be made",
      { code: "add_ons.no_audio", status: 410 },
    ),
  speakersCorrected: () =>
    new ParlanceError(
      "People have corrected the speakers of this transcript. Send replace_speakers: true to replace them; undoing the correction with the new speakers brings the former ones back",
      { code: "add_ons.speakers_corrected", status: 409 },
    ),
  addOnsOutdated: () =>
    new ParlanceError("The transcript was deleted or made again while its add-ons were made; request them again", {
      code: "add_ons.outdated",
      status: 409,
    }),
  /** @param names  of the add-ons @param reason  a sentence without a full stop */
  addOnsFailed: (names: readonly string[], reason: string) =>
    new ParlanceError(`Not made: ${names.join(", ")}. ${reason}`, { code: "add_ons.failed", status: 502 }),
  redactionUnavailable: (reason: string) =>
    new ParlanceError(`${reason}. The unredacted text is not returned`, {
      code: "redaction.unavailable",
      status: 422,
    }),
};
