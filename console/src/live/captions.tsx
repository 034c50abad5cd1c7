// Live captions: the words, their translations, or both side by side.
import { useSignal } from "@preact/signals";
import type { Ref } from "preact";
import { readChoice, storeChoice } from "../memory.ts";

export interface Line {
  id: string;
  isFinal: boolean;
  text: string;
  language: string;
  start: number;
}

interface TranslatedLine {
  text: string;
  isFinal: boolean;
}

/** By the id of the utterance, then by target language. */
export type Translations = Readonly<Record<string, Readonly<Record<string, TranslatedLine>>>>;

export function withTranslation(known: Translations, id: string, target: string, line: TranslatedLine): Translations {
  // A translation of a partial may arrive after that of its final.
  if (known[id]?.[target]?.isFinal && !line.isFinal) return known;
  return { ...known, [id]: { ...known[id], [target]: line } };
}

const VIEWS = { both: "Side by side", original: "Original", translation: "Translation" } as const;
type View = keyof typeof VIEWS;

const classOf = (isFinal: boolean) => (isFinal ? "final" : "partial");

function CaptionLine({ line, translated, view, targets }: CaptionLineProps) {
  const shown = view === "original" ? [] : targets;
  return (
    <div class="caption-line">
      {view === "translation" ? null : (
        <p class={classOf(line.isFinal)} lang={line.language} dir="auto">
          {line.text}
        </p>
      )}
      {shown.map((target) => {
        const own = translated?.[target];
        return (
          <p key={target} class={classOf(own?.isFinal ?? false)} lang={target} dir="auto">
            {own?.text ?? ""}
          </p>
        );
      })}
    </div>
  );
}

interface CaptionLineProps {
  line: Line;
  translated: Readonly<Record<string, TranslatedLine>> | undefined;
  view: View;
  targets: readonly string[];
}

interface CaptionsProps {
  lines: readonly Line[];
  translations: Translations;
  words: Ref<HTMLDivElement>;
}

export function Captions({ lines, translations, words }: CaptionsProps) {
  const view = useSignal<View>(readChoice<View>("caption-view", "both"));
  const targets = [...new Set(Object.values(translations).flatMap((own) => Object.keys(own)))];
  const current = targets.length === 0 ? "original" : view.value;
  return (
    <>
      {targets.length > 0 ? (
        <fieldset class="bare row wrap caption-views">
          <legend class="unseen">Captions show</legend>
          {Object.entries(VIEWS).map(([name, title]) => (
            <label key={name} class="row">
              <input
                type="radio"
                name="caption-view"
                checked={view.value === name}
                onChange={() => {
                  view.value = name as View;
                  storeChoice("caption-view", name);
                }}
              />
              {title}
            </label>
          ))}
        </fieldset>
      ) : null}
      <div class={`caption-words view-${current}`} ref={words} aria-live="polite" aria-relevant="additions">
        {lines.length === 0 ? <p class="hint">Words appear here.</p> : null}
        {lines.map((line) => (
          <CaptionLine key={line.id} line={line} translated={translations[line.id]} view={current} targets={targets} />
        ))}
      </div>
    </>
  );
}
