import { notice } from "./parts/notices.tsx";

export async function copy(text: string, successMessage = "Copied"): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    notice(successMessage);
  } catch {
    notice("The browser does not let this page copy; it does on https and on this machine.", "bad");
  }
}
