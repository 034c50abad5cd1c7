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

async function write(loading: Promise<string>): Promise<void> {
  const blob = (text: string) => new Blob([text], { type: "text/plain" });
  await navigator.clipboard.write([new ClipboardItem({ "text/plain": loading.then(blob) })]);
}

/**
 * Copies a text that is being loaded. Call it during the click: Safari allows copying only then, and waits for the text.
 * @throws what `loading` throws
 */
export async function copyLoaded(loading: Promise<string>, successMessage: string): Promise<void> {
  const isWritten = write(loading).then(
    () => true,
    () => false,
  );
  const text = await loading;
  if (await isWritten) notice(successMessage);
  else await copy(text, successMessage);
}
