// Captions of a live session for people with its link. They need no key, and reach nothing else of the console.
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { useRoute } from "preact-iso";
import { t } from "../language/language.ts";
import { Captions } from "../live/captions.tsx";
import { ViewedSession, type ViewState } from "../live/viewed-session.ts";
import { LanguageSelect } from "../parts/language-select.tsx";
import { useTitle } from "../use-title.ts";

const stateText = (state: ViewState, hasWords: boolean): string =>
  state === "open" && !hasWords ? t.viewer.silent : t.viewer[state];

export function SharedCaptions() {
  useTitle(t.viewer.title);
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
      <h1 class="unseen">{t.viewer.title}</h1>
      <div class="row between">
        <p class={`status ${state}`} role="status">
          {stateText(state, hasWords)}
        </p>
        <LanguageSelect />
      </div>
      {state === "refused" ? null : (
        <section class="captions" aria-label={t.live.captions}>
          <Captions live={session} />
        </section>
      )}
    </div>
  );
}
