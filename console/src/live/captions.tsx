// Live captions: the words, their translations, or both side by side.
import { effect, type ReadonlySignal, useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { t } from "../language/language.ts";
import { readChoice, storeChoice } from "../memory.ts";
import type { Utterance } from "../shapes.ts";
import { shownSpeaker, speakerClass } from "../transcript/speakers.ts";
import { type Line, runsOf } from "./lines.ts";
import type { TranslatedLine, Translations } from "./translations.ts";

const VIEWS = ["both", "original", "translation"] as const;
/** Distance from the end within which the list follows the newest words, pixels. */
const NEAR_END_PIXELS = 120;
type View = (typeof VIEWS)[number];

const classOf = (isFinal: boolean) => (isFinal ? "final" : "partial");

function CaptionLine({ line, translated, names, view, targets }: CaptionLineProps) {
  const shown = view === "original" ? [] : targets;
  return (
    <div class="caption-line">
      {view === "translation" ? null : (
        <p class={classOf(line.isFinal)} lang={line.utterance.language} dir="auto">
          <Runs utterance={line.utterance} names={names} />
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
  names: Readonly<Record<number, string>>;
  view: View;
  targets: readonly string[];
}

/** What captions are made of. */
export interface CaptionSource {
  readonly lines: ReadonlySignal<readonly Line[]>;
  readonly translations: ReadonlySignal<Translations>;
  readonly names: ReadonlySignal<Readonly<Record<number, string>>>;
}

export function Captions({ live }: { live: CaptionSource }) {
  const words = useRef<HTMLDivElement>(null);
  /** false after the reader has scrolled back: new words then do not move the text. */
  const isFollowing = useSignal(true);
  const lastTop = useRef(0);
  const view = useSignal<View>(readChoice<View>("caption-view", "both"));
  useEffect(() => {
    const box = words.current;
    if (!box) return;
    const follow = () => {
      if (isFollowing.peek()) box.scrollTo({ top: box.scrollHeight });
    };
    const resizes = new ResizeObserver(follow);
    resizes.observe(box);
    const stop = effect(() => {
      void live.translations.value;
      void view.value;
      // Another session begins.
      if (live.lines.value.length === 0) isFollowing.value = true;
      // After the new words are rendered.
      requestAnimationFrame(follow);
    });
    return () => {
      resizes.disconnect();
      stop();
    };
  }, []);
  const lines = live.lines.value;
  const translations = live.translations.value;
  const targets = [...new Set(Object.values(translations).flatMap((own) => Object.keys(own)))];
  const current = targets.length === 0 ? "original" : view.value;
  return (
    <>
      {targets.length > 0 ? (
        <fieldset class="bare row wrap caption-views">
          <legend class="unseen">{t.live.captionsShow}</legend>
          {VIEWS.map((name) => (
            <label key={name} class="row">
              <input
                type="radio"
                name="caption-view"
                checked={view.value === name}
                onChange={() => {
                  view.value = name;
                  storeChoice("caption-view", name);
                }}
              />
              {t.live.views[name]}
            </label>
          ))}
        </fieldset>
      ) : null}
      <div
        class={`caption-words view-${current}`}
        ref={words}
        role="log"
        aria-label={t.live.captions}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it is scrolled by keyboard
        tabIndex={0}
        aria-live="polite"
        aria-relevant="additions"
        onScroll={({ currentTarget: box }) => {
          const isNear = box.scrollHeight - box.scrollTop - box.clientHeight <= NEAR_END_PIXELS;
          // New words also increase the distance to the end, but do not move the text back.
          if (isNear || box.scrollTop < lastTop.current) isFollowing.value = isNear;
          lastTop.current = box.scrollTop;
        }}
      >
        {lines.length === 0 ? <p class="hint">{t.live.empty}</p> : null}
        {lines.map((line) => (
          <CaptionLine
            key={line.id}
            line={line}
            translated={translations[line.id]}
            names={live.names.value}
            view={current}
            targets={targets}
          />
        ))}
      </div>
      {isFollowing.value ? null : (
        <button
          type="button"
          class="newest-words"
          onClick={() => {
            isFollowing.value = true;
            words.current?.scrollTo({ top: words.current.scrollHeight });
            words.current?.focus({ preventScroll: true });
          }}
        >
          ↓ {t.live.newest}
        </button>
      )}
    </>
  );
}

/** The words, with the speaker in front wherever another one begins. */
function Runs({ utterance, names }: { utterance: Utterance; names: Readonly<Record<number, string>> }) {
  return runsOf(utterance).map(({ speaker, text }, at) => (
    <span key={at} class={speakerClass(speaker)}>
      {speaker === undefined ? null : <b class="caption-speaker">{shownSpeaker(speaker, names)}: </b>}
      {text}{" "}
    </span>
  ));
}
