// Words → the voices that say them, where the job asks for speakers. Who is who is decided when the result is made; a
// failure here costs the speakers, not the transcript.
import { open, readFile } from "node:fs/promises";
import { toParlanceError } from "../../errors.ts";
import { channelsSeparate } from "../../intelligence/diarization.ts";
import type { Span } from "../../speakers/embedder.ts";
import { type HeardPiece, packPiece } from "../../speakers/heard-voices.ts";
import { WINDOW_SECONDS } from "../../speakers/pooling.ts";
import type { RecognizedSegment } from "../transcription.ts";
import { SAMPLE_RATE } from "./decode.ts";
import { parseRecognized } from "./recognize.ts";
import { channelKey, recognizedKey, type Stage, type StageContext, voicesKey } from "./stage.ts";

/** As long as the encoder is used to. */
const PIECE_SECONDS = 30;

interface Piece {
  channel: number;
  from: number;
  words: Span[];
}

/** Pieces of each channel that have words in them, found one by one: an hour has many words. */
function* piecesOf({ outputs }: StageContext, recognized: RecognizedSegment[]): Generator<Piece> {
  const seconds = outputs.decode?.durationSeconds ?? 0;
  for (const channel of outputs.decode?.distinctChannels ?? []) {
    const segments = recognized.filter((segment) => segment.channel === channel);
    for (let from = 0; from < seconds; from += PIECE_SECONDS) {
      const [earliest, latest] = [from - WINDOW_SECONDS, from + PIECE_SECONDS + WINDOW_SECONDS];
      const words = segments
        .filter(
          ({ segment }) => segment.endSample > earliest * SAMPLE_RATE && segment.startSample < latest * SAMPLE_RATE,
        )
        .flatMap((segment) => segment.words.map((word) => ({ start: word.startSeconds, end: word.endSeconds })));
      if (words.length > 0) yield { channel, from, words };
    }
  }
}

async function hear(
  { channel, from, words }: Piece,
  { job, services, signal, priority, trace }: StageContext,
): Promise<HeardPiece> {
  const samplesStart = Math.max(0, from - WINDOW_SECONDS / 2);
  const to = from + PIECE_SECONDS;
  const startSample = Math.round(samplesStart * SAMPLE_RATE);
  const sampleCount = Math.round((to + WINDOW_SECONDS / 2) * SAMPLE_RATE) - startSample;
  const file = await services.objects.localPath(channelKey(job.id, channel));
  const { space, ...embeddings } = await services.recognition.embedSpeakers(
    { audio: { file, startSample, sampleCount }, samplesStart, from, to, words },
    { priority, signal, trace },
  );
  return packPiece(channel, space, embeddings);
}

/** @returns how many pieces were written down */
async function hearAll(context: StageContext): Promise<number> {
  const { job, outputs, services } = context;
  const recognized = parseRecognized(await readFile(await services.objects.localPath(recognizedKey(job.id)), "utf8"));
  const { durationSeconds = 0, distinctChannels = [] } = outputs.decode ?? {};
  const file = await open(await services.objects.localPath(voicesKey(job.id)), "w");
  let pieces = 0;
  try {
    for (const piece of piecesOf(context, recognized)) {
      await file.appendFile(`${JSON.stringify(await hear(piece, context))}\n`);
      pieces++;
      const done = distinctChannels.indexOf(piece.channel) * durationSeconds + piece.from;
      context.progress(done / (distinctChannels.length * durationSeconds));
    }
  } finally {
    await file.close();
  }
  return pieces;
}

export const speakersStage: Stage<"speakers"> = {
  name: "speakers",
  weight: 0.05,
  async run(context) {
    const { job, outputs, services, signal } = context;
    const channels = outputs.decode?.distinctChannels.length ?? 1;
    if (job.params["diarization"] !== true || channelsSeparate(job.params, channels)) return { pieces: 0 };
    try {
      return { pieces: await hearAll(context) };
    } catch (thrown) {
      signal.throwIfAborted();
      const { code, message } = toParlanceError(thrown);
      services.logger.warn({ job: job.id, code, reason: message }, "voices could not be told apart");
      return { pieces: 0, hasFailed: true };
    }
  },
};
