import { told } from "./api.ts";
import { notice } from "./parts/notices.tsx";

/** Does it, and tells what went wrong. */
export async function attempt(work: () => Promise<unknown>, said?: string): Promise<void> {
  try {
    await work();
    if (said) notice(said);
  } catch (error) {
    notice(told(error), "bad");
  }
}
