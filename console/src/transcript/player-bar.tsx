// Playback controls: waveform, position, speed.
import { useEffect, useRef } from "preact/hooks";
import { formats, t } from "../language/language.ts";
import { clock } from "../time.ts";
import type { Player } from "./player.ts";

export function PlayerBar({ player }: { player: Player }) {
  const wave = useRef<HTMLDivElement>(null);
  useEffect(() => {
    let end: (() => void) | undefined;
    let isGone = false;
    if (wave.current) {
      player.draw(wave.current).then(
        (destroy) => {
          if (isGone) destroy();
          else end = destroy;
        },
        () => {
          player.problem.value ||= t.transcript.noWaveform;
        },
      );
    }
    return () => {
      isGone = true;
      end?.();
    };
  }, [player]);
  return (
    <section class="card player" aria-label={t.transcript.player}>
      <button
        type="button"
        class="primary round"
        aria-label={player.isPlaying.value ? t.transcript.pause : t.transcript.play}
        onClick={player.toggle}
      >
        {player.isPlaying.value ? "❚❚" : "▶"}
      </button>
      <div class="wave" ref={wave} aria-hidden="true" />
      <PlayerTime player={player} />
      <label>
        <span class="unseen">{t.transcript.speed}</span>
        <select
          dir="ltr"
          value={String(player.speed.value)}
          onChange={({ currentTarget }) => player.setSpeed(Number(currentTarget.value))}
        >
          {player.speeds.map((speed) => (
            <option key={speed} value={String(speed)}>
              {formats.number(speed)}×
            </option>
          ))}
        </select>
      </label>
      {player.problem.value ? <p class="problem">{player.problem.value}</p> : null}
    </section>
  );
}

function PlayerTime({ player }: { player: Player }) {
  return <output class="time">{clock(player.time.value)}</output>;
}
