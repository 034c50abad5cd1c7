// The presets of options: choosing one, keeping the options under a name, deleting one.
import { useSignal } from "@preact/signals";
import { useId, useLayoutEffect, useRef } from "preact/hooks";
import { formats, t } from "../language/language.ts";
import type { Values } from "../parts/schema.ts";
import { dropPreset, keepPreset, presetOf, presets } from "../presets.ts";
import { useTyped } from "../typed-text.ts";

const MOST_CHARACTERS = 60;

interface PresetBarProps {
  options: Values;
  onChange(options: Values): void;
}

export function PresetBar({ options, onChange }: PresetBarProps) {
  const id = useId();
  const typed = useTyped({ field: "preset" });
  const isTyping = useSignal(typed.value !== "");
  const names = Object.keys(presets.value).sort(formats.compare);
  const current = presetOf(options);
  const wasTyping = useRef(isTyping.value);
  // The form, or the list with the buttons. When one replaces the other, its first control gets the focus.
  const bar = useRef<HTMLFormElement & HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (isTyping.value !== wasTyping.current) bar.current?.querySelector<HTMLElement>("input, select, button")?.focus();
    wasTyping.current = isTyping.value;
  }, [isTyping.value]);
  const close = () => {
    typed.value = "";
    isTyping.value = false;
  };
  if (isTyping.value) {
    return (
      <form
        ref={bar}
        class="row wrap presets"
        onSubmit={(event) => {
          event.preventDefault();
          const name = typed.value.trim();
          if (name === "") return;
          keepPreset(name, options);
          close();
        }}
      >
        <label for={id}>{t.transcribe.presetName}</label>
        <input
          id={id}
          type="text"
          class="grow"
          required
          maxLength={MOST_CHARACTERS}
          autoComplete="off"
          value={typed.value}
          onInput={({ currentTarget }) => {
            typed.value = currentTarget.value;
          }}
        />
        <button type="submit">{t.transcribe.keep}</button>
        <button type="button" class="quiet" onClick={close}>
          {t.frame.cancel}
        </button>
      </form>
    );
  }
  return (
    <div ref={bar} class="row wrap presets">
      {names.length > 0 ? (
        <>
          <label for={id}>{t.transcribe.preset}</label>
          <select
            id={id}
            value={current ?? ""}
            onChange={({ currentTarget }) => {
              const chosen = presets.value[currentTarget.value];
              if (chosen) onChange(chosen);
            }}
          >
            <option value="" disabled>
              {t.transcribe.noPreset}
            </option>
            {names.map((name) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </select>
        </>
      ) : null}
      {current !== undefined ? (
        <button type="button" class="quiet" onClick={() => dropPreset(current)}>
          {t.transcribe.dropPreset}
        </button>
      ) : Object.keys(options).length > 0 ? (
        <button
          type="button"
          class="quiet"
          onClick={() => {
            isTyping.value = true;
          }}
        >
          {t.transcribe.keepPreset}
        </button>
      ) : null}
    </div>
  );
}
