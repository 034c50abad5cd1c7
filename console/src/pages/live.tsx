// Live transcription.
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { at } from "../address.ts";
import { errorMessage } from "../api.ts";
import { Captions, type Line, type Translations, withTranslation } from "../live/captions.tsx";
import { type Capture, capture, type Source } from "../live/capture.ts";
import { LiveSession } from "../live/session.ts";
import { readChoice, storeChoice } from "../memory.ts";
import { bodySchema, documentProblem, loadDocument } from "../openapi.ts";
import { notice } from "../parts/notices.tsx";
import { SchemaForm, type Values } from "../parts/schema-form.tsx";
import type { Utterance } from "../shapes.ts";
import { clock } from "../time.ts";

interface Running {
  session: LiveSession;
  capture: Capture;
}

const OPTIONS = [
  "language_config",
  "endpointing",
  "maximum_duration_without_endpointing",
  "pre_processing",
  "realtime_processing",
  "post_processing",
  "model",
  "custom_metadata",
];
const BYTES_PER_SAMPLE = 2;
/** Number of most recent words whose latency is shown. */
const LAST_WORDS = 15;
const EVENTS_SHOWN = 40;
/** The interface's defaults suit voice agents; these give whole sentences for readers. */
const FIRST_OPTIONS: Values = { endpointing: 0.3, maximum_duration_without_endpointing: 15 };

const CONNECTIONS = {
  connecting: "Connecting",
  open: "Listening",
  broken: "Connection lost: reconnecting; no audio is lost",
  finishing: "Finishing the last words",
  ended: "Ended",
} as const;

function median(values: readonly number[]): number | undefined {
  return values.toSorted((left, right) => left - right)[Math.floor(values.length / 2)];
}

