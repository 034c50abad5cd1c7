import { t } from "../language/language.ts";
import { theme, toggleTheme } from "../theme.ts";

/** Changes between light and dark colours. */
export function ThemeSwitch() {
  const name = theme.value === "dark" ? t.frame.light : t.frame.dark;
  return (
    <button type="button" class="quiet" onClick={toggleTheme} aria-label={name} title={name}>
      {theme.value === "dark" ? "☀" : "☾"}
    </button>
  );
}
