// Theme: the system's, unless the user selected one, and the button that changes it.

import { effect, signal } from "@preact/signals";
import { t } from "../language/language.ts";
import { readChoice, storeChoice } from "../memory.ts";

type Theme = "light" | "dark";

const system = (): Theme => (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");

const theme = signal<Theme>(readChoice<Theme | null>("theme", null) ?? system());

effect(() => {
  document.documentElement.dataset["theme"] = theme.value;
});

function toggleTheme(): void {
  theme.value = theme.value === "dark" ? "light" : "dark";
  storeChoice("theme", theme.value);
}

/** Changes between light and dark colours. */
export function ThemeSwitch() {
  const name = theme.value === "dark" ? t.frame.light : t.frame.dark;
  return (
    <button type="button" class="quiet" onClick={toggleTheme} aria-label={name} title={name}>
      {theme.value === "dark" ? "☀" : "☾"}
    </button>
  );
}
