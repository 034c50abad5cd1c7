// Live transcription.
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { at } from "../address.ts";
import { attempt } from "../attempt.ts";
import { formats, t } from "../language/language.ts";
import { said } from "../language/messages.ts";
import { Rich } from "../language/rich.tsx";
import { Captions } from "../live/captions.tsx";
import type { Source } from "../live/capture.ts";
import { LeftSessions } from "../live/left-sessions.tsx";
import { type LiveRecording, live } from "../live/live-recording.ts";
import type { SessionEvent } from "../live/session.ts";
import { ShareCaptions } from "../live/share-captions.tsx";
import { readChoice, storeChoice } from "../memory.ts";
import { bodySchema, documentHint, loadDocument } from "../openapi.ts";
import { notice } from "../parts/notices.tsx";
import { LIVE_OPTIONS } from "../parts/option-names.ts";
import { SchemaForm, type Values } from "../parts/schema-form.tsx";
import { useTitle } from "../use-title.ts";

/** The interface's defaults suit voice agents; these give whole sentences for readers. */
const FIRST_OPTIONS: Values = { endpointing: 0.3, maximum_duration_without_endpointing: 15 };

export function Live() {
  useTitle(t.frame.live);
  const options = useSignal<Values>(readChoice("live-options", FIRST_OPTIONS));
  const captions = useRef<HTMLElement>(null);
  useEffect(() => {
    loadDocument().catch(() => undefined);
  }, []);
  const endedId = live.endedId.value;
  return (
    <div class="columns">
      <h1 class="unseen">{t.frame.live}</h1>
      <div>
        <section class="card" aria-label={t.live.source}>
          {live.running.value ? (
            <Controls
              live={live}
              onFullScreen={() => void attempt(async () => captions.current?.requestFullscreen())}
            />
          ) : (
            <>
              {live.isElsewhere.value ? <p role="status">{t.live.elsewhere}</p> : null}
              <LeftSessions live={live} />
              <Sources isBusy={live.isStarting.value} onBegin={(source) => live.start(source, options.peek())} />
            </>
          )}
          <p class="problem" role="alert">
            {said(live.problem.value)}
          </p>
          {live.isWaiting ? null : <Meters live={live} />}
        </section>
        <section class="card captions" ref={captions} aria-label={t.live.captions}>
          <Captions live={live} />
        </section>
        {endedId ? (
          <p>
            <Rich text={t.live.over} parts={[(words) => <a href={at(`/jobs/${endedId}`)}>{words}</a>]} />
          </p>
        ) : null}
        <Events live={live} />
      </div>
      <section class="card" aria-labelledby="live-options">
        <h2 id="live-options">{t.transcribe.options}</h2>
        <LiveOptions
          options={options.value}
          isLocked={live.running.value !== undefined}
          onChange={(values) => {
            options.value = values ?? {};
            storeChoice("live-options", options.value);
          }}
        />
      </section>
    </div>
  );
}

interface LiveProps {
  live: LiveRecording;
}

function Controls({ live, onFullScreen }: LiveProps & { onFullScreen(): void }) {
  const { value: running } = live.running;
  const connection = running?.session.connection.value ?? "connecting";
  const { isWaiting } = live;
  return (
    <>
      {isWaiting && connection !== "finishing" ? (
        <>
          <p>{t.live.notRecording}</p>
          <Sources isBusy={live.isStarting.value} onBegin={(source) => live.listen(source)} />
        </>
      ) : null}
      <div class="row wrap live-controls">
        <button type="button" class="danger" onClick={() => live.end()} disabled={connection === "finishing"}>
          {t.frame.stop}
        </button>
        <button type="button" onClick={onFullScreen}>
          {t.live.fullScreen}
        </button>
        <span class={`status ${connection}`} role="status">
          {isWaiting && connection === "open" ? t.live.connected : t.live.connections[connection]}
        </span>
        {running ? <ShareCaptions session={running.session.stored} /> : null}
      </div>
    </>
  );
}

function Meters({ live }: LiveProps) {
  const latency = live.medianLatency;
  const reconnections = live.running.value?.session.repairs.value ?? 0;
  return (
    <div class="row wrap meters">
      <label class="row">
        <span>{t.live.level}</span>
        <meter min={0} max={0.4} low={0.01} high={0.35} optimum={0.1} value={live.level.value}>
          {Math.round(live.level.value * 100)}
        </meter>
      </label>
      <span class={live.isSpeaking.value ? "tag speaking" : "tag"}>
        {live.isSpeaking.value ? t.live.speech : t.live.noSpeech}
      </span>
      <span class="tag" title={t.live.latencyHint}>
        {latency === undefined ? t.live.noWords : t.live.latency(formats.milliseconds(latency * 1000))}
      </span>
      {reconnections > 0 ? <span class="tag">{t.live.reconnected(reconnections)}</span> : null}
    </div>
  );
}

/** A message of another version of the service has no name here. */
function eventText({ time, type, problem }: SessionEvent): string {
  const names: Record<string, string> = t.live.messages;
  const name = names[type] ?? type.replaceAll("_", " ");
  return `${time} ${problem === undefined ? name : `${name}: ${said(problem)}`}`;
}

function Events({ live }: LiveProps) {
  const events = live.events.value;
  const earlier = live.earlierEvents.value;
  return (
    <details class="card">
      <summary>{t.live.events}</summary>
      <ul class="plain events">
        {events.map((event, index) => (
          <li key={`${events.length - index}${event.time}`}>{eventText(event)}</li>
        ))}
        {earlier > 0 ? <li>{t.live.earlierEvents(earlier)}</li> : null}
      </ul>
    </details>
  );
}

function LiveOptions({
  options,
  isLocked,
  onChange,
}: {
  options: Values;
  isLocked: boolean;
  onChange(values: Values | undefined): void;
}) {
  const schema = bodySchema("post", "/v2/live");
  if (!schema) return <p class="hint">{documentHint.value}</p>;
  return (
    <fieldset disabled={isLocked} class="bare">
      {isLocked ? <p class="hint">{t.live.nextSession}</p> : null}
      <SchemaForm schema={schema} values={options} onChange={onChange} names={LIVE_OPTIONS} />
    </fieldset>
  );
}

function Sources({ isBusy, onBegin }: { isBusy: boolean; onBegin(source: Source): void }) {
  const canShare = typeof navigator.mediaDevices?.getDisplayMedia === "function";
  return (
    <div class="row wrap">
      <button type="button" class="primary" disabled={isBusy} onClick={() => onBegin({ kind: "microphone" })}>
        {t.live.microphone}
      </button>
      <button
        type="button"
        disabled={isBusy || !canShare}
        title={canShare ? undefined : t.live.cannotShare}
        onClick={() => onBegin({ kind: "tab" })}
      >
        {t.live.tab}
      </button>
      <label class={`button${isBusy ? " disabled" : ""}`}>
        {t.live.file}
        <input
          type="file"
          class="unseen"
          name="live-file"
          disabled={isBusy}
          accept="audio/*,video/*"
          onChange={({ currentTarget }) => {
            const file = currentTarget.files?.[0];
            currentTarget.value = "";
            if (file) onBegin({ kind: "file", file });
            else notice(t.live.noFile, "bad");
          }}
        />
      </label>
    </div>
  );
}
