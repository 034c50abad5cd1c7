// Playback controls: waveform, position, speed.
import { useComputed } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { formats, t } from "../language/language.ts";
import { clock } from "../time.ts";
import type { Following } from "./following.ts";
import { type Player, STEP_SECONDS } from "./player.ts";

interface BarProps {
  player: Player;
  /** Length of the recording. */
  seconds: number;
  following: Following;
}

export function PlayerBar({ player, seconds, following }: BarProps) {
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
      <div class="row player-buttons">
        <StepButton player={player} seconds={-STEP_SECONDS} name={t.transcript.backFive} />
        <button
          type="button"
          class="primary round"
          aria-label={player.isPlaying.value ? t.transcript.pause : t.transcript.play}
          onClick={player.toggle}
        >
          {player.isPlaying.value ? "❚❚" : "▶"}
        </button>
        <StepButton player={player} seconds={STEP_SECONDS} name={t.transcript.aheadFive} />
      </div>
      <div class="player-position" dir="ltr">
        <div class="wave" ref={wave} aria-hidden="true" />
        <PositionSlider player={player} seconds={seconds} />
      </div>
      <span class="time" dir="ltr">
        <PlayerTime player={player} /> / <span class="total">{clock(seconds)}</span>
      </span>
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
      {following.isOn.value && following.isAway.value ? (
        <button
          type="button"
          onClick={() => {
            following.isAway.value = false;
          }}
        >
          {t.transcript.returnToPlayback}
        </button>
      ) : null}
      {player.problem.value ? <p class="problem">{player.problem.value}</p> : null}
    </section>
  );
}

/** @param seconds  negative: back */
function StepButton({ player, seconds, name }: { player: Player; seconds: number; name: string }) {
  return (
    <button type="button" class="step" aria-label={name} title={name} onClick={() => player.move(seconds)}>
      <bdi dir="ltr">{`${seconds < 0 ? "−" : "+"}${formats.number(Math.abs(seconds))}`}</bdi>
    </button>
  );
}

/** The waveform is a picture: this is the position for keyboards and screen readers. It moves in whole seconds. */
function PositionSlider({ player, seconds }: { player: Player; seconds: number }) {
  const place = useComputed(() => Math.floor(player.time.value));
  return (
    <input
      type="range"
      class="position"
      min={0}
      max={Math.max(1, Math.floor(seconds))}
      step={1}
      value={place.value}
      aria-label={t.transcript.position}
      aria-valuetext={t.transcript.positionOf(clock(place.value), clock(seconds))}
      onInput={({ currentTarget }) => player.seek(currentTarget.valueAsNumber)}
    />
  );
}

function PlayerTime({ player }: { player: Player }) {
  return <output class="time">{clock(player.time.value)}</output>;
}
