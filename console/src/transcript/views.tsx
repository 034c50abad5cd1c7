// The views of a transcript: the document, and its subtitles, whose code is loaded when they are opened.
import { type Signal, signal } from "@preact/signals";
import type { ComponentType } from "preact";
import { useEffect, useMemo } from "preact/hooks";
import { useLocation } from "preact-iso";
import { errorMessage } from "../api.ts";
import { t } from "../language/language.ts";
import type { SubtitlesProps } from "./subtitles/subtitles-view.tsx";

const VIEWS = ["text", "subtitles"] as const;
export type ViewName = (typeof VIEWS)[number];

const PARAMETER = "view";

/** The view that the address names; a change is written to it. */
export function useView(): Signal<ViewName> {
  const { query } = useLocation();
  return useMemo(() => signal<ViewName>(query[PARAMETER] === "subtitles" ? "subtitles" : "text"), []);
}

export function ViewSwitch({ view, onLeave }: { view: Signal<ViewName>; onLeave(): void }) {
  const open = (name: ViewName) => {
    if (name === view.value) return;
    onLeave();
    view.value = name;
    const address = new URL(location.href);
    if (name === "text") address.searchParams.delete(PARAMETER);
    else address.searchParams.set(PARAMETER, name);
    history.replaceState(history.state, "", address);
  };
  return (
    <fieldset class="bare row views">
      <legend class="unseen">{t.transcript.view}</legend>
      {VIEWS.map((name) => (
        <button key={name} type="button" aria-pressed={name === view.value} onClick={() => open(name)}>
          {t.transcript.views[name]}
        </button>
      ))}
    </fieldset>
  );
}

const loaded = signal<ComponentType<SubtitlesProps> | undefined>(undefined);
const problem = signal("");

export function SubtitlesPlace(props: SubtitlesProps) {
  useEffect(() => {
    if (loaded.peek()) return;
    problem.value = "";
    import("./subtitles/subtitles-view.tsx").then(
      ({ SubtitlesView }) => {
        loaded.value = SubtitlesView;
      },
      (error: unknown) => {
        problem.value = errorMessage(error);
      },
    );
  }, []);
  const { value: View } = loaded;
  if (View) return <View {...props} />;
  return (
    <p class={`empty ${problem.value ? "problem" : ""}`} role={problem.value ? "alert" : "status"}>
      {problem.value ? t.transcript.subtitlesFailed(problem.value) : t.frame.loading}
    </p>
  );
}
