// The text of a field that stands alone, such as the name of a new key. This browser keeps it for the account until it is sent.
import { type Signal, signal } from "@preact/signals";
import { useMemo } from "preact/hooks";
import { accountName } from "./account.ts";
import { dropKept, keep, namesOfKept, readKept } from "./kept.ts";

interface Field {
  /** Unique among the fields of the console. */
  field: string;
  /** Id of the recording to which the text belongs. */
  job?: string;
  /** Its text before a person types. */
  first?: string | undefined;
}

const beginningOf = (job: string, account?: string) => `typed/${job}/${account === undefined ? "" : `${account}/`}`;

/** The name under which this browser keeps it for the account. */
export const nameOfTyped = ({ field, job = "" }: Field): string => beginningOf(job, accountName() ?? "") + field;

/** The names of such a field of all recordings and accounts. */
export const allNamesOfTyped = (field: string): string[] =>
  namesOfKept("typed/").filter((name) => name.endsWith(`/${field}`));

export class TypedText {
  private readonly name: string;
  private readonly first: string;
  private readonly text: Signal<string>;

  constructor(of: Field) {
    const { first = "" } = of;
    this.name = nameOfTyped(of);
    this.first = first;
    this.text = signal(readKept<string>(this.name) ?? first);
  }

  get value(): string {
    return this.text.value;
  }

  set value(text: string) {
    this.text.value = text;
    if (text === this.first) dropKept(this.name);
    else keep(this.name, text);
  }

  /** The service has the text. The field may still show it. */
  sent(): void {
    dropKept(this.name);
  }
}

export const useTyped = (field: Field): TypedText => useMemo(() => new TypedText(field), [field.field, field.job]);

export const hasTypedTexts = (job: string, account: string): boolean =>
  namesOfKept(beginningOf(job, account)).length > 0;

/** @param account  undefined for all */
export function dropTypedTexts(job: string, account?: string): void {
  for (const name of namesOfKept(beginningOf(job, account))) dropKept(name);
}
