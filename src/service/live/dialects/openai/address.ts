// The parameters in the address of a connection.
import { shown } from "./client-events.ts";

/** Models of voice conversations: clients name one in the address, also for transcription. */
const CONVERSATION_MODEL = /^gpt-(4o-)?(mini-)?realtime(?!-whisper)|^gpt-4o-(mini-)?realtime/;

/** @returns the transcription model that the address names; undefined without one */
export function modelOf(query: URLSearchParams): string | undefined {
  const named = query.get("model")?.trim() ?? "";
  return named === "" || CONVERSATION_MODEL.test(named) ? undefined : named;
}

/** @returns a sentence for each parameter without effect */
export function addressWarnings(query: URLSearchParams): string[] {
  const warnings: string[] = [];
  for (const [name, value] of query) {
    if (name === "intent" && value !== "transcription") {
      warnings.push("intent has no effect: every session of this service is one of transcription");
    } else if (name === "model" && CONVERSATION_MODEL.test(value)) {
      warnings.push(
        "model has no effect: it names a model for voice conversations. Set session.audio.input.transcription.model",
      );
    } else if (name !== "model" && name !== "intent") {
      warnings.push(`the query parameter ${shown(name)} has no effect`);
    }
  }
  return warnings;
}
