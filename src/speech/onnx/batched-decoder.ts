// A batched decoder with a KV cache: runs passes over one sequence or several, and manages their slots in the cache.

import { attentionName, crossNames, type DecoderShape, newNames, pastNames, slotName } from "./decoder-tensor-names.ts";
import type { DecodingStep, Pass } from "./decoding-step.ts";
import { audioTensor, crossTensors, type EncodedAudio } from "./encoded-audio.ts";
import type { FloatPool } from "./float-pool.ts";
import { floatsIn, type KeyValueShape, KeyValues } from "./key-values.ts";
import * as ort from "./runtime.ts";
import { floatsOf, integerTensor } from "./tensors.ts";

/** KV cache of one sequence. */
export interface SequenceCache {
  /** Audio that the sequence transcribes. */
  encoded: EncodedAudio;
  tokens: number;
  /** Tensors with its keys and values, and its slot in them. */
  values: KeyValues;
  slot: number;
}

/**
 * The attention length is always a multiple of this block, so that sums do not depend on the capacity of the batch. The
 * last rows stay free: matrix products process rows in groups of four and the remainder with different rounding.
 */
const BLOCK = 64;
const FREE_ROWS = 3;

/** Slots of the cache while the batch has no more sequences: the limit of audio at once allows two to four long ones. */
const FEW_SLOTS = 4;

/** Capacity for a step after so many tokens, including the new token. */
const rowsFor = (tokens: number) => Math.ceil((tokens + 1 + FREE_ROWS) / BLOCK) * BLOCK - 1;

/** Input of one slot; a slot without a sequence gets padding. */
interface SlotInput {
  sequence?: SequenceCache | undefined;
  tokens: readonly number[];
}

export class BatchedDecoder {
  private readonly shape: KeyValueShape;
  /** Cache of the sequences in the batch. */
  private batch: KeyValues;
  private readonly slotOwners: (SequenceCache | undefined)[];
  /** Audio of unused slots: before the last used one, and after it. */
  private readonly paddingAudio: ort.Tensor;
  private readonly absentAudio: ort.Tensor;
  /**
   * Preallocated outputs of a step, by batch size. Each step overwrites the previous results except for the attention,
   * which is kept.
   */
  private readonly batchOutputs: ort.InferenceSession.FetchesType[];
  /** Outputs of a pass over a single sequence. */
  private readonly singleOutputs: Record<string, null>;

  /** @param graph  built with `decoder-nodes.ts` for `slots` slots */
  constructor(
    private readonly decoderShape: DecoderShape,
    private readonly vocabularySize: number,
    private readonly graph: ort.InferenceSession,
    readonly slots: number,
    private readonly pool: FloatPool,
  ) {
    const { layers, heads, headSize } = decoderShape;
    this.shape = { tensors: 2 * layers, heads, headSize };
    this.batch = new KeyValues(this.shape, slots, 0);
    this.slotOwners = new Array(slots).fill(undefined);
    this.paddingAudio = audioTensor(decoderShape, 1, 1);
    this.absentAudio = audioTensor(decoderShape, 0, 1);
    const logits = new Float32Array(slots * vocabularySize);
    const fresh = new KeyValues(this.shape, slots, 1);
    const names = newNames(decoderShape);
    this.batchOutputs = Array.from({ length: slots + 1 }, (_, sequences) => ({
      ...this.outputsFor(sequences),
      ...Object.fromEntries(fresh.first(sequences).map((tensor, at) => [names[at], tensor])),
      logits: new ort.Tensor("float32", logits.subarray(0, sequences * vocabularySize), [sequences, vocabularySize]),
    }));
    this.singleOutputs = this.outputsFor(1);
  }

  async decode(
    encoded: EncodedAudio,
    cache: SequenceCache | undefined,
    tokens: readonly number[],
    skipLogits = 0,
  ): Promise<Pass<SequenceCache>> {
    const sequence = cache ?? this.emptySequence(encoded);
    const count = tokens.length;
    this.moveOut(sequence, rowsFor(sequence.tokens + count - 1));
    const output = await this.graph.run(
      this.inputs([{ sequence, tokens }], sequence.values, skipLogits),
      this.singleOutputs,
    );
    // The next pass decodes a single token.
    this.moveOut(sequence, rowsFor(sequence.tokens + count));
    return this.collect(output, sequence, count);
  }

