// Words → the voices that say them, where the job asks for speakers. Who is who is decided when the result is made; a
// failure here costs the speakers, not the transcript.
import { readFile } from "node:fs/promises";
import { toParlanceError } from "../../errors.ts";
import { channelsSeparate } from "../../intelligence/diarization.ts";
import type { Span } from "../../speakers/embedder.ts";
import { type HeardVoices, packPiece } from "../../speakers/heard-voices.ts";
import { WINDOW_SECONDS } from "../../speakers/pooling.ts";
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

/** Pieces of each channel that have words in them. */
async function piecesOf({ job, services, outputs }: StageContext): Promise<Piece[]> {
  const recognized = parseRecognized(await readFile(await services.objects.localPath(recognizedKey(job.id)), "utf8"));
  const channels = outputs.decode?.distinctChannels ?? [];
  const seconds = outputs.decode?.durationSeconds ?? 0;
  return channels.flatMap((channel) => {
    const words = recognized
      .filter((segment) => segment.channel === channel)
      .flatMap((segment) => segment.words.map((word) => ({ start: word.startSeconds, end: word.endSeconds })));
    const pieces: Piece[] = [];
    for (let from = 0; from < seconds; from += PIECE_SECONDS) {
      const inside = words.filter(
        ({ start, end }) => end > from - WINDOW_SECONDS && start < from + PIECE_SECONDS + WINDOW_SECONDS,
      );
      if (inside.length > 0) pieces.push({ channel, from, words: inside });
    }
    return pieces;
  });
}

async function hear({ channel, from, words }: Piece, { job, services, signal }: StageContext) {
  const samplesStart = Math.max(0, from - WINDOW_SECONDS / 2);
  const to = from + PIECE_SECONDS;
  const startSample = Math.round(samplesStart * SAMPLE_RATE);
  const sampleCount = Math.round((to + WINDOW_SECONDS / 2) * SAMPLE_RATE) - startSample;
  const file = await services.objects.localPath(channelKey(job.id, channel));
  return services.recognition.embedSpeakers(
    { audio: { file, startSample, sampleCount }, samplesStart, from, to, words },
    { priority: "recorded", signal },
  );
}

async function hearAll(pieces: Piece[], context: StageContext): Promise<HeardVoices | undefined> {
  const channels = new Map<number, HeardVoices["channels"][number]>();
  let voices: HeardVoices | undefined;
  for (const [index, piece] of pieces.entries()) {
    const { space, ...embeddings } = await hear(piece, context);
    voices ??= { space, channels: [] };
    const channel = channels.get(piece.channel) ?? { channel: piece.channel, pieces: [] };
    channel.pieces.push(packPiece(embeddings));
    channels.set(piece.channel, channel);
    context.progress((index + 1) / pieces.length);
  }
  voices?.channels.push(...channels.values());
  return voices;
}

export const speakersStage: Stage<"speakers"> = {
  name: "speakers",
  weight: 0.05,
  async run(context) {
    const { job, outputs, services, signal } = context;
    const channels = outputs.decode?.distinctChannels.length ?? 1;
    if (job.params["diarization"] !== true || channelsSeparate(job.params, channels)) return { pieces: 0 };
    const pieces = await piecesOf(context);
    try {
      const voices = await hearAll(pieces, context);
      if (voices) await services.objects.put(voicesKey(job.id), JSON.stringify(voices));
      return { pieces: pieces.length };
    } catch (thrown) {
      signal.throwIfAborted();
      const { code, message } = toParlanceError(thrown);
      services.logger.warn({ job: job.id, code, reason: message }, "voices could not be told apart");
      return { pieces: pieces.length, hasFailed: true };
    }
  },
};
