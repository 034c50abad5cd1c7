// An item of a connection: a stretch of audio with its transcript.
import { randomUUID } from "node:crypto";
import type { Logprob } from "../../../../contract/openai.ts";
import type { RealtimeError, RealtimeItem, RealtimeMessage } from "../../../../contract/realtime.ts";
import type { Utterance } from "../../../../contract/transcript/transcript.ts";
import { spaceBefore } from "../../../../speech/text/joined-texts.ts";
import { logprobsOf } from "../../../transcripts/answer-parts.ts";
import { type Segment, segmentsOf } from "./segments.ts";

export class Item {
  readonly id = `item_${randomUUID().replaceAll("-", "")}`;
  text = "";
  readonly languages = new Set<string>();
  readonly logprobs: Logprob[] = [];
  readonly segments: Segment[] = [];
  failure: RealtimeError | undefined;
  /** Of its first final, seconds. */
  start: number | undefined;

  private last: Utterance | undefined;

  add(utterance: Utterance): { delta: string; logprobs: Logprob[] } {
    const { last } = this;
    const text = utterance.text.trimStart();
    const delta = last && text !== "" ? spaceBefore(last, utterance) + text : text;
    if (text !== "") this.last = utterance;
    const logprobs = logprobsOf(utterance.words);
    this.text += delta;
    this.start ??= utterance.start;
    this.languages.add(utterance.language);
    this.logprobs.push(...logprobs);
    this.segments.push(...segmentsOf(utterance));
    return { delta, logprobs };
  }
}

/** @param transcript  null until it is complete */
const shapeOf = (id: string, transcript: string | null): RealtimeItem => ({
  id,
  object: "realtime.item",
  type: "message",
  status: "completed",
  role: "user",
  content: [{ type: "input_audio", transcript }],
});

/** Committed items that a connection can retrieve: clients retrieve each once its transcript is complete. */
const MOST_KEPT = 100;

/** The last committed items, in their order. */
export class CommittedItems {
  private readonly transcripts = new Map<string, string | null>();
  private previousId: string | null = null;

  /** @param isBeta  of the client */
  commit({ id }: Item, isBeta: boolean): RealtimeMessage[] {
    const previous_item_id = this.previousId;
    this.previousId = id;
    this.transcripts.set(id, null);
    const [oldest] = this.transcripts.keys();
    if (oldest !== undefined && this.transcripts.size > MOST_KEPT) this.transcripts.delete(oldest);
    const of = (type: "conversation.item.created" | "conversation.item.added" | "conversation.item.done") => ({
      type,
      previous_item_id,
      item: shapeOf(id, null),
    });
    const items = isBeta
      ? [of("conversation.item.created")]
      : [of("conversation.item.added"), of("conversation.item.done")];
    return [{ type: "input_audio_buffer.committed", item_id: id, previous_item_id }, ...items];
  }

  complete({ id, text }: Item): void {
    if (this.transcripts.has(id)) this.transcripts.set(id, text);
  }

  /** @returns undefined for an item that is not known */
  retrieve(id: string): RealtimeMessage | undefined {
    const transcript = this.transcripts.get(id);
    if (transcript === undefined) return undefined;
    return { type: "conversation.item.retrieved", item: shapeOf(id, transcript) };
  }
}
