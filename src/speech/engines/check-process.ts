// Whether a prepared model can be loaded: a process of its own tries, because a damaged file may end it.
import { mkdtemp, rm } from "node:fs/promises";
import path from "node:path";
import { childEnvironment } from "../../platform/config/load.ts";
import { runModule } from "../../platform/process/run-module.ts";

/**
 * Runs the check of an engine. Its temporary files are inside the model's folder, and are removed afterwards.
 * @param file  module that loads the model of the folder in its argument
 * @throws the error of the process
 */
export async function checkModel(file: string, folder: string, timeoutMilliseconds: number): Promise<void> {
  const temporary = await mkdtemp(path.join(path.resolve(folder), ".check-"));
  try {
    await runModule(file, { arguments: [folder], environment: childEnvironment(temporary), timeoutMilliseconds });
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}
