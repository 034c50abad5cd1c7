// Passes of the decoder over one text or several, and where the keys and values of each text lie meanwhile.
import * as ort from "onnxruntime-node";
import type { Pass, TextStep } from "../recognition/decoding/decoder.ts";
import type { FloatStore } from "./float-store.ts";
import { floatsIn, type KeyValueShape, KeyValues } from "./key-values.ts";
import { emptyTensor, floatsOf, integerTensor } from "./tensors.ts";
import { attentionName, crossNames, newNames, pastNames, slotName, type TextShape } from "./text-names.ts";

/** Audio as a decoder looks at it. */
export interface HeardAudio {
  frames: number;
  /** Keys and values [1, heads, frames, headSize] of every decoder layer. */
  cross: readonly ort.Tensor[];
}

/** @param take  so many numbers of any value */
export function crossTensors(
  text: TextShape,
  frames: number,
  take: (length: number) => Float32Array,
): readonly ort.Tensor[] {
  const { heads, headSize } = text;
  const length = heads * frames * headSize;
  return crossNames(text).map(() => new ort.Tensor("float32", take(length), [1, heads, frames, headSize]));
}

/** What the decoder remembers of a text. */
export interface SpokenText {
  /** What it is the text of. */
  encoded: HeardAudio;
  tokens: number;
  /** Where its keys and values lie. */
  values: KeyValues;
  slot: number;
}

/**
 * All that a token attends to is a whole number of blocks long, so that its sums are the same whatever room there is
 * behind its own text. The last rows stay free: products take rows by fours, and the rest of them in another way.
 */
const BLOCK = 64;
const FREE_ROWS = 3;

/** Rows for the tokens before a step; after it there is room for its token. */
const rowsBefore = (tokens: number) => Math.ceil((tokens + 1 + FREE_ROWS) / BLOCK) * BLOCK - 1;

/** What a place in a pass says: nothing where nobody has it. */
interface Said {
  text?: SpokenText | undefined;
  tokens: readonly number[];
}

export class Texts {
  private readonly shape: KeyValueShape;
  /** Texts that are said side by side. */
  private together: KeyValues;
  private readonly seats: (SpokenText | undefined)[];
  /** What nobody's audio is, in a place between others and behind them. */
  private readonly silence: ort.Tensor;
  private readonly nothing: ort.Tensor;
  /** By the number of texts, what their steps make; each writes over what the one before made, but for the attention, which is kept. */
  private readonly answers: ort.InferenceSession.FetchesType[];
  /** Outputs of a pass over a text alone. */
  private readonly ofOne: Record<string, null>;

  /** @param graph  with the nodes of `text-nodes.ts`, of so many slots */
  constructor(
    private readonly text: TextShape,
    private readonly vocabularySize: number,
    private readonly graph: ort.InferenceSession,
    readonly slots: number,
    private readonly store: FloatStore,
  ) {
    const { layers, heads, headSize } = text;
    this.shape = { tensors: 2 * layers, heads, headSize };
    this.together = new KeyValues(this.shape, slots, 0);
    this.seats = new Array(slots).fill(undefined);
    this.silence = new ort.Tensor("float32", new Float32Array(heads * headSize), [1, heads, 1, headSize]);
    this.nothing = emptyTensor([0, heads, 1, headSize]);
    const logits = new Float32Array(slots * vocabularySize);
    const fresh = new KeyValues(this.shape, slots, 1);
    const names = newNames(text);
    this.answers = Array.from({ length: slots + 1 }, (_, texts) => ({
      ...this.wanted(texts),
      ...Object.fromEntries(fresh.first(texts).map((tensor, at) => [names[at], tensor])),
      logits: new ort.Tensor("float32", logits.subarray(0, texts * vocabularySize), [texts, vocabularySize]),
    }));
    this.ofOne = this.wanted(1);
  }

  async decode(
    encoded: HeardAudio,
    cache: SpokenText | undefined,
    tokens: readonly number[],
    unanswered = 0,
  ): Promise<Pass<SpokenText>> {
    const text = cache ?? this.nothingSaid(encoded);
    const count = tokens.length;
    this.setApart(text, rowsBefore(text.tokens + count - 1));
    const output = await this.graph.run(this.inputs([{ text, tokens }], text.values, unanswered), this.ofOne);
    // What comes next is one token.
    this.setApart(text, rowsBefore(text.tokens + count));
    return this.pass(output, text, count);
  }

  async steps(texts: readonly TextStep<HeardAudio, SpokenText>[]): Promise<Pass<SpokenText>[]> {
    const [only, another] = texts;
    if (only && !another) return [await this.decode(only.encoded, only.cache, [only.token])];
    const steps = texts.map(({ encoded, cache, token }) => ({
      text: cache ?? this.nothingSaid(encoded),
      tokens: [token],
    }));
    this.seat(steps.map(({ text }) => text));
    const places: Said[] = [];
    for (const step of steps) places[step.text.slot] = step;
    const bySlot = Array.from(places, (step) => step ?? { tokens: [0] });
    const answers = this.answers[bySlot.length] as ort.InferenceSession.FetchesType;
    const output = await this.graph.run(this.inputs(bySlot, this.together), answers);
    return steps.map(({ text }) => this.pass(output, text, 1));
  }

  /** A text as it was after its first `tokens` tokens. */
  truncate(text: SpokenText, tokens: number): SpokenText {
    text.tokens = tokens;
    return text;
  }

  /** Where an encoder writes what it hears; until `leave`. */
  roomFor(frames: number): HeardAudio {
    return { frames, cross: crossTensors(this.text, frames, (length) => this.store.take(length)) };
  }

