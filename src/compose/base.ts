// What every part of the composition is given.
import type { Logger } from "pino";
import type { childEnvironment } from "../platform/config/load.ts";
import type { Settings } from "../platform/config/settings.ts";
import type { ParlanceError } from "../platform/errors.ts";
import type { StartedRecognition } from "./recognition-startup.ts";

export interface Base {
  settings: Settings;
  logger: Logger;
  started: StartedRecognition;
  /** Steps of a stop, in the order of the start. */
  undo: StartedRecognition["steps"];
  /** Environment of child processes without network access. */
  environment: ReturnType<typeof childEnvironment>;
  /** Emptied at every start. */
  temporary: string;
  onTakenOver: (error: ParlanceError) => void;
}
