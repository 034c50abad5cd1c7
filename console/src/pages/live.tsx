// Live transcription. While a session runs, and until the next one, the captions fill the page.
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { MOST_JOB_NAME_CHARACTERS } from "../../../src/contract/bounds.ts";
import { at } from "../address.ts";
import { attempt } from "../attempt.ts";
import { chosenOptions } from "../chosen-options.ts";
import { t } from "../language/language.ts";
import { said } from "../language/messages.ts";
import { Rich } from "../language/rich.tsx";
import { Captions } from "../live/captions.tsx";
import { LeftSessions } from "../live/left-sessions.tsx";
import { type LiveRecording, live } from "../live/live-recording.ts";
import { OptionsDrawer } from "../live/options-drawer.tsx";
import { CopyText, SessionBar } from "../live/session-bar.tsx";
import { Sources } from "../live/sources.tsx";
import type { Values } from "../parts/schema-form.tsx";
import { useTitle } from "../use-title.ts";

/** The interface's defaults suit voice agents; these give whole sentences for readers. */
const FIRST_OPTIONS: Values = { endpointing: 0.3, maximum_duration_without_endpointing: 15 };
const { values: options, remember } = chosenOptions("live-options", FIRST_OPTIONS);

/** Focuses the next button when the one with the focus has disappeared. @param state  changes with the buttons @returns props of the element that contains them */
function useFocusOfButtons(state: string) {
  const element = useRef<HTMLElement>(null);
  const hadFocus = useRef(false);
  useEffect(() => {
    // keepFocus moves it to the content of the page.
    const { activeElement } = document;
    const isLost = activeElement === document.body || activeElement?.localName === "main";
    if (!hadFocus.current || !isLost) return;
    const next = element.current?.querySelector<HTMLElement>(
      "button.primary:not(:disabled), .live-controls button:not(:disabled)",
    );
    next?.focus({ preventScroll: true });
  }, [state]);
  const onFocusIn = () => {
    hadFocus.current = true;
  };
  return { ref: element, onFocusIn };
}

export function Live() {
  useTitle(t.frame.live);
  const captions = useRef<HTMLElement>(null);
  useEffect(() => live.title.load(), []);
  const session = live.running.value?.session;
  const isStarting = live.isStarting.value;
  const focus = useFocusOfButtons(`${session?.id} ${live.isWaiting} ${isStarting}`);
  const isFilled = session !== undefined || live.words.lines.value.length > 0;
  const drawer = <OptionsDrawer live={live} options={options.value} onChange={(values) => remember(values ?? {})} />;
  return (
    <div class={`live-page${isFilled ? " filled" : ""}`}>
      <h1 class="unseen">{t.frame.live}</h1>
      <section class="card live-card" aria-label={t.live.source} {...focus}>
        {session ? (
          <SessionBar
            live={live}
            session={session}
            onFullScreen={() => void attempt(async () => captions.current?.requestFullscreen())}
          >
            {drawer}
          </SessionBar>
        ) : (
          <Beginning live={live} options={options.value}>
            {drawer}
          </Beginning>
        )}
        <p class="problem" role="alert">
          {said(live.problem.value)}
        </p>
      </section>
      <section class="card captions" ref={captions} aria-label={t.live.captions}>
        <Captions live={live.words} />
      </section>
    </div>
  );
}

interface BeginningProps {
  live: LiveRecording;
  options: Values;
  /** Further buttons. */
  children: ComponentChildren;
}

function Beginning({ live, options, children }: BeginningProps) {
  const { value: title } = live.title.typed;
  return (
    <>
      <Ended live={live} />
      {live.isElsewhere.value ? <p role="status">{t.live.elsewhere}</p> : null}
      <LeftSessions live={live} />
      <label class="live-title-field">
        <span>{t.live.title}</span>
        <input
          type="text"
          dir="auto"
          maxLength={MOST_JOB_NAME_CHARACTERS}
          value={title.value}
          onInput={({ currentTarget }) => {
            title.value = currentTarget.value;
          }}
        />
      </label>
      <Sources isBusy={live.isStarting.value} onBegin={(source) => live.start(source, options)}>
        {children}
      </Sources>
    </>
  );
}

function Ended({ live }: { live: LiveRecording }) {
  const id = live.endedId.value;
  if (!id) return null;
  const name = live.title.given.value;
  return (
    <div class="row wrap">
      {name ? <h2 dir="auto">{name}</h2> : null}
      <p>
        <Rich text={t.live.over} parts={[(words) => <a href={at(`/jobs/${id}`)}>{words}</a>]} />
      </p>
      <CopyText live={live} />
    </div>
  );
}
