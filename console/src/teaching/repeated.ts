// Repeated corrections and the vocabulary, as the service has them.
import { errorMessage, get, send } from "../api.ts";
import { formats, t } from "../language/language.ts";
import { notice } from "../parts/notices.tsx";
import type {
  AccountVocabulary,
  AppliedPlaces,
  CorrectablePlace,
  PlacesPage,
  RepeatedCorrection,
  RepeatedPage,
} from "../shapes.ts";

const path = ({ id }: Pick<RepeatedCorrection, "id">) => `/v2/repeated-corrections/${id}`;
const withCursor = (cursor: string | null) => (cursor === null ? "" : `&cursor=${encodeURIComponent(cursor)}`);

/** Those to which a transcript has contributed, the last one first. */
export const repeatedOf = (jobId: string, limit: number) =>
  get<RepeatedPage>(`/v2/repeated-corrections?job_id=${jobId}&limit=${limit}`);

export const repeatedPage = (isDismissed: boolean, cursor: string | null) =>
  get<RepeatedPage>(`/v2/repeated-corrections?dismissed=${isDismissed}${withCursor(cursor)}`);

const placesPage = (repeated: RepeatedCorrection, cursor: string | null, signal?: AbortSignal) =>
  get<PlacesPage>(`${path(repeated)}/places?limit=50${withCursor(cursor)}`, signal);

/** Most pages that one search for places requests. */
const MOST_PAGES = 5;

/** The next page that has places, or the last one. */
export async function nextPlaces(
  repeated: RepeatedCorrection,
  cursor: string | null,
  signal?: AbortSignal,
): Promise<PlacesPage> {
  let page = await placesPage(repeated, cursor, signal);
  let { unread } = page;
  for (let count = 1; count < MOST_PAGES && page.items.length === 0 && page.next !== null; count++) {
    page = await placesPage(repeated, page.next, signal);
    unread += page.unread;
  }
  return { ...page, unread };
}

export const correctPlaces = (repeated: RepeatedCorrection, places: readonly CorrectablePlace[]) =>
  send<AppliedPlaces>("POST", `${path(repeated)}/places`, {
    places: places.map(({ job_id, index, start, end, text }) => ({ job_id, index, start, end, text })),
  });

export const setDismissed = (repeated: RepeatedCorrection, dismissed: boolean) =>
  send<RepeatedCorrection>("PATCH", path(repeated), { dismissed });

/** Adds the corrected words to the vocabulary, and what was recognised in their place. */
export async function teach({ before, after }: RepeatedCorrection): Promise<void> {
  await send("POST", "/v2/vocabulary/words", { value: after, pronunciations: [before] });
  const { enabled } = await get<AccountVocabulary>("/v2/vocabulary");
  notice(enabled ? t.teaching.added(after) : t.teaching.addedWhileOff(after));
}

/** Undoes the corrections of `correctPlaces`. @returns failures, a sentence each */
export async function undoPlaces({ transcripts }: AppliedPlaces): Promise<string[]> {
  const failures: string[] = [];
  for (const { job_id, correction_id } of transcripts) {
    if (correction_id === null) continue;
    await send("DELETE", `/v2/transcription/${job_id}/corrections/${correction_id}`).catch((error: unknown) => {
      failures.push(errorMessage(error));
    });
  }
  return failures;
}

const quotedList = (texts: readonly string[]) => formats.list(texts.map((text) => t.teaching.quoted(text)));

export const correctionText = ({ before, after, utterances }: RepeatedCorrection): string =>
  t.teaching.wasCorrected(before, after, utterances);

/** What else replaced the words; empty if there is nothing. */
export function othersText({ others, further_others: more = 0 }: RepeatedCorrection): string {
  if (others.length === 0) return "";
  const listed = quotedList(others);
  return more > 0 ? t.teaching.alsoMore(listed, more) : t.teaching.alsoCorrected(listed);
}

export const pronouncedText = (pronunciations: readonly string[]): string =>
  t.teaching.pronounced(quotedList(pronunciations));
