// Light or dark: as the system has it until somebody chooses.
import { effect, signal } from "@preact/signals";
import { recall, remember } from "./memory.ts";

type Theme = "light" | "dark";

const system = (): Theme => (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");

export const theme = signal<Theme>(recall<Theme | null>("theme", null) ?? system());

effect(() => {
  document.documentElement.dataset["theme"] = theme.value;
});

export function toggleTheme(): void {
  theme.value = theme.value === "dark" ? "light" : "dark";
  remember("theme", theme.value);
}
