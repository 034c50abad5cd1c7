// Transcribes by a service instead of on this machine.

import { writeFile } from "node:fs/promises";
import path from "node:path";
import type { AddonParameters } from "../contract/job-parameters.ts";
import { errors } from "../platform/errors.ts";
import type { ServiceAddress } from "../platform/net/service-request.ts";
import { streamToFile } from "../platform/storage/disk/stream-to-file.ts";
import { makePrivateFolder } from "./private-folder.ts";
import { createJob, deleteJob, endOfJob, mayPass, whileAway } from "./service-jobs.ts";
import { PIPE, type Transcriber } from "./transcriber.ts";

/** Jobs stay on the service, where `parlance jobs` lists them. `stop` deletes those that it interrupts. */
export async function startServiceTranscriber(service: ServiceAddress, params: AddonParameters): Promise<Transcriber> {
  const { path: folder, remove } = makePrivateFolder("transcribe");
  const unfinished = new Set<string>();
  const stopping = new AbortController();
  const received = path.join(folder, "input");
  // A service that never answered is probably not running.
  let hasAnswered = false;
  return {
    async stop() {
      stopping.abort();
      await Promise.all([...unfinished].map((id) => deleteJob(service, id).catch(() => undefined)));
      remove();
    },
    async transcribe(source, progress) {
      progress("upload", 0);
      if (source === PIPE) await streamToFile(received, process.stdin);
      const options = { progress: (share: number) => progress("upload", share), signal: stopping.signal };
      const [given, name] = source === PIPE ? [received, "recording"] : [source, path.basename(source)];
      const create = () => createJob(service, given, params, name, options);
      const id = hasAnswered
        ? await whileAway(create, () => progress("no answer", 0), stopping.signal)
        : await create();
      hasAnswered = true;
      unfinished.add(id);
      const ended = await endOfJob(service, id, progress, stopping.signal).catch((error: unknown) => {
        // The service continues with the job when it is back.
        if (mayPass(error)) unfinished.delete(id);
        throw error;
      });
      unfinished.delete(id);
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
