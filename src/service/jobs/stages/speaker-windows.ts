// Finds who talks when by the networks of a speaker model: marks the local speakers of overlapping windows with speech, then computes the
// voice of each piece in which one of them is alone. Clustering follows when the result is assembled.
import { readFile, stat } from "node:fs/promises";
import { concurrently } from "../../../platform/process/concurrently.ts";
import { BYTES_PER_SAMPLE } from "../../../speech/audio/samples.ts";
import {
  pieceRequests,
  samplesOfWindows,
  windowRuns,
  windowsWithSpeech,
} from "../../../speech/speakers/network-requests.ts";
import { voicesOfPieces } from "../../../speech/speakers/piece-voices.ts";
import { findPieces, WindowedSpeakers } from "../../../speech/speakers/pieces.ts";
import { piecesLine, type SpeakerLine, windowsLine } from "../../../speech/speakers/recorded-speakers.ts";
import {
  FRAME_SAMPLES,
  type LocalWindows,
  RECORDED_STRIDE,
  STEP_SAMPLES,
} from "../../../speech/speakers/speaker-networks.ts";
import { type ChannelSegments, type StageContext, taskOptions } from "./stage.ts";

/** Share of the work that is segmentation. */
const WINDOWS_SHARE = 0.7;
/** Tasks of a process at once; the stage uses one place of each process, so that recognition of other jobs continues. */
const TASKS_PER_PROCESS = 8;

/**
 * @param model    id of an installed speaker model
 * @param write    stores a line
 * @param progress  completed share, 0 to 1
 * @throws process.failed if the model's files are damaged
 */
async function findInChannel(
  { channel, segments }: ChannelSegments,
  model: string,
  context: StageContext,
  write: (line: SpeakerLine) => Promise<void>,
  progress: (share: number) => void,
): Promise<void> {
  const { services, signal } = context;
  const file = await services.objects.localPath(context.files.channel(channel));
  const sampleCount = Math.floor((await stat(file)).size / BYTES_PER_SAMPLE);
  const limit = Math.max(1, Math.floor(services.recognition.capacity / TASKS_PER_PROCESS));
  const inOrder = [...segments].sort((left, right) => left.startSample - right.startSample);
  const stride = RECORDED_STRIDE;
  const runs = windowRuns(windowsWithSpeech(inOrder, sampleCount, stride), stride);
  const blocks: LocalWindows[] = [];
  let done = 0;
  await concurrently(runs, limit, async ({ first, count }) => {
    signal.throwIfAborted();
    const audio = { file, startSample: first * STEP_SAMPLES, sampleCount: samplesOfWindows(count, stride) };
    const task = { audio, windows: count, stride };
    const block = {
      first,
      stride,
      frames: await services.recognition.segmentSpeakers(model, task, taskOptions(context)),
    };
    blocks.push(block);
    await write(windowsLine(channel, block));
    progress((WINDOWS_SHARE * ++done) / runs.length);
  });
  const groups = pieceRequests(findPieces(new WindowedSpeakers(blocks)));
  done = 0;
  await concurrently(groups, limit, async (pieces) => {
    signal.throwIfAborted();
    const voiced = await voicesOfPieces(pieces, (ranges, excerpts) => {
      const stretches = ranges.map(({ start, end }) => ({
        file,
        startSample: start * FRAME_SAMPLES,
        sampleCount: (end - start) * FRAME_SAMPLES,
      }));
      return services.recognition.voices(model, { stretches, excerpts }, taskOptions(context));
    });
    await write(piecesLine(channel, voiced));
    progress(WINDOWS_SHARE + ((1 - WINDOWS_SHARE) * ++done) / groups.length);
  });
}

/** Finds the speakers of every channel. @throws process.failed if the model's files are damaged */
export async function findSpeakerWindows(
  model: string,
  context: StageContext,
  write: (line: SpeakerLine) => Promise<void>,
): Promise<void> {
  const { services } = context;
  const text = await readFile(await services.objects.localPath(context.files.segments), "utf8");
  const channels = JSON.parse(text) as ChannelSegments[];
  for (const [index, channel] of channels.entries()) {
    await findInChannel(channel, model, context, write, (share) => context.progress((index + share) / channels.length));
  }
}
