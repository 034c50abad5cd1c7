// The subtitles as a view of the transcript: picture, timeline, list of cues.
import { useEffect, useMemo, useRef } from "preact/hooks";
import { beforeLeaving } from "../../leaving.ts";
import { SignalCheck } from "../../parts/check.tsx";
import type { Editing } from "../editing.ts";
import type { Following } from "../following.ts";
import type { Player } from "../player.ts";
import type { TranscriptStore } from "../store.ts";
import type { UndoActions } from "../undo.tsx";
import { UndoButtons } from "../undo.tsx";
import { SaveStatus } from "../unsaved.tsx";
import { CueList, type ListHandle } from "./cue-list.tsx";
import { Picture } from "./picture.tsx";
import { cueAt } from "./shown-cues.ts";
import { Subtitles } from "./subtitles.ts";
import { Timeline } from "./timeline.tsx";
import "../../styles/subtitles.css";
import { t } from "../../language/language.ts";

export interface SubtitlesProps {
  store: TranscriptStore;
  player: Player;
  editing: Editing;
  following: Following;
  undo: UndoActions;
}

function Warnings({ subtitles, onShow }: { subtitles: Subtitles; onShow(at: number): void }) {
  const cues = subtitles.shown.value?.cues ?? [];
  const warned = cues.flatMap(({ warnings }, at) => (warnings.length > 0 ? [at] : []));
  const next = () => {
    const current = subtitles.find(subtitles.chosen.peek())?.at ?? -1;
    const at = warned.find((one) => one > current) ?? warned[0];
    if (at !== undefined) onShow(at);
  };
  if (warned.length === 0) {
    return <p class="hint">{t.subtitles.count(cues.length)}</p>;
  }
  return (
    <div class="row">
      <span>{t.subtitles.warned(warned.length, cues.length)}</span>
      <button type="button" onClick={next}>
        {t.subtitles.nextWarning}
      </button>
    </div>
  );
}

export function SubtitlesView({ store, player, editing, following, undo }: SubtitlesProps) {
  const { value: seconds } = store.seconds;
  const subtitles = useMemo(() => new Subtitles(store, editing, seconds), [store, editing, seconds]);
  const list = useRef<ListHandle | undefined>(undefined);
  useEffect(() => {
    const stop = beforeLeaving(() => subtitles.commit());
    // The cue that is played is chosen at first.
    subtitles.chosen.value ??= subtitles.cues[Math.max(0, cueAt(subtitles.cues, player.time.peek()))]?.id;
    return () => {
      stop();
      void subtitles.commit();
    };
  }, [subtitles]);
  if ((subtitles.shown.value?.cues.length ?? 0) === 0) return <p class="empty">{t.transcript.nobodySpeaks}</p>;
  return (
    <div class="subtitles">
      <div class="row wrap transcript-tools">
        <Warnings subtitles={subtitles} onShow={(at) => list.current?.focus(at)} />
        <SignalCheck signal={following.isOn}>{t.transcript.follow}</SignalCheck>
        <UndoButtons store={store} actions={undo} />
        <SaveStatus editing={editing} />
      </div>
      <Timeline
        path={store.path}
        player={player}
        subtitles={subtitles}
        onChoose={({ id }) => {
          subtitles.chosen.value = id;
          const at = subtitles.find(id)?.at;
          if (at !== undefined) list.current?.show(at);
        }}
      />
      <div class="subtitle-columns">
        <Picture player={player} subtitles={subtitles} />
        <CueList player={player} subtitles={subtitles} handle={list} following={following} />
      </div>
      <p class="hint">{t.subtitles.hint}</p>
    </div>
  );
}
