// Theme: the system's, unless the user selected one.
import { effect, signal } from "@preact/signals";
import { readChoice, storeChoice } from "./memory.ts";

type Theme = "light" | "dark";

const system = (): Theme => (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");

export const theme = signal<Theme>(readChoice<Theme | null>("theme", null) ?? system());

effect(() => {
  document.documentElement.dataset["theme"] = theme.value;
});

export function toggleTheme(): void {
  theme.value = theme.value === "dark" ? "light" : "dark";
  storeChoice("theme", theme.value);
}
