// The sources of a session, and the microphone that is used.
import type { ComponentChildren } from "preact";
import { t } from "../language/language.ts";
import { notice } from "../parts/notices.tsx";
import type { Source } from "./capture.ts";
import { MicrophoneSelect } from "./microphone-select.tsx";

interface SourcesProps {
  isBusy: boolean;
  onBegin(source: Source): void;
  /** Further buttons. */
  children?: ComponentChildren;
}

export function Sources({ isBusy, onBegin, children }: SourcesProps) {
  const canShare = typeof navigator.mediaDevices?.getDisplayMedia === "function";
  return (
    <div class="row wrap">
      <button type="button" class="primary" disabled={isBusy} onClick={() => onBegin({ kind: "microphone" })}>
        {t.live.microphone}
      </button>
      <MicrophoneSelect />
      <button
        type="button"
        disabled={isBusy || !canShare}
        title={canShare ? undefined : t.live.cannotShare}
        onClick={() => onBegin({ kind: "tab" })}
      >
        {t.live.tab}
      </button>
      <label class={`button${isBusy ? " disabled" : ""}`}>
        {t.live.file}
        <input
          type="file"
          class="unseen"
          name="live-file"
          disabled={isBusy}
          accept="audio/*,video/*"
          onChange={({ currentTarget }) => {
            const file = currentTarget.files?.[0];
            currentTarget.value = "";
            if (file) onBegin({ kind: "file", file });
            else notice(t.live.noFile, "bad");
          }}
        />
      </label>
      {children}
    </div>
  );
}
