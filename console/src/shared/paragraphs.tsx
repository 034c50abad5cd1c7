// The text of a shared transcript. All of it is in the page, so that the search of the browser finds every word.
import { type ReadonlySignal, useSignalEffect } from "@preact/signals";
import { memo } from "preact/compat";
import { useRef } from "preact/hooks";
import { t } from "../language/language.ts";
import type { SharedTranscript } from "../shapes.ts";
import { clock } from "../time.ts";
import { shownSpeaker, speakerClass } from "../transcript/speakers.ts";
import { Stamp } from "../transcript/stamp.tsx";

type Speech = SharedTranscript["paragraphs"][number];

interface ParagraphsProps {
  paragraphs: readonly Speech[];
  names: Readonly<Record<string, string>>;
  /** Seconds of the playback; undefined before it began. */
  time: ReadonlySignal<number | undefined>;
  /** Absent without a recording: times are then no buttons. */
  onSeek?: ((seconds: number) => void) | undefined;
}

const PLAYED = "played";

const isInView = (element: Element): boolean => {
  const { top, bottom } = element.getBoundingClientRect();
  return bottom > 0 && top < innerHeight;
};

export function Time({ start, onSeek }: { start: number; onSeek?: ((seconds: number) => void) | undefined }) {
  return onSeek ? <Stamp start={start} onSeek={onSeek} isNamed /> : <span class="stamp">{clock(start)}</span>;
}

const Paragraph = memo(function Paragraph({
  speech: { start, speaker, language, text },
  name,
  onSeek,
}: {
  speech: Speech;
  name: string | undefined;
  onSeek?: ((seconds: number) => void) | undefined;
}) {
  return (
    <article class={`utterance ${speakerClass(speaker ?? undefined)}`}>
      <header>
        {name === undefined ? null : (
          <strong>
            <bdi>{name}</bdi>
          </strong>
        )}
        <Time start={start} onSeek={onSeek} />
      </header>
      <p class="words" dir="auto" lang={language || undefined}>
        {text}
      </p>
    </article>
  );
});

export function Paragraphs({ paragraphs, names, time, onSeek }: ParagraphsProps) {
  const place = useRef<HTMLElement>(null);
  // Marks the paragraph that is played. The page follows the playback unless the reader has scrolled elsewhere.
  useSignalEffect(() => {
    const { value: seconds } = time;
    if (seconds === undefined || !place.current) return;
    const { children } = place.current;
    const before = place.current.querySelector(`.${PLAYED}`);
    const now = children[paragraphs.findLastIndex(({ start }) => start <= seconds)];
    if (before === now) return;
    const isFollowed = before === null || isInView(before);
    before?.classList.remove(PLAYED);
    now?.classList.add(PLAYED);
    if (isFollowed) now?.scrollIntoView({ block: "nearest" });
  });
  return (
    <section class="document" ref={place} aria-label={t.transcript.transcript}>
      {paragraphs.map((speech) => (
        <Paragraph
          key={`${speech.start}/${speech.speaker}/${speech.text}`}
          speech={speech}
          name={speech.speaker === null ? undefined : shownSpeaker(speech.speaker, names)}
          onSeek={onSeek}
        />
      ))}
    </section>
  );
}
