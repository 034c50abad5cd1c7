import { notice } from "./notices.tsx";

export async function copy(text: string, successMessage = "Copied"): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    notice(successMessage);
  } catch {
    notice("The browser allows copying only over https and on this machine.", "bad");
  }
}
