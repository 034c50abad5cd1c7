// A time of a recording, which plays the recording from there.
import { t } from "../language/language.ts";
import { clock } from "../time.ts";

interface StampProps {
  /** Seconds. */
  start: number;
  onSeek(seconds: number): void;
  /** Whether screen readers announce the action, in place of the time alone. */
  isNamed?: boolean;
  title?: string;
}

export function Stamp({ start, onSeek, isNamed = false, title }: StampProps) {
  return (
    <button
      type="button"
      class="stamp"
      title={title}
      aria-label={isNamed ? t.transcript.playFrom(clock(start)) : undefined}
      onClick={() => onSeek(start)}
    >
      {clock(start)}
    </button>
  );
}
