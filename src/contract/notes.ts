// Highlights and notes on words of a transcript.
import type { Static } from "typebox";
import * as Type from "typebox";
import { MOST_NAME_CHARACTERS, MOST_NOTE_CHARACTERS } from "./bounds.ts";
import { DateTime, Enum, Name, Nullable, Version } from "./fields.ts";
import { NOTE_COLOURS } from "./note-colours.ts";

/** Of one transcript. */
export const MOST_NOTES = 2_000;
/** A page of notes with the longest texts has about a megabyte. */
export const NOTES_OF_PAGE = 200;
const HIGHEST_CHANNEL = 999;
/** More than any recording has. */
const MOST_SECONDS = 1_000_000;

const Channel = () => Type.Integer({ minimum: 0, maximum: HIGHEST_CHANNEL });
const Start = () =>
  Type.Number({
    minimum: 0,
    maximum: MOST_SECONDS,
    description: "In seconds: the words whose middle is at this time or later, as in a correction",
  });
const End = () =>
  Type.Number({ minimum: 0, maximum: MOST_SECONDS, description: "In seconds: … and at this time or earlier" });
const Colour = () => Enum(NOTE_COLOURS, { title: "NoteColour" });
const Text = () => Type.String({ maxLength: MOST_NOTE_CHARACTERS, description: "Empty: a highlight without a note" });

export const NewNote = Type.Object(
  {
    channel: Type.Optional(Type.Integer({ minimum: 0, maximum: HIGHEST_CHANNEL, default: 0 })),
    start: Start(),
    end: End(),
    colour: Type.Optional(Enum(NOTE_COLOURS, { default: "yellow" })),
    text: Type.Optional(Text()),
  },
  { title: "NewNote" },
);
export type NewNote = Static<typeof NewNote>;

export const NoteChange = Type.Object(
  {
    colour: Type.Optional(Colour()),
    text: Type.Optional(Text()),
    version: Type.Optional(Version("Of the note that was changed; if it is not the current one, answered 409")),
  },
  { title: "NoteChange" },
);
export type NoteChange = Static<typeof NoteChange>;

export const NoteBody = Type.Object(
  {
    id: Type.String({ format: "uuid" }),
    created_at: DateTime(),
    made_by: Type.String({ description: "Name of the key" }),
    changed_at: Nullable(DateTime()),
    changed_by: Nullable(Type.String()),
    version: Version("Every change increases it by one"),
    channel: Channel(),
    start: Start(),
    end: End(),
    colour: Colour(),
    text: Text(),
    quote: Type.String({ description: "The words as they read when the note was made" }),
  },
  { title: "Note" },
);
export type Note = Static<typeof NoteBody>;

export const NotesBody = Type.Object(
  {
    items: Type.Array(NoteBody, { description: "In the order of their times" }),
    next: Nullable(Type.String({ description: "cursor of the next page" })),
  },
  { title: "Notes" },
);
export type Notes = Static<typeof NotesBody>;

export const NotesQuery = Type.Object({
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: NOTES_OF_PAGE, default: NOTES_OF_PAGE })),
  cursor: Type.Optional(
    Type.String({ maxLength: MOST_NAME_CHARACTERS, description: "next of the page before; absent: the first page" }),
  ),
});

export const NoteParams = Type.Object({ id: Name(), note_id: Name() });
