// Adds a speaker of this job to the account's library of voices, where the account turned it on.
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { foldedName } from "../../../src/service/voices/folded-name.ts";
import { ApiError, errorMessage, get, send } from "../api.ts";
import { t } from "../language/language.ts";
import { notice } from "../parts/notices.tsx";
import type { VoiceSettings, Voices } from "../shapes.ts";
import { useTyped } from "../typed-text.ts";
import { shownSpeaker } from "./speakers.ts";

/** Adds a person, or a sample to one who is there. */
async function keep(jobId: string, speaker: number, name: string): Promise<void> {
  try {
    await send("POST", "/v2/voices", { name, job_id: jobId, speaker });
  } catch (error) {
    if (!(error instanceof ApiError && error.status === 409)) throw error;
    const { items } = await get<Voices>("/v2/voices");
    const known = items.find((voice) => foldedName(voice.name) === foldedName(name));
    if (!known) throw error;
    await send("POST", `/v2/voices/${known.id}/samples`, { job_id: jobId, speaker });
  }
}

/** @param onKept  called when the names of the job have changed */
export function KeepVoice({
  jobId,
  speakers,
  names,
  onKept,
}: {
  jobId: string;
  speakers: number[];
  names: Record<string, string>;
  onKept(): Promise<void>;
}) {
  const isOn = useSignal(false);
  const isBusy = useSignal(false);
  const typed = useTyped({ field: "voice", job: jobId });
  useEffect(() => {
    void get<VoiceSettings>("/v2/voices/settings").then(
      ({ enabled }) => {
        isOn.value = enabled;
      },
      () => undefined,
    );
  }, []);
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    const data = new FormData(event.currentTarget as HTMLFormElement);
    const name = typed.value.trim();
    isBusy.value = true;
    try {
      await keep(jobId, Number(data.get("speaker")), name);
      typed.value = "";
      await onKept();
      notice(t.speakers.remembered(name), "good");
    } catch (error) {
      notice(errorMessage(error), "bad");
    } finally {
      isBusy.value = false;
    }
  };
  if (!isOn.value) return null;
  return (
    <details>
      <summary>{t.speakers.remember}</summary>
      <form class="row wrap" onSubmit={submit}>
        <label>
          {t.speakers.speaker}
          <select name="speaker">
            {speakers.map((speaker) => (
              <option key={speaker} value={speaker}>
                {shownSpeaker(speaker, names)}
              </option>
            ))}
          </select>
        </label>
        <label>
          {t.speakers.name}
          <input
            name="name"
            type="text"
            dir="auto"
            required
            maxLength={100}
            value={typed.value}
            onInput={({ currentTarget }) => {
              typed.value = currentTarget.value;
            }}
          />
        </label>
        <button type="submit" disabled={isBusy.value}>
          {t.speakers.rememberButton}
        </button>
      </form>
      <p>{t.speakers.rememberHint}</p>
    </details>
  );
}
