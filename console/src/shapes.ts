// Types of requests, answers and messages: those of the service, of which only types are imported.
export type { Account, CallbackSecret, Key, Keys, MadeKey } from "../../src/contract/account.ts";
export type {
  ActionItem,
  Chapter,
  Entity,
  SentenceSentiment,
  SpokenQuestion,
} from "../../src/contract/addon-results.ts";
export type { AccountDeliveries, AccountDelivery, Deliveries, Delivery } from "../../src/contract/deliveries.ts";
export type { ErrorAnswer } from "../../src/contract/errors.ts";
export type {
  AddonResult,
  JobBody as Job,
  JobListItem as JobItem,
  JobPage,
  Transcription,
  TranscriptionResult,
  Utterance,
} from "../../src/contract/job.ts";
export type { JobState } from "../../src/contract/job-events.ts";
export type { JobProgress } from "../../src/contract/job-progress.ts";
export type { LaterAddOns, LaterAddOnsList } from "../../src/contract/later-add-ons.ts";
export type { CreatedSession } from "../../src/contract/live.ts";
export type { ServerMessage } from "../../src/contract/live-messages.ts";
export type { ConsoleSession } from "../../src/contract/pages.ts";
export type { CreatedJob } from "../../src/contract/pre-recorded.ts";
export type { AnswerEvent, Citation } from "../../src/contract/questions.ts";
export type {
  AppliedPlaces,
  CorrectablePlace,
  PlacesPage,
  RepeatedCorrection,
  RepeatedPage,
} from "../../src/contract/repeated-corrections.ts";
export type { MadeShare, Share, Shared, SharedTranscript, Shares } from "../../src/contract/shares.ts";
export type { FoundServers, SpeechModel, SpeechModels, SystemStatus } from "../../src/contract/system.ts";
export type { AccountTags } from "../../src/contract/tags.ts";
export type { Corrections, Peaks } from "../../src/contract/transcripts.ts";
export type { AudioTrack, Upload } from "../../src/contract/upload.ts";
export type {
  AccountVocabulary,
  VocabularyListBody,
  VocabularyListItem,
  VocabularyWord,
} from "../../src/contract/vocabulary.ts";
export type { VoiceSettings, Voices } from "../../src/contract/voices.ts";
