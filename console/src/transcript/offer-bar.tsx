// After a correction that repeats an earlier one: offers the corrected word for the vocabulary, and the other places of the former one.
import { type Signal, useSignal, useSignalEffect } from "@preact/signals";
import { useRef } from "preact/hooks";
import { attempt } from "../attempt.ts";
import { t } from "../language/language.ts";
import type { PlacesPage, RepeatedCorrection } from "../shapes.ts";
import { PlacesDialog } from "../teaching/places-dialog.tsx";
import { correctionText, nextPlaces, othersText, repeatedOf, setDismissed, teach } from "../teaching/repeated.ts";
import type { TranscriptStore } from "./store.ts";

/** The service counts a correction about a second after it has stored it, and after five seconds at most. */
const LOOKS_MILLISECONDS = [1_500, 3_500, 7_000];
const MOST_LOOKED_AT = 5;

interface Offer {
  repeated: RepeatedCorrection;
  /** Missing where they could not be read. */
  places: PlacesPage | undefined;
}

const nameOf = ({ id, utterances }: RepeatedCorrection) => `${id} ${utterances}`;

/** The repeated correction that the last correction of this page made. */
function useOffer(store: TranscriptStore): Signal<Offer | undefined> {
  const offer = useSignal<Offer | undefined>(undefined);
  /** Those that were there before the first correction. */
  const known = useRef<Set<string> | undefined>(undefined);
  /** Each is shown once: correcting other places repeats it, too. */
  const shown = useRef(new Set<string>());
  const look = async (isFirst: boolean, signal: AbortSignal) => {
    const { items } = await repeatedOf(store.id, MOST_LOOKED_AT);
    if (signal.aborted) return;
    known.current ??= new Set(items.map(nameOf));
    const { current: before } = known;
    const news = items.find((item) => !before.has(nameOf(item)) && !shown.current.has(item.id));
    if (isFirst || !news) return;
    const places = await nextPlaces(news, null, signal).catch(() => undefined);
    if (signal.aborted) return;
    shown.current.add(news.id);
    if (news.in_vocabulary && places?.items.length === 0) return;
    offer.value = { repeated: news, places };
  };
  useSignalEffect(() => {
    const { value: job } = store.job;
    if (job && !known.current) void look(true, new AbortController().signal).catch(() => undefined);
  });
  useSignalEffect(() => {
    if (store.made.value.length === 0) return undefined;
    const gone = new AbortController();
    const timers = LOOKS_MILLISECONDS.map((milliseconds) =>
      setTimeout(() => void look(false, gone.signal).catch(() => undefined), milliseconds),
    );
    return () => {
      gone.abort();
      for (const timer of timers) clearTimeout(timer);
    };
  });
  return offer;
}

function showText(places: PlacesPage | undefined): string {
  if (!places) return t.teaching.showAny;
  const count = places.items.length;
  return places.next === null ? t.teaching.show(count) : t.teaching.showMany(count);
}

export function OfferBar({ store }: { store: TranscriptStore }) {
  const offer = useOffer(store);
  const opened = useSignal<Offer | undefined>(undefined);
  const { value: shown } = offer;
  const close = () => {
    offer.value = undefined;
  };
  return (
    <>
      {/* The region is there before its text, so that screen readers announce it. */}
      <div role="status" class="offer-place">
        {shown ? (
          <fieldset class="card row wrap offer">
            <legend class="unseen">{t.teaching.offer}</legend>
            <span class="grow" dir="auto">
              {correctionText(shown.repeated)} <span class="hint">{othersText(shown.repeated)}</span>
            </span>
            {shown.repeated.in_vocabulary ? null : (
              <button
                type="button"
                onClick={() =>
                  attempt(async () => {
                    await teach(shown.repeated);
                    const repeated = { ...shown.repeated, in_vocabulary: true };
                    offer.value = shown.places?.items.length === 0 ? undefined : { ...shown, repeated };
                  })
                }
              >
                {t.teaching.add}
              </button>
            )}
            {shown.places?.items.length === 0 ? null : (
              <button
                type="button"
                onClick={() => {
                  opened.value = shown;
                }}
              >
                {showText(shown.places)}
              </button>
            )}
            <button
              type="button"
              class="quiet"
              aria-label={t.teaching.dismissFor(shown.repeated.before)}
              onClick={() =>
                attempt(async () => {
                  await setDismissed(shown.repeated, true);
                  close();
                })
              }
            >
              {t.teaching.dismiss}
            </button>
          </fieldset>
        ) : null}
      </div>
      {opened.value ? (
        <PlacesDialog
          repeated={opened.value.repeated}
          first={opened.value.places}
          onClose={() => {
            opened.value = undefined;
            close();
            void store.refresh();
          }}
        />
      ) : null}
    </>
  );
}
