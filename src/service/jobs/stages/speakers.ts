// Finds voices, if the job requests diarization: by the networks of a speaker model, or, where there is none, by speaker embeddings of the
// words. Speakers are clustered when the result is assembled; a failure here only omits the speakers.
import { open } from "node:fs/promises";
import { toParlanceError } from "../../../platform/errors.ts";
import { printJsonLine } from "../../../platform/storage/json-lines.ts";
import { mustWait } from "../../../platform/storage/when-possible.ts";
import { SAMPLE_RATE } from "../../../speech/audio/sample-rate.ts";
import { type EmbeddedPiece, packPiece } from "../../../speech/speakers/embedded-pieces.ts";
import type { Span } from "../../../speech/speakers/embedder.ts";
import { type EncoderPiece, encoderPieces } from "../../../speech/speakers/encoder-pieces.ts";
import { channelsSeparate, channelsWithWords, identifiesSpeakers } from "../../intelligence/diarization.ts";
import { byEncoderInstead, MODEL_FAILED, withoutNames } from "../../intelligence/speaker-warnings.ts";
import type { FoundModel } from "../../models/optional-model.ts";
import { fetchedSpeakerModel } from "../../models/speaker-model.ts";
import type { RecognizedSegment } from "../../transcripts/recognized-segments.ts";
import { abortable } from "./abortable.ts";
import { readRecognized } from "./recognize.ts";
import { findSpeakerWindows } from "./speaker-windows.ts";
import { type Stage, type StageContext, type StageOutputs, taskOptions } from "./stage.ts";

const PROGRESS_MILLISECONDS = 1_000;
/** Share of the stage's progress that fetching takes. */
const FETCH_SHARE = 0.1;

/** The speaker model of a job, fetched on first need; or the reason why there is none. */
async function speakerModelFor({ job, services, signal, progress }: StageContext): Promise<FoundModel> {
  const { models, supply, speech, logger, speakerModel } = services;
  const watch = setInterval(() => progress(FETCH_SHARE * (supply?.shareOf(speakerModel) ?? 0)), PROGRESS_MILLISECONDS);
  try {
    const wanted = { models, supply, speakerModel, mayFetch: speech.fetchModels };
    const found = await abortable(fetchedSpeakerModel(wanted), signal);
    if ("problem" in found) {
      logger.warn({ job: job.id, model: speakerModel, reason: found.problem }, "a job has no speaker model");
    }
    return found;
  } finally {
    clearInterval(watch);
  }
}

interface Piece extends EncoderPiece {
  channel: number;
  words: Span[];
}

/** Pieces of each channel that contain words; generated one by one, as an hour has many words. */
function* piecesOf({ outputs }: StageContext, recognized: RecognizedSegment[]): Generator<Piece> {
  const seconds = outputs.decode?.durationSeconds ?? 0;
  for (const channel of outputs.decode?.distinctChannels ?? []) {
    const segments = recognized.filter((segment) => segment.channel === channel);
    for (const piece of encoderPieces(seconds)) {
      const { earliest, latest } = piece;
      const words = segments
        .filter(
          ({ segment }) => segment.endSample > earliest * SAMPLE_RATE && segment.startSample < latest * SAMPLE_RATE,
        )
        .flatMap((segment) => segment.words.map((word) => ({ start: word.startSeconds, end: word.endSeconds })));
      if (words.length > 0) yield { ...piece, channel, words };
    }
  }
}

async function embedPiece(piece: Piece, context: StageContext): Promise<EmbeddedPiece> {
  const { channel, from, to, samplesStart, startSample, sampleCount, words } = piece;
  const { services } = context;
  const file = await services.objects.localPath(context.files.channel(channel));
  const { space, ...embeddings } = await services.recognition.embedSpeakers(
    { audio: { file, startSample, sampleCount }, samplesStart, from, to, words },
    taskOptions(context),
  );
  return packPiece(channel, space, embeddings);
}

/** @returns the number of stored pieces */
async function embedAll(context: StageContext): Promise<number> {
  const { outputs, services } = context;
  const recognized = await readRecognized(context);
  const { durationSeconds = 0, distinctChannels = [] } = outputs.decode ?? {};
  const file = await open(await services.objects.localPath(context.files.voices), "w");
  let pieces = 0;
  try {
    for (const piece of piecesOf(context, recognized)) {
      await file.appendFile(printJsonLine(await embedPiece(piece, context)));
      pieces++;
      const done = distinctChannels.indexOf(piece.channel) * durationSeconds + piece.from;
      context.progress(done / (distinctChannels.length * durationSeconds));
    }
  } finally {
    await file.close();
  }
  return pieces;
}

/** @returns the number of stored lines */
async function findByNetworks(model: string, context: StageContext): Promise<number> {
  const { objects } = context.services;
  const file = await open(await objects.localPath(context.files.voices), "w");
  let lines = 0;
  try {
    await findSpeakerWindows(model, context, async (line) => {
      await file.appendFile(printJsonLine(line));
      lines++;
    });
  } finally {
    await file.close();
  }
  return lines;
}

/**
 * @param consequence  of a failure of the model, for the log
 * @returns the reason without a speaker model, or if it failed
 */
export async function triedNetworks(
  context: StageContext,
  consequence: string,
): Promise<NonNullable<StageOutputs["speakers"]> | { problem: string }> {
  const { job, services, signal } = context;
  const found = await speakerModelFor(context);
  if ("problem" in found) return found;
  const { model } = found;
  try {
    return { pieces: await findByNetworks(model, context), model };
  } catch (thrown) {
    signal.throwIfAborted();
    if (mustWait(thrown)) throw thrown;
    const { code, message } = toParlanceError(thrown);
    services.logger.warn({ job: job.id, model, code, reason: message }, `the speaker model failed; ${consequence}`);
    return { problem: MODEL_FAILED };
  }
}

async function findSpeakers(
  context: StageContext,
  areSeparate: boolean,
): Promise<NonNullable<StageOutputs["speakers"]>> {
  const found = await triedNetworks(
    context,
    areSeparate ? "there are no names" : "the recogniser's encoder distinguishes the speakers",
  );
  if (!("problem" in found)) return found;
  const { problem } = found;
  const names = identifiesSpeakers(context.job.params) ? [withoutNames(problem)] : [];
  if (areSeparate) return { pieces: 0, warnings: names };
  return { pieces: await embedAll(context), warnings: [byEncoderInstead(problem), ...names] };
}

export const speakersStage: Stage<"speakers"> = {
  name: "speakers",
  cost: () => ({ kind: "speakers", secondsPerAudioSecond: 0.012, seconds: 0.5 }),
  hasWork: ({ params }) => params.diarization === true,
  async run(context) {
    const { job, services, signal } = context;
    if (!speakersStage.hasWork?.(job, services)) return { pieces: 0 };
    const areSeparate = channelsSeparate(job.params, channelsWithWords(await readRecognized(context)));
    // Where the channels separate the speakers, voices are needed for their names only.
    if (areSeparate && !identifiesSpeakers(job.params)) return { pieces: 0 };
    try {
      return await findSpeakers(context, areSeparate);
    } catch (thrown) {
      signal.throwIfAborted();
      // A resource shortage is unrelated to the recording: the job waits instead of ending without speakers.
      if (mustWait(thrown)) throw thrown;
      const { code, message } = toParlanceError(thrown);
      services.logger.warn(
        { job: job.id, code, reason: message },
        "diarization failed; the transcript has no speakers",
      );
      return { pieces: 0, hasFailed: true };
    }
  },
};
