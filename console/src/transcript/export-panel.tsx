// Export: every transcript format, the recording, and a link to a position.
import { at, base } from "../address.ts";
import { errorMessage, request } from "../api.ts";
import { t } from "../language/language.ts";
import { Rich } from "../language/rich.tsx";
import { copy } from "../parts/copy.ts";
import { notice } from "../parts/notices.tsx";
import { clock } from "../time.ts";
import type { Player } from "./player.ts";
import type { TranscriptStore } from "./store.ts";

const FORMATS = ["txt", "srt", "vtt", "docx", "md", "tsv", "json"] as const;

export function ExportPanel({ store, player }: { store: TranscriptStore; player: Player }) {
  const { path } = store;
  const isCorrected = store.showsCorrected.value;
  const address = (format: string) => `${path}/transcript?format=${format}${isCorrected ? "" : "&corrected=false"}`;
  const copyText = async () => {
    try {
      await copy(await (await request("GET", address("txt"))).text(), t.transcript.copied);
    } catch (error) {
      notice(errorMessage(error), "bad");
    }
  };
  return (
    <div class="row wrap downloads">
      {FORMATS.map((format) => (
        <a key={format} class="button" href={at(address(format))} download>
          {format}
        </a>
      ))}
      <a class="button" href={at(`${path}/file`)} download>
        {t.transcript.audio}
      </a>
      <button type="button" onClick={copyText}>
        {t.frame.copy}
      </button>
      <button
        type="button"
        onClick={() => copy(`${base}/jobs/${store.id}?t=${Math.floor(player.time.value)}`, t.transcript.linkCopied)}
      >
        <Rich text={t.transcript.linkAt} parts={[() => <PlayerClock player={player} />]} />
      </button>
    </div>
  );
}

function PlayerClock({ player }: { player: Player }) {
  return <>{clock(player.time.value)}</>;
}
