// Tokens of a text that only the bonus of a vocabulary made the likeliest ones. Each stays if its term is completed.
import { normalizerOf } from "./logits.ts";
import type { VocabularyBias } from "./vocabulary-bias.ts";

export class BonusTokens {
  /** Places of such tokens whose terms are not complete yet. */
  private open: number[] = [];
  /** Places at which no bonus is given any more. */
  private readonly withoutBonus = new Set<number>();

  constructor(private readonly bias: VocabularyBias) {}

  /** Raises the logits for the next token. @returns whether it modified any */
  apply(logits: Float32Array, tokens: readonly number[]): boolean {
    const at = tokens.length;
    if (this.withoutBonus.has(at)) return false;
    const { id } = normalizerOf(logits);
    if (!this.bias.rule(logits, tokens)) return false;
    if (normalizerOf(logits).id !== id) this.open.push(at);
    return true;
  }

  /**
   * @param isWhole  whether the text has ended
   * @returns place of the first token that must be decoded again, without a bonus
   */
  retract(tokens: readonly number[], isWhole: boolean): number | undefined {
    // The end of the text is no token.
    this.open = this.open.filter((at) => at < tokens.length && this.bias.stateOf(tokens, at, isWhole) !== "completed");
    const failed = this.open.find((at) => this.bias.stateOf(tokens, at, isWhole) === "failed");
    if (failed === undefined) return undefined;
    this.withoutBonus.add(failed);
    for (const at of this.withoutBonus) if (at > failed) this.withoutBonus.delete(at);
    this.open = this.open.filter((at) => at < failed);
    return failed;
  }
}
