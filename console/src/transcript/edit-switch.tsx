// The switch that permits typing in the document. Corrections belong to the corrected text: the recognised one cannot be edited.
import type { Signal } from "@preact/signals";
import { t } from "../language/language.ts";
import { Check } from "../parts/check.tsx";
import { storedSignal } from "../stored-signal.ts";

/** On a phone, a tap plays until the person chooses to type: the keyboard would cover the text. */
export const editsByTyping = (): Signal<boolean> =>
  storedSignal("edits-by-typing", !matchMedia("(pointer: coarse)").matches);

interface EditSwitchProps {
  isEditable: Signal<boolean>;
  showsCorrected: Signal<boolean>;
}

/** Switching it on shows the corrected text. */
export const setEditable = ({ isEditable, showsCorrected }: EditSwitchProps, isOn: boolean): void => {
  if (isOn) showsCorrected.value = true;
  isEditable.value = isOn;
};

export function EditSwitch(props: EditSwitchProps) {
  const isCorrected = props.showsCorrected.value;
  return (
    <>
      <Check isOn={isCorrected && props.isEditable.value} onChange={(isOn) => setEditable(props, isOn)}>
        {t.transcript.editByTyping}
      </Check>
      {isCorrected ? null : <span class="hint">{t.transcript.recognisedShown}</span>}
    </>
  );
}
