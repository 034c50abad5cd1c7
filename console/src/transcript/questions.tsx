// Questions about the transcript. Answers are streamed; the moments that they come from are buttons that play the recording there.
import { formats, t } from "../language/language.ts";
import { said } from "../language/messages.ts";
import type { PanelProps } from "./panel-props.ts";
import type { Asked } from "./question-store.ts";
import { Stamp } from "./stamp.tsx";
import type { TranscriptStore } from "./store.ts";

const MOST_CHARACTERS = 2_000;

interface AnswerProps {
  asked: Asked;
  onSeek(seconds: number): void;
  questions: TranscriptStore["questions"];
}

function Answer({ asked, onSeek, questions }: AnswerProps) {
  const parts = asked.answer.split(/\[(\d+)\]/);
  const isNamed = (index: number) => parts.some((part, at) => at % 2 === 1 && Number(part) === index);
  const others = Object.values(asked.citations).filter(({ index }) => !isNamed(index));
  return (
    <li>
      <strong dir="auto">{asked.question}</strong>
      <p dir="auto" aria-live="polite">
        {parts.map((part, at) => {
          if (at % 2 === 0) return part;
          const citation = asked.citations[Number(part)];
          return citation ? <Stamp key={`${at}`} start={citation.start} title={citation.text} onSeek={onSeek} /> : null;
        })}
        {others.map((citation) => (
          <Stamp key={citation.index} start={citation.start} title={citation.text} onSeek={onSeek} />
        ))}
      </p>
      {asked.unverified.length > 0 ? (
        <p class="hint">{t.questions.unverified(formats.list(asked.unverified))}</p>
      ) : null}
      {asked.hint ? <p class={asked.isBad ? "problem" : "hint"}>{said(asked.hint)}</p> : null}
      {asked.download ? (
        <button type="button" disabled={questions.isAsking.value} onClick={() => void questions.download(asked)}>
          {asked.download === "needed" ? t.questions.download : t.questions.downloadAgain}
        </button>
      ) : null}
      {asked.isOpen ? null : (
        <span class="row">
          {asked.hint && !asked.download ? (
            <button type="button" disabled={questions.isAsking.value} onClick={() => void questions.again(asked)}>
              {t.questions.again}
            </button>
          ) : null}
          <button type="button" class="quiet" onClick={() => questions.drop(asked)}>
            {t.questions.remove}
          </button>
        </span>
      )}
    </li>
  );
}

export function Questions({ store, onSeek }: PanelProps) {
  const { all, typed, isAsking, ask, stop } = store.questions;
  return (
    <>
      <form
        class="question"
        onSubmit={(event) => {
          event.preventDefault();
          void ask();
        }}
      >
        <label>
          {t.questions.askAbout}
          <input
            type="text"
            name="question"
            maxLength={MOST_CHARACTERS}
            autoComplete="off"
            required
            value={typed.value}
            onInput={({ currentTarget }) => {
              typed.value = currentTarget.value;
            }}
          />
        </label>
        {isAsking.value ? (
          <button type="button" onClick={stop}>
            {t.frame.stop}
          </button>
        ) : (
          <button type="submit">{t.questions.ask}</button>
        )}
      </form>
      <ol class="plain answers">
        {all.value.map((asked) => (
          <Answer key={asked.id} asked={asked} onSeek={onSeek} questions={store.questions} />
        ))}
      </ol>
      <p class="hint">{t.questions.hint}</p>
    </>
  );
}
