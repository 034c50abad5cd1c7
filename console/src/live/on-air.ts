// The live session of this page that is running: it continues while other pages of the console are shown.
import { signal } from "@preact/signals";

interface OnAir {
  stop(): void;
}

export const onAir = signal<OnAir | undefined>(undefined);

addEventListener("beforeunload", (event) => {
  if (onAir.peek()) event.preventDefault();
});