export function Live() {
  const options = useSignal<Values>(readChoice("live-options", FIRST_OPTIONS));
  const running = useSignal<Running | undefined>(undefined);
  const lines = useSignal<Line[]>([]);
  const translations = useSignal<Translations>({});
  const events = useSignal<string[]>([]);
  const level = useSignal(0);
  const isSpeaking = useSignal(false);
  const latencies = useSignal<number[]>([]);
  const problem = useSignal("");
  const endedId = useSignal<string | undefined>(undefined);
  const isStarting = useSignal(false);
  const audioPosition = useRef({ samples: 0, sampleRate: 16_000, lastEnd: 0 });
  const captions = useRef<HTMLElement>(null);
  const words = useRef<HTMLDivElement>(null);

  useEffect(() => {
    loadDocument().catch(() => undefined);
    return () => {
      running.peek()?.capture.stop();
      running.peek()?.session.stop();
    };
  }, []);
  useEffect(
    () =>
      lines.subscribe(() => {
        // After the new words are rendered.
        requestAnimationFrame(() => words.current?.scrollTo({ top: words.current.scrollHeight }));
      }),
    [],
  );

  const note = (text: string) => {
    events.value = [
      `${clock(audioPosition.current.samples / audioPosition.current.sampleRate)} ${text}`,
      ...events.value,
    ].slice(0, EVENTS_SHOWN);
  };
  const showTranscript = (id: string, isFinal: boolean, utterance: Utterance) => {
    const { samples, sampleRate, lastEnd } = audioPosition.current;
    const last = utterance.words.at(-1)?.end ?? 0;
    if (last > lastEnd) {
      audioPosition.current.lastEnd = last;
      latencies.value = [...latencies.value, Math.max(0, samples / sampleRate - last)].slice(-LAST_WORDS);
    }
    const line = { id, isFinal, text: utterance.text.trim(), language: utterance.language, start: utterance.start };
    const known = lines.value.findIndex((one) => one.id === id);
    // After a reconnection, messages without an acknowledgment are sent again: a final may arrive twice.
    if (known >= 0 && lines.value[known]?.isFinal) return;
    lines.value = known < 0 ? [...lines.value, line] : lines.value.with(known, line);
    if (isFinal) lines.value = lines.value.filter(({ text }) => text !== "");
  };

  const startSession = async (source: Source) => {
    problem.value = "";
    isStarting.value = true;
    lines.value = [];
    translations.value = {};
    events.value = [];
    latencies.value = [];
    endedId.value = undefined;
    audioPosition.current = { samples: 0, sampleRate: 16_000, lastEnd: 0 };
    let session: LiveSession | undefined;
    const early: Int16Array[] = [];
    let captured: Capture | undefined;
    try {
      captured = await capture(source, {
        onSamples: (samples, loudness) => {
          level.value = loudness;
          audioPosition.current.samples += samples.length;
          if (session) session.sendAudio(samples);
          else early.push(samples);
        },
        onEnd: () => end(),
      });
      audioPosition.current.sampleRate = captured.sampleRate;
      session = await LiveSession.create(
        {
          ...options.value,
          encoding: "wav/pcm",
          bit_depth: BYTES_PER_SAMPLE * 8,
          sample_rate: captured.sampleRate,
          channels: 1,
          messages_config: { receive_partial_transcripts: true, receive_lifecycle_events: true },
        },
        {
          onTranscript: showTranscript,
          onMessage: (message) => {
            const { type } = message;
            if (type === "speech_start") isSpeaking.value = true;
            if (type === "speech_end") isSpeaking.value = false;
            const problem = "error" in message ? message.error?.message : undefined;
            if (problem) note(`${type}: ${problem}`);
            else if (type !== "transcript" && type !== "audio_chunk" && type !== "translation") {
              note(type.replaceAll("_", " "));
            }
            if (message.type === "translation" && message.data) {
              const { utterance_id, target_language, translated_utterance, is_final = true } = message.data;
              const line = { text: translated_utterance.text.trim(), isFinal: is_final };
              translations.value = withTranslation(translations.value, utterance_id, target_language, line);
            }
          },
          onEnded: (reason) => {
            running.value?.capture.stop();
            endedId.value = running.value?.session.id;
            running.value = undefined;
            level.value = 0;
            isSpeaking.value = false;
            if (reason) problem.value = reason;
          },
        },
      );
      for (const samples of early.splice(0)) session.sendAudio(samples);
      running.value = { session, capture: captured };
    } catch (error) {
      captured?.stop();
      problem.value = errorMessage(error);
    } finally {
      isStarting.value = false;
    }
  };
  const end = () => {
    running.value?.capture.stop();
    running.value?.session.stop();
  };

  const now = running.value;
  const connection = now?.session.connection.value;
  const medianLatency = median(latencies.value);
  return (
    <div class="columns">
      <h1 class="unseen">Live</h1>
      <div>
        <section class="card" aria-label="Source">
          {now ? (
            <div class="row wrap">
              <button type="button" class="danger" onClick={end} disabled={connection === "finishing"}>
                Stop
              </button>
              <button type="button" onClick={() => captions.current?.requestFullscreen()}>
                Full screen
              </button>
              <span class={`status ${connection}`} role="status">
                {CONNECTIONS[connection ?? "connecting"]}
              </span>
            </div>
          ) : (
            <Sources isBusy={isStarting.value} onBegin={startSession} />
          )}
          <p class="problem" role="alert">
            {problem.value}
          </p>
          <div class="row wrap meters">
            <label class="row">
              <span>Level</span>
              <meter min={0} max={0.4} low={0.01} high={0.35} optimum={0.1} value={level.value}>
                {Math.round(level.value * 100)}
              </meter>
            </label>
            <span class={isSpeaking.value ? "tag speaking" : "tag"}>{isSpeaking.value ? "Speech" : "No speech"}</span>
            <span class="tag" title="Time from the end of a word until it is displayed, median of the last words">
              {medianLatency === undefined ? "No words yet" : `Words after ${Math.round(medianLatency * 1000)} ms`}
            </span>
            {now && now.session.repairs.value > 0 ? (
              <span class="tag">
                Reconnected {now.session.repairs.value === 1 ? "once" : `${now.session.repairs.value} times`}
              </span>
            ) : null}
          </div>
        </section>
        <section class="card captions" ref={captions} aria-label="Captions">
          <Captions lines={lines.value} translations={translations.value} words={words} />
        </section>
        {endedId.value ? (
          <p>
            The session is over. <a href={at(`/jobs/${endedId.value}`)}>Its transcript and recording</a>
          </p>
        ) : null}
        <details class="card">
          <summary>Session events</summary>
          <ul class="plain events">
            {events.value.map((event, index) => (
              <li key={`${events.value.length - index}${event}`}>{event}</li>
            ))}
          </ul>
        </details>
      </div>
      <section class="card" aria-labelledby="live-options">
        <h2 id="live-options">Options</h2>
        <LiveOptions
          options={options.value}
          isLocked={now !== undefined}
          onChange={(values) => {
            options.value = values ?? {};
            storeChoice("live-options", options.value);
          }}
        />
      </section>
    </div>
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
