// The files of a shared transcript: a format is chosen, then downloaded or copied.
import { useSignal } from "@preact/signals";
import type { Format } from "../../../src/contract/transcript-formats.ts";
import { attempt } from "../attempt.ts";
import { t } from "../language/language.ts";
import { copyLoaded } from "../parts/copy.ts";
import { useWork } from "../parts/use-work.ts";
import { saveFile } from "../save-file.ts";
import { FormatSelect } from "../transcript/export-fields.tsx";
import type { SharedLink } from "./shared-link.ts";

export function Downloads({ link, title, hasAudio }: { link: SharedLink; title: string; hasAudio: boolean }) {
  const format = useSignal<Format>("txt");
  const { isRunning, run } = useWork();
  const load = () => link.request(`/v2/shared/transcript?format=${format.value}`);
  return (
    <div class="row wrap downloads">
      <FormatSelect
        isUnseen
        format={format.value}
        onChange={(chosen) => {
          format.value = chosen;
        }}
      />
      <button
        type="button"
        class="primary"
        disabled={isRunning.value}
        onClick={() =>
          void run(() =>
            attempt(async () => {
              const content = await (await load()).blob();
              saveFile(new File([content], `${title}.${format.value}`, { type: content.type }));
            }),
          )
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
