// Delay of live words without and with a language model that writes answers meanwhile, on the same machine and in the same service.
import { existsSync } from "node:fs";
import { parlance } from "../test/fixtures/parlance.ts";
import { wav } from "../test/fixtures/recordings.ts";
import { doneJob, type RunningService, ready, startService, submit, TEST_KEY } from "../test/service.ts";
import { continuous, stream } from "./live-stream.ts";
import { loadRecordings } from "./recordings.ts";
import { milliseconds } from "./table.ts";

const ENDPOINTING_SECONDS = 0.3;
/** Length of each of the two sessions. */
const SESSION_SECONDS = 180;
const QUESTION = "Retell all that is said, sentence by sentence, and explain every sentence at length.";

/** Questions one after another until it is aborted. @returns how many answers were complete */
async function keepWriting(service: RunningService, id: string, signal: AbortSignal): Promise<number> {
  let answers = 0;
  while (!signal.aborted) {
    const response = await fetch(`${service.base}/v2/transcription/${id}/questions`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-service-key": TEST_KEY },
      body: JSON.stringify({ question: QUESTION }),
      signal,
    }).catch(() => undefined);
    const text = await response?.text().catch(() => "");
    if (text?.includes("event: done")) answers++;
    else if (text && !signal.aborted) throw new Error(`no answer: ${text.slice(0, 300)}`);
  }
  return answers;
}

export interface Delays {
  wordMedian: number;
  word95: number;
  finalMedian: number;
  final95: number;
}

/** @param file  the GGUF file; it is installed in the service's own folder */
export async function liveBesideModel(file: string): Promise<{ alone: Delays; beside: Delays; answers: number }> {
  if (!existsSync(file)) throw new Error(`no file ${file}`);
  const recordings = await loadRecordings(({ transcript }) => transcript !== undefined);
  const speech = continuous(recordings, 0, SESSION_SECONDS);
  const service = await startService();
  try {
    await ready(service);
    await parlance(service.folder, "models", "add", file);
    const samples = Float32Array.from(recordings.slice(0, 10).flatMap((recording) => [...recording.samples]));
    const id = await submit(service, wav([samples]), {});
    await doneJob(service, id);
    const body = { messages_config: { receive_partial_transcripts: true, receive_acknowledgments: false } };
    const measured = async (): Promise<Delays> => {
      const { partialDelays, finalDelays } = await stream(service, speech, body, ENDPOINTING_SECONDS);
      return {
        wordMedian: milliseconds(partialDelays, 0.5),
        word95: milliseconds(partialDelays, 0.95),
        finalMedian: milliseconds(finalDelays, 0.5),
        final95: milliseconds(finalDelays, 0.95),
      };
    };
    const alone = await measured();
    const ending = new AbortController();
    const writing = keepWriting(service, id, ending.signal);
    const beside = await Promise.race([measured(), writing.then(() => Promise.reject(new Error("the model stopped")))]);
    ending.abort();
    const answers = await writing;
    return { alone, beside, answers };
  } finally {
    await service.remove();
  }
}
