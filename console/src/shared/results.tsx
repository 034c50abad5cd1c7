// The summary, chapters and translations of a shared transcript, each of which can be closed.
import { t } from "../language/language.ts";
import { languageName } from "../language-name.ts";
import type { SharedTranscript } from "../shapes.ts";
import { Time } from "./paragraphs.tsx";

interface ResultsProps {
  transcript: SharedTranscript;
  onSeek?: ((seconds: number) => void) | undefined;
}

export function Results({ transcript: { summary, chapters, translations }, onSeek }: ResultsProps) {
  return (
    <>
      {summary ? (
        <details class="card" open>
          <summary>{t.panels.summary}</summary>
          {summary.split("\n").map((line) => (
            <p key={line} dir="auto">
              {line}
            </p>
          ))}
        </details>
      ) : null}
      {chapters.length > 0 ? (
        <details class="card">
          <summary>{t.panels.chapters}</summary>
          <ol class="chapters">
            {chapters.map(({ start, headline, summary: text }) => (
              <li key={start}>
                <Time start={start} onSeek={onSeek} />
                <strong dir="auto">{headline}</strong>
                {text && text !== headline ? <p dir="auto">{text}</p> : null}
              </li>
            ))}
          </ol>
        </details>
      ) : null}
      {translations.map(({ language, utterances }) => (
        <details key={language} class="card">
          <summary>
            {t.panels.translation} · <bdi>{languageName(language)}</bdi>
          </summary>
          {utterances.map(({ start, text }) => (
            <p key={`${start}${text}`} dir="auto" lang={language || undefined}>
              <Time start={start} onSeek={onSeek} />
              {text}
            </p>
          ))}
        </details>
      ))}
    </>
  );
}
