// Captions of a live session for people with its link. They need no key, and reach nothing else of the console.
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { useRoute } from "preact-iso";
import { Captions } from "../live/captions.tsx";
import { ViewedSession, type ViewState } from "../live/viewed-session.ts";
import { useTitle } from "../use-title.ts";

const STATES: Record<ViewState, string> = {
  connecting: "Connecting…",
  open: "Live",
  broken: "Connection lost. This page continues by itself.",
  over: "The session is over.",
  refused:
    "These captions are not available: the link is incomplete, or the recording was deleted. Ask for a new link.",
};

export function SharedCaptions() {
  useTitle("Live captions");
  const { params, query } = useRoute();
  const { id = "" } = params;
  const { token = "" } = query;
  const viewed = useSignal<ViewedSession | undefined>(undefined);
  useEffect(() => {
    const session = new ViewedSession(id, token);
    viewed.value = session;
    return () => session.close();
  }, [id, token]);
  const session = viewed.value;
  if (!session) return null;
  const state = session.state.value;
  const hasWords = session.lines.value.length > 0;
  return (
    <div class="shared-captions">
      <h1 class="unseen">Live captions</h1>
      <p class={`status ${state}`} role="status">
        {STATES[state]}
        {state === "open" && !hasWords ? " – nobody has spoken yet" : ""}
      </p>
      {state === "refused" ? null : (
        <section class="captions" aria-label="Captions">
          <Captions live={session} />
        </section>
      )}
    </div>
  );
}
