// Transcribes one recording after another, on this machine or by a service.
import type { AddonParameters } from "../contract/job-parameters.ts";

/** The source that stands for standard input. */
export const PIPE = "-";

export interface Transcriber {
  /**
   * @param source    a file, an address, or PIPE
   * @param progress  receives the stage and the share of the whole, 0 to 1
   * @param more      additional parameters, for this recording only
   * @returns file of the result; the caller may delete it, otherwise `stop` does
   */
  transcribe(source: string, progress: (stage: string, share: number) => void, more?: AddonParameters): Promise<string>;
  stop(): Promise<void>;
}