  /** Texts of this audio are not gone on with, and its memory may be used again. */
  leave(encoded: HeardAudio): void {
    for (const tensor of encoded.cross) this.store.give(floatsOf(tensor));
    for (const [slot, text] of this.seats.entries()) if (text?.encoded === encoded) this.seats[slot] = undefined;
  }

  async release(): Promise<void> {
    this.giveBack();
    await this.graph.release();
  }

  private giveBack(): void {
    if (this.together.rows > 0) this.store.give(this.together.memory);
  }

  private nothingSaid(encoded: HeardAudio): SpokenText {
    return { encoded, tokens: 0, values: this.alone(0), slot: 0 };
  }

  private alone(rows: number): KeyValues {
    return new KeyValues(this.shape, 1, rows);
  }

  /** Gives a text a place of its own with so many rows. */
  private setApart(text: SpokenText, rows: number): void {
    if (text.values.slots === 1 && text.values.rows === rows) return;
    this.move(text, this.alone(rows), 0);
  }

  private move(text: SpokenText, values: KeyValues, slot: number): void {
    values.write(slot, 0, text.values.all, text.slot, text.tokens);
    if (this.seats[text.slot] === text) this.seats[text.slot] = undefined;
    text.values = values;
    text.slot = slot;
  }

  /** Gives each of the texts a place side by side; others keep theirs while there is room. */
  private seat(texts: readonly SpokenText[]): void {
    const seated = texts.filter((text) => text.values === this.together);
    const rows = Math.max(...texts.map(({ tokens }) => rowsBefore(tokens)));
    // Room that long texts needed is given up when all of them are gone.
    if (rows > this.together.rows || (seated.length === 0 && rows < this.together.rows)) this.rebuild(seated, rows);
    for (const text of texts) {
      if (text.values === this.together) continue;
      let slot = this.seats.indexOf(undefined);
      if (slot < 0) slot = this.seats.findIndex((other) => other && !texts.includes(other));
      const other = this.seats[slot];
      if (other) this.setApart(other, rowsBefore(other.tokens));
      this.move(text, this.together, slot);
      this.seats[slot] = text;
    }
  }

  /** @param seated  who keeps his place; the others go to places of their own */
  private rebuild(seated: readonly SpokenText[], rows: number): void {
    for (const text of this.seats) {
      if (text && !seated.includes(text)) this.setApart(text, rowsBefore(text.tokens));
    }
    const memory = this.store.take(floatsIn(this.shape, this.slots, rows)).fill(0);
    const room = new KeyValues(this.shape, this.slots, rows, memory);
    for (const text of seated) {
      const { slot } = text;
      this.move(text, room, slot);
      this.seats[slot] = text;
    }
    this.giveBack();
    this.together = room;
  }

  /** Outputs of a pass over so many texts. */
  private wanted(texts: number): Record<string, null> {
    const attention = Array.from({ length: texts }, (_, slot) => attentionName(slot));
    const names = ["logits", ...newNames(this.text), ...attention];
    return Object.fromEntries(names.map((name) => [name, null]));
  }

  /**
   * @param values      where the texts lie, the first one in its first place
   * @param unanswered  so many rows get no logits
   */
  private inputs(texts: readonly Said[], values: KeyValues, unanswered = 0): Record<string, ort.Tensor> {
    const { rows } = values;
    const count = texts[0]?.tokens.length ?? 1;
    const length = count + rows;
    const mask = new Float32Array(texts.length * count * length).fill(Number.NEGATIVE_INFINITY);
    const positions: number[] = [];
    for (const [slot, { text }] of texts.entries()) {
      const said = text?.tokens ?? 0;
      for (let token = 0; token < count; token++) {
        positions.push(said + token);
        const start = (slot * count + token) * length;
        mask.fill(0, start, start + token + 1);
        mask.fill(0, start + count, start + count + said);
      }
    }
    const shape = [texts.length, count];
    const feeds: Record<string, ort.Tensor> = {
      tokens: integerTensor(
        texts.flatMap(({ tokens }) => tokens),
        shape,
      ),
      positions: integerTensor(positions, shape),
      mask: new ort.Tensor("float32", mask, [texts.length, 1, count, length]),
      lengths: integerTensor([count, rows], [2]),
      unanswered: integerTensor([unanswered], [1]),
    };
    if (this.slots > 1) {
      const taken = this.seats.map((_, slot) => (slot < texts.length ? 1 : 0));
      feeds["taken"] = integerTensor(taken, [this.slots]);
    }
    const past = values.first(texts.length);
    for (const [at, name] of pastNames(this.text).entries()) feeds[name] = past[at] as ort.Tensor;
    const crosses = crossNames(this.text);
    for (let slot = 0; slot < this.slots; slot++) {
      const audio = texts[slot]?.text?.encoded.cross ?? [];
      const none = slot < texts.length ? this.silence : this.nothing;
      for (const [at, name] of crosses.entries()) feeds[slotName(slot, name)] = audio[at] ?? none;
    }
    return feeds;
  }

  /** What came of the last `count` tokens of a text. */
  private pass(output: ort.InferenceSession.OnnxValueMapType, text: SpokenText, count: number): Pass<SpokenText> {
    const { slot } = text;
    const fresh = newNames(this.text).map((name) => output[name] as ort.Tensor);
    text.values.write(slot, text.tokens, fresh, slot, count);
    text.tokens += count;
    const logits = floatsOf(output["logits"]);
    const first = slot * this.vocabularySize;
    return {
      logits: text.values.slots === 1 ? logits : logits.subarray(first, first + this.vocabularySize),
      attention: floatsOf(output[attentionName(slot)]),
      cache: text,
    };
  }
}
