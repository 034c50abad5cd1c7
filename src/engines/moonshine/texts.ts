// Passes of the decoder over one text or several, and where the keys and values of each text lie meanwhile.
import * as ort from "onnxruntime-node";
import { type KeyValueShape, KeyValues } from "../../onnx/key-values.ts";
import { floatsOf, integerTensor } from "../../onnx/tensors.ts";
import type { Pass, TextStep } from "../../recognition/decoding/decoder.ts";
import { cacheNames, crossNames, type MoonshineVariant, VOCABULARY_SIZE } from "./config.ts";
import { attentionName, slotName } from "./decoder-graph.ts";
import type { Encoded } from "./model.ts";

/** What the decoder remembers of a text. */
export interface Cache {
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

export class Texts {
  private readonly shape: KeyValueShape;
  /** Texts that are said side by side. */
  private together: KeyValues;
  private readonly seats: (Cache | undefined)[];
  private readonly silence: ort.Tensor;
  /** What steps of several texts make; each writes its logits over those of the one before. */
  private readonly answers: ort.InferenceSession.FetchesType;

  /** @param several  graph of `slots` texts; the same as `one` where that is 1 */
  constructor(
    private readonly variant: MoonshineVariant,
    private readonly one: ort.InferenceSession,
    private readonly several: ort.InferenceSession,
    readonly slots: number,
  ) {
    const { layers, heads, headSize } = variant;
    this.shape = { tensors: 2 * layers, heads, headSize };
    this.together = new KeyValues(this.shape, slots, 0);
    this.seats = new Array(slots).fill(undefined);
    this.silence = new ort.Tensor("float32", new Float32Array(heads * headSize), [1, heads, 1, headSize]);
    const logits = new ort.Tensor("float32", new Float32Array(slots * VOCABULARY_SIZE), [slots, VOCABULARY_SIZE]);
    this.answers = { ...Object.fromEntries(several.outputNames.map((name) => [name, null])), logits };
  }

  async decode(
    encoded: Encoded,
    cache: Cache | undefined,
    tokens: readonly number[],
    unanswered = 0,
  ): Promise<Pass<Cache>> {
    const text = cache ?? this.nothingSaid();
    const count = tokens.length;
    const rows = rowsBefore(text.tokens + count - 1);
    this.setApart(text, rows);
    const output = await this.one.run({
      ...this.inputs([{ text, tokens }], rows, unanswered),
      ...this.audio(0, encoded.cross),
    });
    // What comes next is one token.
    this.setApart(text, rowsBefore(text.tokens + count));
    return this.pass(output, text, count);
  }

  async steps(texts: readonly TextStep<Encoded, Cache>[]): Promise<Pass<Cache>[]> {
    const [only, another] = texts;
    if (only && !another) return [await this.decode(only.encoded, only.cache, [only.token])];
    const steps = texts.map(({ cache, ...step }) => ({ text: cache ?? this.nothingSaid(), ...step }));
    this.seat(steps.map(({ text }) => text));
    const bySlot = this.seats.map((_, slot) => steps.find(({ text }) => text.slot === slot));
    const feeds = this.inputs(
      bySlot.map((step) => ({ text: step?.text, tokens: [step?.token ?? 0] })),
      this.together.rows,
    );
    for (const [slot, step] of bySlot.entries()) Object.assign(feeds, this.audio(slot, step?.encoded.cross));
    const output = await this.several.run(feeds, this.answers);
    return steps.map(({ text }) => this.pass(output, text, 1));
  }

  async release(): Promise<void> {
    await Promise.all([...new Set([this.one, this.several])].map((graph) => graph.release()));
  }

  private nothingSaid(): Cache {
    return { tokens: 0, values: this.alone(0), slot: 0 };
  }

  private alone(rows: number): KeyValues {
    return new KeyValues(this.shape, 1, rows);
  }

  /** Gives a text a place of its own with so many rows. */
  private setApart(text: Cache, rows: number): void {
    if (text.values.slots === 1 && text.values.rows === rows) return;
    this.move(text, this.alone(rows), 0);
  }

  private move(text: Cache, values: KeyValues, slot: number): void {
    values.write(slot, 0, text.values.all, text.slot, text.tokens);
    if (this.seats[text.slot] === text) this.seats[text.slot] = undefined;
    text.values = values;
    text.slot = slot;
  }

  /** Gives each of the texts a place side by side; others keep theirs while there is room. */
  private seat(texts: readonly Cache[]): void {
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
  private rebuild(seated: readonly Cache[], rows: number): void {
    for (const text of this.seats) {
      if (text && !seated.includes(text)) this.setApart(text, rowsBefore(text.tokens));
    }
    const room = new KeyValues(this.shape, this.slots, rows);
    for (const text of seated) {
      const { slot } = text;
      this.move(text, room, slot);
      this.seats[slot] = text;
    }
    this.together = room;
  }

  /**
   * @param texts       one for each slot of the graph, none where nobody speaks
   * @param unanswered  so many rows get no logits
   */
  private inputs(
    texts: readonly { text: Cache | undefined; tokens: readonly number[] }[],
    rows: number,
    unanswered = 0,
  ): Record<string, ort.Tensor> {
    const slots = texts.length;
    const count = texts[0]?.tokens.length ?? 1;
    const length = count + rows;
    const mask = new Float32Array(slots * count * length).fill(Number.NEGATIVE_INFINITY);
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
    const values = slots === 1 ? texts[0]?.text?.values : this.together;
    const feeds: Record<string, ort.Tensor> = {
      tokens: integerTensor(
        texts.flatMap(({ tokens }) => tokens),
        [slots, count],
      ),
      positions: integerTensor(positions, [slots, count]),
      mask: new ort.Tensor("float32", mask, [slots, 1, count, length]),
      lengths: integerTensor([count, rows], [2]),
      unanswered: integerTensor([unanswered], [1]),
    };
    for (const [at, name] of cacheNames(this.variant, "past").entries()) feeds[name] = values?.all[at] as ort.Tensor;
    return feeds;
  }

  private audio(slot: number, cross: readonly ort.Tensor[] | undefined): Record<string, ort.Tensor> {
    const names = crossNames(this.variant);
    return Object.fromEntries(names.map((name, at) => [slotName(slot, name), cross?.[at] ?? this.silence]));
  }

  /** What came of the last `count` tokens of a text. */
  private pass(output: ort.InferenceSession.OnnxValueMapType, text: Cache, count: number): Pass<Cache> {
    const { slot } = text;
    const fresh = cacheNames(this.variant, "new").map((name) => output[name] as ort.Tensor);
    text.values.write(slot, text.tokens, fresh, slot, count);
    text.tokens += count;
    const logits = floatsOf(output["logits"]);
    const first = slot * VOCABULARY_SIZE;
    return {
      logits: text.values.slots === 1 ? logits : logits.subarray(first, first + VOCABULARY_SIZE),
      attention: floatsOf(output[attentionName(slot)]),
      cache: text,
    };
  }
}
