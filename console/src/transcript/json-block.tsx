// A result as JSON, which can be copied.
import { firstOf } from "../../../src/contract/first-of.ts";
import { t } from "../language/language.ts";
import { copy } from "../parts/copy.ts";

/** What a panel draws quickly. The copy is complete. */
const MOST_LINES = 1_000;

export function JsonBlock({ value }: { value: unknown }) {
  const text = JSON.stringify(value, null, 2);
  const { first, rest } = firstOf(text.split("\n"), MOST_LINES);
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the text can be selected by keyboard */}
      <pre class="wrapped" dir="ltr" tabIndex={0}>
        {first.join("\n")}
      </pre>
      {rest > 0 ? <p class="hint">{t.panels.moreLines(rest)}</p> : null}
      <button type="button" onClick={() => copy(text)}>
        {t.panels.copyJson}
      </button>
    </>
  );
}
