// Chooses the language of the interface. Nothing is reloaded: what is typed, sent or recorded continues.
import { chooseLanguage, language, t } from "../language/language.ts";
import { isLanguage, LANGUAGE_CODES, LANGUAGES } from "../language/languages.ts";
import { notice } from "./notices.tsx";

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
