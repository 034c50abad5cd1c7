// A setting of a connection that a message of the client changes for the audio after a time.

export class TimedValue<Value> {
  /** Newest first. */
  private readonly values: { after: number; value: Value }[];

  constructor(first: Value) {
    this.values = [{ after: Number.NEGATIVE_INFINITY, value: first }];
  }

  /** @param after  end of the audio that keeps the former value, seconds; not before that of an earlier change */
  change(value: Value, after: number): void {
    if (this.values[0]?.value !== value) this.values.unshift({ after, value });
  }

  /** @returns the value for audio that ends at a time, seconds */
  at(seconds: number): Value {
    const found = this.values.find(({ after }) => seconds > after) ?? this.values.at(-1);
    return (found as { value: Value }).value;
  }
}
