// Actions on the whole transcript: an export, additions, another transcription, and a link to a position.
import { useSignal } from "@preact/signals";
import { base } from "../address.ts";
import { t } from "../language/language.ts";
import { Rich } from "../language/rich.tsx";
import { copy } from "../parts/copy.ts";
import { clock } from "../time.ts";
import { AddDialog } from "./add-dialog.tsx";
import { ExportDialog } from "./export-dialog.tsx";
import type { Player } from "./player.ts";
import { isRepeatable } from "./run-again.ts";
import { RunAgainDialog } from "./run-again-dialog.tsx";
import { ShareDialog } from "./share-dialog.tsx";
import type { TranscriptStore } from "./store.ts";

export function ExportPanel({ store, player }: { store: TranscriptStore; player: Player }) {
  const open = useSignal<"export" | "share" | "add" | "again" | undefined>(undefined);
  const close = () => {
    open.value = undefined;
  };
  const job = store.job.value;
  const openExport = () => {
    open.value = "export";
  };
  const openAdd = () => {
    open.value = "add";
  };
  const openAgain = () => {
    open.value = "again";
  };
  const openShare = () => {
    open.value = "share";
  };
  return (
    <>
      <div class="row wrap downloads">
        <button type="button" class="primary" aria-haspopup="dialog" onClick={openExport}>
          {t.transcript.export}
        </button>
        <button type="button" aria-haspopup="dialog" onClick={openShare}>
          {t.share.open}
        </button>
        <button type="button" aria-haspopup="dialog" onClick={openAdd}>
          {t.transcript.add}
        </button>
        {job && isRepeatable(job) ? (
          <button type="button" aria-haspopup="dialog" onClick={openAgain}>
            {t.transcript.again}
          </button>
        ) : null}
        <button
          type="button"
          onClick={() => copy(`${base}/jobs/${store.id}?t=${Math.floor(player.time.value)}`, t.transcript.linkCopied)}
        >
          <Rich text={t.transcript.linkAt} parts={[() => <PlayerClock player={player} />]} />
        </button>
      </div>
      {open.value === "export" ? <ExportDialog store={store} onClose={close} /> : null}
      {open.value === "share" ? <ShareDialog store={store} onClose={close} /> : null}
      {open.value === "add" ? <AddDialog store={store} onClose={close} /> : null}
      {open.value === "again" && job ? <RunAgainDialog job={job} onClose={close} /> : null}
    </>
  );
}

function PlayerClock({ player }: { player: Player }) {
  return <>{clock(player.time.value)}</>;
}
