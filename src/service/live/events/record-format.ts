// The text of an event outside of connections: in the `messages` of a stored result, in callbacks, and in the journals of
// versions that stored the text in place of the event.
import type { EmittedEvent, LiveEvent } from "./live-event.ts";

export interface RecordFormat {
  /** @param emitted  an event of this version, see `classOf` */
  print(emitted: EmittedEvent): string;
  /** @returns the event without what its text leaves out, because it would be too large */
  eventForMessage(event: LiveEvent): Promise<LiveEvent>;
  /** @returns the event that an earlier version printed; undefined if the text is damaged */
  parse(text: string): EmittedEvent | undefined;
  /** Name of the event for callbacks. */
  nameOf(event: LiveEvent): string;
}
