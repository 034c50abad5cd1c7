// Chooses the language of the interface. Nothing is reloaded: what is typed, sent or recorded goes on.
import { notice } from "../parts/notices.tsx";
import { chooseLanguage, language, t } from "./language.ts";
import { isLanguage, LANGUAGE_CODES, LANGUAGES } from "./languages.ts";

export function LanguageSelect() {
  return (
    <select
      class="language-select"
      aria-label={t.frame.interfaceLanguage}
      value={language.value}
      onChange={({ currentTarget }) => {
        const { value: code } = currentTarget;
        if (!isLanguage(code)) return;
        chooseLanguage(code).catch(() => {
          currentTarget.value = language.peek();
          notice(t.frame.languageFailed, "bad");
        });
      }}
    >
      {LANGUAGE_CODES.map((code) => (
        <option key={code} value={code} lang={code} dir={LANGUAGES[code].direction}>
          {LANGUAGES[code].name}
        </option>
      ))}
    </select>
  );
}
