// Keys of the transcript page.
import { useEffect } from "preact/hooks";
import type { Player } from "./player.ts";

export interface KeyActions {
  edit(): void;
  correctSpeaker(): void;
  undo(): void;
  redo(): void;
}

const FIELDS = "input, textarea, select, dialog, [role=dialog]";

function actionOf(event: KeyboardEvent, player: Player, actions: KeyActions): (() => void) | undefined {
  const { target, key } = event;
  if (target instanceof HTMLElement && target.closest(FIELDS)) return undefined;
  if (event.altKey) return undefined;
  if (event.ctrlKey || event.metaKey) {
    if (key.toLowerCase() === "z") return event.shiftKey ? actions.redo : actions.undo;
    return key.toLowerCase() === "y" ? actions.redo : undefined;
  }
  const isOnControl = target instanceof HTMLElement && target.closest("button, a, summary") !== null;
  const byKey: Record<string, () => void> = {
    ...(isOnControl ? {} : { " ": player.toggle }),
    k: player.toggle,
    j: player.back,
    l: player.ahead,
    ">": player.faster,
    "<": player.slower,
    e: actions.edit,
    s: actions.correctSpeaker,
  };
  return byKey[key];
}

export function useKeys(player: Player, actions: KeyActions): void {
  useEffect(() => {
    const keys = (event: KeyboardEvent) => {
      const action = actionOf(event, player, actions);
      if (!action) return;
      event.preventDefault();
      action();
    };
    document.addEventListener("keydown", keys);
    return () => document.removeEventListener("keydown", keys);
  }, [player]);
}