  async decodeBatch(sequences: readonly DecodingStep<EncodedAudio, SequenceCache>[]): Promise<Pass<SequenceCache>[]> {
    const [only, another] = sequences;
    if (only && !another) return [await this.decode(only.encoded, only.cache, [only.token])];
    const steps = sequences.map(({ encoded, cache, token }) => ({
      sequence: cache ?? this.emptySequence(encoded),
      tokens: [token],
    }));
    this.assignSlots(steps.map(({ sequence }) => sequence));
    const places: SlotInput[] = [];
    for (const step of steps) places[step.sequence.slot] = step;
    const bySlot = Array.from(places, (step) => step ?? { tokens: [0] });
    const answers = this.batchOutputs[bySlot.length] as ort.InferenceSession.FetchesType;
    const output = await this.graph.run(this.inputs(bySlot, this.batch), answers);
    return steps.map(({ sequence }) => this.collect(output, sequence, 1));
  }

  /** Truncates a sequence to its first `tokens` tokens. */
  truncate(sequence: SequenceCache, tokens: number): SequenceCache {
    sequence.tokens = tokens;
    return sequence;
  }

  /** Another sequence over the same audio, with a copy of the first `tokens` tokens. */
  fork({ encoded, values: from, slot }: SequenceCache, tokens: number): SequenceCache {
    const values = this.singleCache(rowsFor(tokens));
    values.write(0, 0, from.all, slot, tokens);
    return { encoded, tokens, values, slot: 0 };
  }

  /** Allocates the tensors that an encoder writes to; they must be released by `releaseAudio`. */
  allocateAudio(frames: number): EncodedAudio {
    return { frames, cross: crossTensors(this.decoderShape, frames, (length) => this.pool.acquire(length)) };
  }

  /** Releases the memory of an encoder output and the slots of its sequences, which must not be used afterwards. */
  releaseAudio(encoded: EncodedAudio): void {
    for (const tensor of encoded.cross) this.pool.release(tensor.data as Float32Array | Uint16Array);
    for (const [slot, sequence] of this.slotOwners.entries())
      if (sequence?.encoded === encoded) this.slotOwners[slot] = undefined;
  }

  async release(): Promise<void> {
    this.releaseBatch();
    await this.graph.release();
  }

  private releaseBatch(): void {
    if (this.batch.rows > 0) this.pool.release(this.batch.memory);
  }

  private emptySequence(encoded: EncodedAudio): SequenceCache {
    return { encoded, tokens: 0, values: this.singleCache(0), slot: 0 };
  }

  private singleCache(rows: number): KeyValues {
    return new KeyValues(this.shape, 1, rows);
  }

  /** Moves a sequence to a cache of its own with `rows` rows. */
  private moveOut(sequence: SequenceCache, rows: number): void {
    if (sequence.values.slots === 1 && sequence.values.rows === rows) return;
    this.move(sequence, this.singleCache(rows), 0);
  }

  private move(sequence: SequenceCache, values: KeyValues, slot: number): void {
    values.write(slot, 0, sequence.values.all, sequence.slot, sequence.tokens);
    if (this.slotOwners[sequence.slot] === sequence) this.slotOwners[sequence.slot] = undefined;
    sequence.values = values;
    sequence.slot = slot;
  }

  /** Moves the sequences into the batch; others keep their slots while there are free ones. */
  private assignSlots(sequences: readonly SequenceCache[]): void {
    const staying = sequences.filter((sequence) => sequence.values === this.batch);
    const rows = Math.max(...sequences.map(({ tokens }) => rowsFor(tokens)));
    const owned = this.slotOwners.filter((owner) => owner !== undefined).length;
    const isLarge = owned + sequences.length - staying.length > FEW_SLOTS;
    const fewest = staying.length > 0 ? this.batch.slots : Math.min(FEW_SLOTS, this.slots);
    const slots = isLarge ? this.slots : fewest;
    const isTooSmall = rows > this.batch.rows || slots > this.batch.slots;
    // A batch that was enlarged for long or many sequences shrinks once all of them have ended.
    const isTooLarge = staying.length === 0 && (rows < this.batch.rows || slots < this.batch.slots);
    if (isTooSmall || isTooLarge) this.resizeBatch(staying, slots, rows);
    for (const sequence of sequences) {
      if (sequence.values === this.batch) continue;
      const owners = this.slotOwners.slice(0, this.batch.slots);
      let slot = owners.indexOf(undefined);
      if (slot < 0) slot = owners.findIndex((other) => other && !sequences.includes(other));
      const other = this.slotOwners[slot];
      if (other) this.moveOut(other, rowsFor(other.tokens));
      this.move(sequence, this.batch, slot);
      this.slotOwners[slot] = sequence;
    }
  }

