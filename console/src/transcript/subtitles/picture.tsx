// The picture of a video with the subtitles on it; for sound alone, the subtitles as on a black screen.
import { useComputed } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { t } from "../../language/language.ts";
import type { Player } from "../player.ts";
import { labelledRows, type ShownCue } from "./shown-cues.ts";
import type { Subtitles } from "./subtitles.ts";

/** The cues that are shown at one time; several where they overlap. */
function cuesAt(subtitles: Subtitles, time: number): ShownCue[] {
  return (subtitles.shown.value?.cues ?? []).filter((cue) => {
    const { start, end } = subtitles.timesOf(cue);
    return start <= time && time < end;
  });
}

export function Picture({ player, subtitles }: { player: Player; subtitles: Subtitles }) {
  const screen = useRef<HTMLDivElement>(null);
  const { value: hasPicture } = player.hasPicture;
  useEffect(() => {
    if (!hasPicture) return;
    const { media } = player;
    screen.current?.prepend(media);
    return () => {
      const isPlaying = !media.paused;
      media.remove();
      // Browsers pause a video that is taken from the page.
      if (isPlaying) setTimeout(() => void media.play().catch(() => undefined));
    };
  }, [player, hasPicture]);
  const rows = useComputed(() => cuesAt(subtitles, player.time.value).map(labelledRows));
  return (
    <figure class="picture">
      <div class={`picture-screen ${hasPicture ? "" : "no-picture"}`} ref={screen}>
        <div class="picture-text" aria-live="off">
          {rows.value.map((own, at) => (
            <p key={at} dir="auto">
              {own.map((row, place) => (
                <span key={place}>{row}</span>
              ))}
            </p>
          ))}
        </div>
      </div>
      {hasPicture === false ? <figcaption class="hint">{t.subtitles.noPicture}</figcaption> : null}
    </figure>
  );
}
