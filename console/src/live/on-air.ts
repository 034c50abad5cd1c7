// Whether a live session of this page is running: it continues while other pages of the console are shown.
import { signal } from "@preact/signals";

export const isOnAir = signal(false);

addEventListener("beforeunload", (event) => {
  if (isOnAir.peek()) event.preventDefault();
});
