import type { JobItem } from "./shapes.ts";

export const jobName = ({ file, kind, id }: JobItem) =>
  kind === "live" ? `Live session ${id.slice(0, 8)}` : (file?.filename ?? file?.source ?? id);
