import type { TranscriptStore } from "./store.ts";

export interface PanelProps {
  store: TranscriptStore;
  onSeek(seconds: number): void;
}
