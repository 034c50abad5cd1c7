// Highlights and notes of a transcript, as the service has them.
import { signal } from "@preact/signals";
import type { Note, Notes } from "../../../src/contract/notes.ts";
import { get, send } from "../api.ts";
import { runsInTurn } from "../runs-in-turn.ts";

export type { Note };

/** Words of a channel, by the middles of the first and the last one. */
export type NotedWords = Pick<Note, "channel" | "start" | "end">;
export type NoteContent = Pick<Note, "colour" | "text">;

const inOrder = (notes: readonly Note[]) =>
  [...notes].sort((left, right) => left.start - right.start || (left.id < right.id ? -1 : 1));

export function noteStore(path: string) {
  const items = signal<readonly Note[]>([]);
  /** Number of changes that this page has stored. A list that was requested before one of them may lack it and is requested again. */
  let changes = 0;
  const put = (note: Note) => {
    changes++;
    items.value = inOrder([...items.value.filter(({ id }) => id !== note.id), note]);
  };
  const request = async () => {
    const all: Note[] = [];
    for (let query: string | undefined = ""; query !== undefined; ) {
      const page: Notes = await get(`${path}/notes${query}`);
      all.push(...page.items);
      query = page.next === null ? undefined : `?cursor=${encodeURIComponent(page.next)}`;
    }
    return all;
  };
  const load = runsInTurn(async () => {
    let before: number;
    let all: Note[];
    do {
      before = changes;
      all = await request();
    } while (before !== changes);
    items.value = all;
  });
  return {
    items,
    load,
    /** @throws ApiError */
    async add(words: NotedWords, content: NoteContent) {
      put(await send<Note>("POST", `${path}/notes`, { ...words, ...content }));
    },
    /** @throws ApiError if another person has changed the note since this page read it */
    async change({ id, version }: Note, content: NoteContent) {
      put(await send<Note>("PATCH", `${path}/notes/${id}`, { ...content, version }));
    },
    /** @throws ApiError as `change` */
    async remove({ id, version }: Note) {
      await send("DELETE", `${path}/notes/${id}?version=${version}`);
      changes++;
      items.value = items.value.filter((note) => note.id !== id);
    },
  };
}

export type NoteStore = ReturnType<typeof noteStore>;
