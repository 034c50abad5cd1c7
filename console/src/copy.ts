import { notice } from "./parts/notices.tsx";

export async function copy(text: string, said = "Copied"): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    notice(said);
  } catch {
    notice("The browser does not let this page copy; it does on https and on this machine.", "bad");
  }
}
