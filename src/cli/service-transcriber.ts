// Transcribes by a service instead of on this machine.

import { writeFile } from "node:fs/promises";
import path from "node:path";
import type { AddonParameters } from "../contract/job-parameters.ts";
import { errors } from "../platform/errors.ts";
import type { ServiceAddress } from "../platform/net/service-request.ts";
import { streamToFile } from "../platform/storage/disk/stream-to-file.ts";
import { makePrivateFolder } from "./private-folder.ts";
import { createJob, deleteJob, endOfJob } from "./service-jobs.ts";
import { PIPE, type Transcriber } from "./transcriber.ts";

/** Jobs stay on the service, where `parlance jobs` lists them; unfinished ones are deleted by `stop`. */
export async function startServiceTranscriber(service: ServiceAddress, params: AddonParameters): Promise<Transcriber> {
  const { path: folder, remove } = makePrivateFolder("transcribe");
  const unfinished = new Set<string>();
  const stopping = new AbortController();
  const received = path.join(folder, "input");
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
      const id = await createJob(service, given, params, name, options);
      unfinished.add(id);
      const { status, error_message, result } = await endOfJob(service, id, progress);
      unfinished.delete(id);
      if (status !== "done" || !result) {
        throw errors.serviceJobFailed(error_message ?? "the service has no result");
      }
      const file = path.join(folder, `${id}.json`);
      await writeFile(file, JSON.stringify(result));
      return file;
    },
  };
}
