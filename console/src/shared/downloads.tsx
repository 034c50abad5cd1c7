// The files of a shared transcript: a format is chosen, then downloaded or copied.
import { useSignal } from "@preact/signals";
import type { Format } from "../../../src/contract/transcript-formats.ts";
import { attempt } from "../attempt.ts";
import { t } from "../language/language.ts";
import { copyLoaded } from "../parts/copy.ts";
import { useWork } from "../parts/use-work.ts";
import { EXPORT_FORMATS } from "../transcript/export-choices.ts";
import type { SharedLink } from "./shared-link.ts";

function save(content: Blob, filename: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(content);
  link.download = filename;
  link.click();
  // The browser reads the content after the click.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

export function Downloads({ link, title, hasAudio }: { link: SharedLink; title: string; hasAudio: boolean }) {
  const format = useSignal<Format>("txt");
  const { isRunning, run } = useWork();
  const load = () => link.request(`/v2/shared/transcript?format=${format.value}`);
  return (
    <div class="row wrap downloads">
      <label>
        <span class="unseen">{t.exported.format}</span>
        <select
          value={format.value}
          onChange={({ currentTarget }) => {
            format.value = currentTarget.value as Format;
          }}
        >
          {EXPORT_FORMATS.map((name) => (
            <option key={name} value={name}>
              {t.exported.formats[name]}
            </option>
          ))}
        </select>
      </label>
      <button
        type="button"
        class="primary"
        disabled={isRunning.value}
        onClick={() =>
          void run(() => attempt(async () => save(await (await load()).blob(), `${title}.${format.value}`)))
        }
      >
        {t.exported.download}
      </button>
      {format.value === "docx" ? null : (
        <button
          type="button"
          onClick={() =>
            void attempt(() =>
              copyLoaded(
                load().then((answer) => answer.text()),
                t.transcript.copied,
              ),
            )
          }
        >
          {t.frame.copy}
        </button>
      )}
      {hasAudio ? (
        <a class="button" href={link.audioAddress} download>
          {t.exported.audio}
        </a>
      ) : null}
    </div>
  );
}
