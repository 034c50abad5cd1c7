// The bar above the captions of a session: its title, state, time and level, and what one can do with it.
import type { ComponentChildren } from "preact";
import { attempt } from "../attempt.ts";
import { jobName } from "../job-name.ts";
import { t } from "../language/language.ts";
import { copy } from "../parts/copy.ts";
import { notice } from "../parts/notices.tsx";
import { Rename } from "../parts/rename.tsx";
import { clock } from "../time.ts";
import { captionText } from "./caption-text.ts";
import type { LiveRecording } from "./live-recording.ts";
import { MicrophoneSelect } from "./microphone-select.tsx";
import type { LiveSession } from "./session.ts";
import { captionsLink, ShareCaptions } from "./share-captions.tsx";
import { Sources } from "./sources.tsx";

interface SessionProps {
  live: LiveRecording;
  session: LiveSession;
}

interface SessionBarProps extends SessionProps {
  onFullScreen(): void;
  /** Further buttons. */
  children: ComponentChildren;
}

export function SessionBar({ live, session, onFullScreen, children }: SessionBarProps) {
  const isFinishing = session.connection.value === "finishing";
  const { isWaiting } = live;
  const isPaused = live.isPaused.value;
  return (
    <>
      <div class="row wrap live-head">
        <Title live={live} session={session} />
        <State live={live} session={session} />
        <span class="live-time" role="timer" aria-label={t.live.elapsed} title={t.live.elapsed}>
          {clock(live.position.shown.value)}
        </span>
        {isWaiting || isPaused ? null : <Level live={live} />}
      </div>
      {isWaiting && !isFinishing ? (
        <>
          <p>{isPaused ? t.live.pausedHere : t.live.notRecording}</p>
          <Sources isBusy={live.isStarting.value} onBegin={(source) => live.listen(source)} />
        </>
      ) : null}
      <div class="row wrap live-controls">
        {isWaiting ? null : (
          <button
            type="button"
            class={isPaused ? "primary" : undefined}
            disabled={isFinishing}
            onClick={() => (isPaused ? live.resume() : live.pause())}
          >
            {isPaused ? t.live.resume : t.live.pause}
          </button>
        )}
        <button type="button" class="danger" onClick={() => live.end()} disabled={isFinishing}>
          {t.frame.stop}
        </button>
        {live.running.value?.capture?.source.kind === "microphone" ? (
          <MicrophoneSelect onChoose={() => live.changeMicrophone()} />
        ) : null}
        <CopyText live={live} />
        <CaptionsWindow session={session} />
        {document.fullscreenEnabled ? (
          <button type="button" onClick={onFullScreen}>
            {t.live.fullScreen}
          </button>
        ) : null}
        {children}
        <ShareCaptions session={session.stored} />
      </div>
    </>
  );
}

function Title({ live: { title }, session }: SessionProps) {
  const { value: name } = title.given;
  if (name === undefined) return null;
  const { id, at } = session.stored;
  const job = { id, name, file: null, kind: "live", created_at: new Date(at).toISOString() } as const;
  return (
    <Rename job={job} onNamed={() => title.read(id)}>
      <h2 dir="auto">{jobName(job)}</h2>
    </Rename>
  );
}

function State({ live, session }: SessionProps) {
  const connection = session.connection.value;
  const reconnections = session.repairs.value;
  const isOpen = connection === "open";
  const isPaused = live.isPaused.value && isOpen;
  return (
    <>
      <span class={`status ${isPaused ? "paused" : connection}`} role="status">
        {isPaused ? t.live.paused : live.isWaiting && isOpen ? t.live.connected : t.live.connections[connection]}
      </span>
      {reconnections > 0 ? <span class="tag">{t.live.reconnected(reconnections)}</span> : null}
    </>
  );
}

function Level({ live }: { live: LiveRecording }) {
  const isSpeaking = live.words.isSpeaking.value;
  return (
    <>
      <meter
        aria-label={t.live.level}
        title={t.live.level}
        min={0}
        max={0.4}
        low={0.01}
        high={0.35}
        optimum={0.1}
        value={live.level.value}
      >
        {Math.round(live.level.value * 100)}
      </meter>
      <span class={isSpeaking ? "tag speaking" : "tag"}>{isSpeaking ? t.live.speech : t.live.noSpeech}</span>
    </>
  );
}

/** Copies the captions, also after the session. */
export function CopyText({ live: { words } }: { live: LiveRecording }) {
  const lines = words.lines.value;
  return (
    <button
      type="button"
      disabled={lines.length === 0}
      onClick={() => void attempt(() => copy(captionText(lines, words.translations.value, words.names.value)))}
    >
      {t.live.copyText}
    </button>
  );
}

/** Shows the captions in a window of their own, which has no controls. */
function CaptionsWindow({ session: { id, stored } }: Pick<SessionProps, "session">) {
  const link = captionsLink(stored);
  if (link === undefined) return null;
  const show = () => {
    const shown = window.open(link, `captions-${id}`, "popup,width=960,height=420");
    if (shown) shown.focus();
    else notice(t.live.windowBlocked, "bad");
  };
  return (
    <button type="button" onClick={show}>
      {t.live.captionsWindow}
    </button>
  );
}
