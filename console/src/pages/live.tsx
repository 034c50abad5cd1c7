// Live transcription.
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { at } from "../address.ts";
import { Captions } from "../live/captions.tsx";
import type { Source } from "../live/capture.ts";
import { LeftSessions } from "../live/left-sessions.tsx";
import { type LiveRecording, live } from "../live/live-recording.ts";
import { ShareCaptions } from "../live/share-captions.tsx";
import { readChoice, storeChoice } from "../memory.ts";
import { bodySchema, documentProblem, loadDocument } from "../openapi.ts";
import { notice } from "../parts/notices.tsx";
import { SchemaForm, type Values } from "../parts/schema-form.tsx";
import { useTitle } from "../use-title.ts";

const OPTIONS = [
  "language_config",
  "diarization",
  "diarization_config",
  "endpointing",
  "maximum_duration_without_endpointing",
  "pre_processing",
  "realtime_processing",
  "post_processing",
  "model",
  "custom_metadata",
];
/** The interface's defaults suit voice agents; these give whole sentences for readers. */
const FIRST_OPTIONS: Values = { endpointing: 0.3, maximum_duration_without_endpointing: 15 };

const CONNECTIONS = {
  connecting: "Connecting",
  open: "Listening",
  broken: "Connection lost: reconnecting; no audio is lost",
  finishing: "Finishing the last words",
  ended: "Ended",
} as const;

export function Live() {
  useTitle("Live");
  const options = useSignal<Values>(readChoice("live-options", FIRST_OPTIONS));
  const captions = useRef<HTMLElement>(null);
  useEffect(() => {
    loadDocument().catch(() => undefined);
  }, []);
  const endedId = live.endedId.value;
  return (
    <div class="columns">
      <h1 class="unseen">Live</h1>
      <div>
        <section class="card" aria-label="Source">
          {live.running.value ? (
            <Controls live={live} onFullScreen={() => captions.current?.requestFullscreen()} />
          ) : (
            <>
              {live.isElsewhere.value ? <p role="status">Another window continues this session.</p> : null}
              <LeftSessions live={live} />
              <Sources isBusy={live.isStarting.value} onBegin={(source) => live.start(source, options.peek())} />
            </>
          )}
          <p class="problem" role="alert">
            {live.problem.value}
          </p>
          {live.isWaiting ? null : <Meters live={live} />}
        </section>
        <section class="card captions" ref={captions} aria-label="Captions">
          <Captions live={live} />
        </section>
        {endedId ? (
          <p>
            The session is over. <a href={at(`/jobs/${endedId}`)}>Its transcript and recording</a>
          </p>
        ) : null}
        <Events live={live} />
      </div>
      <section class="card" aria-labelledby="live-options">
        <h2 id="live-options">Options</h2>
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
          <p>The session is still open, but nothing is being recorded. Choose a source to continue.</p>
          <Sources isBusy={live.isStarting.value} onBegin={(source) => live.listen(source)} />
        </>
      ) : null}
      <div class="row wrap live-controls">
        <button type="button" class="danger" onClick={() => live.end()} disabled={connection === "finishing"}>
          Stop
        </button>
        <button type="button" onClick={onFullScreen}>
          Full screen
        </button>
        <span class={`status ${connection}`} role="status">
          {isWaiting && connection === "open" ? "Connected" : CONNECTIONS[connection]}
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
        <span>Level</span>
        <meter min={0} max={0.4} low={0.01} high={0.35} optimum={0.1} value={live.level.value}>
          {Math.round(live.level.value * 100)}
        </meter>
      </label>
      <span class={live.isSpeaking.value ? "tag speaking" : "tag"}>
        {live.isSpeaking.value ? "Speech" : "No speech"}
      </span>
      <span class="tag" title="Time from the end of a word until it is displayed, median of the last words">
        {latency === undefined ? "No words yet" : `Words after ${Math.round(latency * 1000)} ms`}
      </span>
      {reconnections > 0 ? (
        <span class="tag">Reconnected {reconnections === 1 ? "once" : `${reconnections} times`}</span>
      ) : null}
    </div>
  );
}

function Events({ live }: LiveProps) {
  const events = live.events.value;
  const earlier = live.earlierEvents.value;
  return (
    <details class="card">
      <summary>Session events</summary>
      <ul class="plain events">
        {events.map((event, index) => (
          <li key={`${events.length - index}${event}`}>{event}</li>
        ))}
        {earlier > 0 ? <li>{earlier} earlier ones are not shown</li> : null}
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
  if (!schema) return <p class="hint">{documentProblem.value || "Loading…"}</p>;
  return (
    <fieldset disabled={isLocked} class="bare">
      {isLocked ? <p class="hint">They apply to the next session.</p> : null}
      <SchemaForm schema={schema} values={options} onChange={onChange} names={OPTIONS} />
    </fieldset>
  );
}

function Sources({ isBusy, onBegin }: { isBusy: boolean; onBegin(source: Source): void }) {
  const canShare = typeof navigator.mediaDevices?.getDisplayMedia === "function";
  return (
    <div class="row wrap">
      <button type="button" class="primary" disabled={isBusy} onClick={() => onBegin({ kind: "microphone" })}>
        Microphone
      </button>
      <button
        type="button"
        disabled={isBusy || !canShare}
        title={canShare ? undefined : "This browser cannot share a tab"}
        onClick={() => onBegin({ kind: "tab" })}
      >
        Sound of a tab
      </button>
      <label class={`button${isBusy ? " disabled" : ""}`}>
        A file, played as live audio
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
            else notice("No file was selected", "bad");
          }}
        />
      </label>
    </div>
  );
}
