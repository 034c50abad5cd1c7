import { errorMessage } from "./api.ts";
import { notice } from "./parts/notices.tsx";

/** Runs `work` and shows a notice if it fails. */
export async function attempt(work: () => Promise<unknown>, successMessage?: string): Promise<void> {
  try {
    await work();
    if (successMessage) notice(successMessage);
  } catch (error) {
    notice(errorMessage(error), "bad");
  }
}
