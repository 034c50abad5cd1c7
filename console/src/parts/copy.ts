import { t } from "../language/language.ts";
import { notice } from "./notices.tsx";

export async function copy(text: string, successMessage = t.frame.copied): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    notice(successMessage);
  } catch {
    notice(t.frame.copyRefused, "bad");
  }
}
