// Transcribes by a service instead of on this machine.

import { stat, writeFile } from "node:fs/promises";
import path from "node:path";
import type { AddonParameters } from "../contract/job-parameters.ts";
import { errors } from "../platform/errors.ts";
import type { ServiceAddress } from "../platform/net/service-request.ts";
import { within } from "../platform/process/within.ts";
import { streamToFile } from "../platform/storage/disk/stream-to-file.ts";
import { makePrivateFolder } from "./private-folder.ts";
import { createJob, deleteJob, endOfJob, mayPass } from "./service-jobs.ts";
import { PIPE, type Transcriber } from "./transcriber.ts";

/** Longest wait for the answer of a service to which a job was sent, when the command stops. */
const LONGEST_CREATION_MILLISECONDS = 10_000;

/** Name of a source, and of a file what shows that it has changed. */
async function stateOf(source: string): Promise<string> {
  const found = await stat(source).catch(() => undefined);
  return `${source} ${found?.size} ${found?.mtimeMs}`;
}

/** Jobs stay on the service, where `parlance jobs` lists them. `stop` deletes those that it interrupts. */
export async function startServiceTranscriber(service: ServiceAddress, params: AddonParameters): Promise<Transcriber> {
  const { path: folder, remove } = makePrivateFolder("transcribe");
  const unfinished = new Set<string>();
  /** Requests that create jobs. */
  const creating = new Set<Promise<string>>();
  const stopping = new AbortController();
  const received = path.join(folder, "input");
  // A service that never answered is probably not running.
  let hasAnswered = false;
  /** Jobs whose end is not known, as the service does not answer: by name and state of the source. */
  const continued = new Map<string, string>();
  return {
    async stop() {
      stopping.abort();
      // A request in flight may still create a job: its id is needed to delete it.
      const created = await within(LONGEST_CREATION_MILLISECONDS, Promise.allSettled(creating)).catch(() => []);
      for (const one of created) if (one.status === "fulfilled") unfinished.add(one.value);
      await Promise.all([...unfinished].map((id) => deleteJob(service, id).catch(() => undefined)));
      remove();
    },
    async transcribe(source, progress) {
      stopping.signal.throwIfAborted();
      progress("upload", 0);
      if (source === PIPE) await streamToFile(received, process.stdin);
      const onAway = hasAnswered ? () => progress("no answer", 0) : undefined;
      const options = { progress: (share: number) => progress("upload", share), signal: stopping.signal, onAway };
      const [given, name] = source === PIPE ? [received, "recording"] : [source, path.basename(source)];
      const state = await stateOf(given);
      const create = () => {
        // The result has the warnings about the request.
        const creation = createJob(service, given, params, name, options).then((created) => created.id);
        creating.add(creation);
        return creation.finally(() => creating.delete(creation));
      };
      const id = continued.get(state) ?? (await create());
      hasAnswered = true;
      unfinished.add(id);
      const ended = await endOfJob(service, id, progress, stopping.signal).catch((error: unknown) => {
        // The service continues with the job when it is back, and the next attempt with its end.
        if (mayPass(error)) {
          unfinished.delete(id);
          continued.set(state, id);
        }
        throw error;
      });
      unfinished.delete(id);
      continued.delete(state);
      const { status, error_message, result } = ended;
      if (status !== "done" || !result) {
        throw errors.serviceJobFailed(error_message ?? "the service has no result");
      }
      const file = path.join(folder, `${id}.json`);
      await writeFile(file, JSON.stringify(result));
      return file;
    },
  };
}
