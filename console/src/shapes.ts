// Types of requests, answers and messages: those of the service, of which only types are imported.
export type { Account, CallbackSecret, Key } from "../../src/contract/account.ts";
export type { AccountDelivery, Delivery } from "../../src/contract/deliveries.ts";
export type { ErrorAnswer } from "../../src/contract/errors.ts";
export type {
  AddonResult,
  JobBody as Job,
  JobListItem as JobItem,
  JobPage,
  JobProgress,
  Transcription,
  TranscriptionResult,
  Utterance,
} from "../../src/contract/job.ts";
export type { CreatedSession } from "../../src/contract/live.ts";
export type { ServerMessage } from "../../src/contract/live-messages.ts";
export type { FoundServers, SpeechModel, SystemStatus } from "../../src/contract/system.ts";
export type { AudioTrack, Upload } from "../../src/contract/upload.ts";
