// What is left of a session when it is over.
import type { AddonResult, Utterance } from "../jobs/transcript.ts";
import type { LiveResult, MessageBody } from "./protocol.ts";

type Request = Record<string, unknown>;

const POST_PROCESSING = ["summarization", "chapterization"] as const;
const REALTIME = ["translation", "named_entity_recognition", "sentiment_analysis"] as const;
const message = (name: string) => `${name} is not available yet in this version; the transcript is complete without it`;

function switchedOn(request: Request, group: string, names: readonly string[]): string[] {
  const switches = (request[group] ?? {}) as Record<string, unknown>;
  return names.filter((name) => switches[name] === true);
}

/** Messages for add-ons that were asked for and are not built yet. */
export function unavailableAddons(request: Request): MessageBody[] {
  const post = switchedOn(request, "post_processing", POST_PROCESSING).map((name) => ({
    type: `post_${name}` as "post_summarization",
    error: { message: message(name) },
    data: null,
  }));
  const realtime = switchedOn(request, "realtime_processing", REALTIME).map((name) => ({
    type: name as "translation",
    error: { message: message(name) },
    data: null,
  }));
  return [...realtime, ...post];
}

function unavailable(name: string): AddonResult<null> {
  const error = { status_code: 501, exception: "NotAvailable", message: message(name) };
  return { success: false, is_empty: true, exec_time: 0, error, results: null };
}

/** @param finals  utterances in the order they were sent */
export function liveResult(
  finals: readonly Utterance[],
  request: Request,
  recording: { duration: number; channels: number; seconds: number },
): LiveResult {
  const utterances = [...finals].sort((left, right) => left.start - right.start || left.channel - right.channel);
  const names = [
    ...switchedOn(request, "realtime_processing", [...REALTIME, "custom_vocabulary", "custom_spelling"]),
    ...switchedOn(request, "post_processing", POST_PROCESSING),
  ];
  return {
    metadata: {
      audio_duration: recording.duration,
      number_of_distinct_channels: recording.channels,
      billing_time: Math.round(recording.duration * recording.channels * 1000) / 1000,
      transcription_time: Math.round(recording.seconds * 1000) / 1000,
    },
    transcription: {
      full_transcript: utterances.map(({ text }) => text.trim()).join(" "),
      languages: [...new Set(utterances.map(({ language }) => language))],
      utterances,
    },
    ...Object.fromEntries(names.map((name) => [name, unavailable(name)])),
  };
}
