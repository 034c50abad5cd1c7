// Names of recordings: the given one, that of the file without its ending, or the time. Never an id.

import { t } from "./language/language.ts";
import type { Job, JobItem } from "./shapes.ts";
import { moment } from "./time.ts";

type Named = Pick<JobItem, "name" | "file" | "kind" | "created_at"> & Partial<Pick<Job, "request_params">>;

const ENDING = /\.[\p{L}\p{N}]{1,5}$/u;
const ID = /^[\da-f]{8}-?[\da-f]{4}-?[\da-f]{4}-?[\da-f]{4}-?[\da-f]{12}$/i;

/** A parameter in the path of an address, such as `id=5`. */
const PARAMETER = /^[\w.-]+=/;

/** The file's name in an address. */
function lastPart(address: string): string {
  try {
    const part = decodeURIComponent(new URL(address).pathname.split("/").at(-1) ?? "");
    return PARAMETER.test(part) ? "" : part;
  } catch {
    return "";
  }
}

export function jobName({ name, file, kind, created_at, request_params }: Named): string {
  if (name) return name;
  const source = file?.source ?? request_params?.["audio_url"];
  for (const found of [file?.filename ?? "", typeof source === "string" ? lastPart(source) : ""]) {
    const shown = found.replace(ENDING, "").trim();
    if (shown !== "" && !ID.test(shown) && kind !== "live") return shown;
  }
  return kind === "live" ? t.names.liveSession(moment(created_at)) : t.names.recording(moment(created_at));
}
