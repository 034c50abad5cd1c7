// Options of live sessions, which cannot be changed during one, and the events of this one. The drawer is a dialog: the focus returns to its button.
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { formats, t } from "../language/language.ts";
import { said } from "../language/messages.ts";
import { bodySchema, documentHint, loadDocument } from "../openapi.ts";
import { DialogHead } from "../parts/dialog-parts.tsx";
import { LIVE_OPTIONS } from "../parts/option-names.ts";
import { SchemaForm, type Values } from "../parts/schema-form.tsx";
import type { LiveRecording } from "./live-recording.ts";
import type { SessionEvent } from "./session.ts";

interface DrawerProps {
  live: LiveRecording;
  options: Values;
  onChange(values: Values | undefined): void;
}

export function OptionsDrawer(props: DrawerProps) {
  const isOpen = useSignal(false);
  return (
    <>
      <button
        type="button"
        aria-haspopup="dialog"
        onClick={() => {
          isOpen.value = true;
        }}
      >
        {t.transcribe.options}
      </button>
      {isOpen.value ? (
        <Drawer
          {...props}
          onClose={() => {
            isOpen.value = false;
          }}
        />
      ) : null}
    </>
  );
}

function Drawer({ live, options, onChange, onClose }: DrawerProps & { onClose(): void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    // A click beside the drawer closes it.
    dialog.current?.setAttribute("closedby", "any");
    dialog.current?.showModal();
    loadDocument().catch(() => undefined);
  }, []);
  const schema = bodySchema("post", "/v2/live");
  const isLocked = live.running.value !== undefined;
  return (
    <dialog ref={dialog} class="drawer" aria-label={t.transcribe.options} onClose={onClose}>
      <div class="drawer-body">
        <DialogHead of={dialog}>{t.transcribe.options}</DialogHead>
        {isLocked ? <p class="hint">{t.live.afterSession}</p> : null}
        {schema ? (
          <fieldset disabled={isLocked} class="bare">
            <SchemaForm schema={schema} values={options} onChange={onChange} names={LIVE_OPTIONS} />
          </fieldset>
        ) : (
          <p class="hint">{documentHint.value}</p>
        )}
        <Events live={live} />
      </div>
    </dialog>
  );
}

/** A message of another version of the service has no name here. */
function eventText({ time, type, problem }: SessionEvent): string {
  const names: Record<string, string> = t.live.messages;
  const name = names[type] ?? type.replaceAll("_", " ");
  return `${time} ${problem === undefined ? name : `${name}: ${said(problem)}`}`;
}

function Events({ live: { words } }: { live: LiveRecording }) {
  const events = words.events.value;
  const earlier = words.earlierEvents.value;
  const latency = words.latency.value;
  if (events.length === 0) return null;
  return (
    <details class="events-part">
      <summary>{t.live.events}</summary>
      <p title={t.live.latencyHint}>
        {latency === undefined ? t.live.noWords : t.live.latency(formats.milliseconds(latency * 1000))}
      </p>
      <ul class="plain events">
        {events.map((event, index) => (
          <li key={`${events.length - index}${event.time}`}>{eventText(event)}</li>
        ))}
        {earlier > 0 ? <li>{t.live.earlierEvents(earlier)}</li> : null}
      </ul>
    </details>
  );
}