  /** Replaces the batch cache. @param staying  sequences that keep their slots; the others are moved out */
  private resizeBatch(staying: readonly SequenceCache[], slots: number, rows: number): void {
    for (const sequence of this.slotOwners) {
      if (sequence && !staying.includes(sequence)) this.moveOut(sequence, rowsFor(sequence.tokens));
    }
    const memory = this.pool.acquire(floatsIn(this.shape, slots, rows)).fill(0);
    const resized = new KeyValues(this.shape, slots, rows, memory);
    for (const sequence of staying) {
      const { slot } = sequence;
      this.move(sequence, resized, slot);
      this.slotOwners[slot] = sequence;
    }
    this.releaseBatch();
    this.batch = resized;
  }

  /** Requested outputs of a pass over so many sequences. */
  private outputsFor(sequences: number): Record<string, null> {
    const attention = Array.from({ length: sequences }, (_, slot) => attentionName(slot));
    const names = ["logits", ...newNames(this.decoderShape), ...attention];
    return Object.fromEntries(names.map((name) => [name, null]));
  }

  /**
   * @param values      cache of the sequences, in slot order
   * @param skipLogits  number of leading rows without logits
   */
  private inputs(sequences: readonly SlotInput[], values: KeyValues, skipLogits = 0): Record<string, ort.Tensor> {
    const { rows } = values;
    const count = sequences[0]?.tokens.length ?? 1;
    const length = count + rows;
    const mask = new Float32Array(sequences.length * count * length).fill(Number.NEGATIVE_INFINITY);
    const positions: number[] = [];
    for (const [slot, { sequence }] of sequences.entries()) {
      const pastTokens = sequence?.tokens ?? 0;
      for (let token = 0; token < count; token++) {
        positions.push(pastTokens + token);
        const start = (slot * count + token) * length;
        mask.fill(0, start, start + token + 1);
        mask.fill(0, start + count, start + count + pastTokens);
      }
    }
    const shape = [sequences.length, count];
    const feeds: Record<string, ort.Tensor> = {
      tokens: integerTensor(
        sequences.flatMap(({ tokens }) => tokens),
        shape,
      ),
      positions: integerTensor(positions, shape),
      mask: new ort.Tensor("float32", mask, [sequences.length, 1, count, length]),
      lengths: integerTensor([count, rows], [2]),
      unanswered: integerTensor([skipLogits], [1]),
    };
    if (this.slots > 1) {
      const taken = this.slotOwners.map((_, slot) => (slot < sequences.length ? 1 : 0));
      feeds["taken"] = integerTensor(taken, [this.slots]);
    }
    const past = values.first(sequences.length);
    for (const [at, name] of pastNames(this.decoderShape).entries()) feeds[name] = past[at] as ort.Tensor;
    const crosses = crossNames(this.decoderShape);
    for (let slot = 0; slot < this.slots; slot++) {
      const audio = sequences[slot]?.sequence?.encoded.cross ?? [];
      const none = slot < sequences.length ? this.paddingAudio : this.absentAudio;
      for (const [at, name] of crosses.entries()) feeds[slotName(slot, name)] = audio[at] ?? none;
    }
    return feeds;
  }

  /** Appends the new keys and values of the last `count` tokens and returns their logits and attention. */
  private collect(
    output: ort.InferenceSession.OnnxValueMapType,
    sequence: SequenceCache,
    count: number,
  ): Pass<SequenceCache> {
    const { slot } = sequence;
    const fresh = newNames(this.decoderShape).map((name) => output[name] as ort.Tensor);
    sequence.values.write(slot, sequence.tokens, fresh, slot, count);
    sequence.tokens += count;
    const logits = floatsOf(output["logits"]);
    const first = slot * this.vocabularySize;
    return {
      logits: sequence.values.slots === 1 ? logits : logits.subarray(first, first + this.vocabularySize),
      attention: floatsOf(output[attentionName(slot)]),
      cache: sequence,
    };
  }
}
