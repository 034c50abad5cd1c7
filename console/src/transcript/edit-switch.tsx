// The switch that permits typing in the document. Corrections belong to the corrected text: the recognised one cannot be edited.
import { type Signal, signal } from "@preact/signals";
import { t } from "../language/language.ts";
import { readChoice, storeChoice } from "../memory.ts";
import { Check } from "../parts/check.tsx";

const NAME = "edits-by-typing";

/** On a phone, a tap plays until the person chooses to type: the keyboard would cover the text. */
export const editsByTyping = (): Signal<boolean> => {
  const stored = readChoice<unknown>(NAME, undefined);
  return signal(typeof stored === "boolean" ? stored : !matchMedia("(pointer: coarse)").matches);
};

interface EditSwitchProps {
  isEditable: Signal<boolean>;
  showsCorrected: Signal<boolean>;
}

/** Switching it on shows the corrected text. The switch stores the choice; the key does not. */
export const setEditable = ({ isEditable, showsCorrected }: EditSwitchProps, isOn: boolean): void => {
  if (isOn) showsCorrected.value = true;
  isEditable.value = isOn;
};

export const chooseEditable = (props: EditSwitchProps, isOn: boolean): void => {
  setEditable(props, isOn);
  storeChoice(NAME, isOn);
};

export function EditSwitch(props: EditSwitchProps) {
  return (
    <Check isOn={props.showsCorrected.value && props.isEditable.value} onChange={(isOn) => chooseEditable(props, isOn)}>
      {t.transcript.editByTyping}
    </Check>
  );
}

/** Why the text cannot be edited. */
export function RecognisedHint({ showsCorrected }: Pick<EditSwitchProps, "showsCorrected">) {
  return showsCorrected.value ? null : <span class="hint">{t.transcript.recognisedShown}</span>;
}
