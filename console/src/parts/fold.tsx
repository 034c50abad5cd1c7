// A button that shows a small panel below it. The panel is closed by the button, by Escape, and by a click or a focus outside.
import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";

export function Fold({ title, children }: { title: string; children: ComponentChildren }) {
  const id = useId();
  const isOpen = useSignal(false);
  const place = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (!isOpen.value) return undefined;
    const end = new AbortController();
    const close = () => {
      isOpen.value = false;
    };
    const leave = ({ target }: Event) => {
      // A dialog that the panel opened returns the focus to it.
      if (target instanceof Element && !place.current?.contains(target) && !target.closest("dialog")) close();
    };
    const press = ({ key, target, isComposing }: KeyboardEvent) => {
      if (key !== "Escape" || isComposing || !place.current?.contains(target as Node)) return;
      button.current?.focus();
      close();
    };
    document.addEventListener("pointerdown", leave, end);
    document.addEventListener("focusin", leave, end);
    document.addEventListener("keydown", press, end);
    return () => end.abort();
  }, [isOpen.value]);
  return (
    <div class="fold" ref={place}>
      <button
        ref={button}
        type="button"
        aria-expanded={isOpen.value}
        aria-controls={isOpen.value ? id : undefined}
        onClick={() => {
          isOpen.value = !isOpen.value;
        }}
      >
        {title} <span aria-hidden="true">▾</span>
      </button>
      {isOpen.value ? (
        <div id={id} class="card fold-panel">
          {children}
        </div>
      ) : null}
    </div>
  );
}
