// One card for all models of a purpose that are not here: a list to choose from, what the chosen one gives, and one action.
import { useSignal } from "@preact/signals";
import { useId } from "preact/hooks";
import { formats } from "../../language/language.ts";
import { bytesOf, ModelCard, ModelFacts, type ModelSet } from "./model-card.tsx";

interface FurtherModelsProps {
  label: string;
  /** Those that can be chosen, the suggested one first. */
  sets: readonly ModelSet[];
  isOperator: boolean;
}

export function FurtherModels({ label, sets, isOperator }: FurtherModelsProps) {
  const chosenKey = useSignal("");
  const id = useId();
  // The chosen one leaves the list when it is fetched.
  const chosen = sets.find(({ key }) => key === chosenKey.value) ?? sets[0];
  if (!chosen) return null;
  if (sets.length === 1) return <ModelCard set={chosen} isOperator={isOperator} isUsed={false} />;
  return (
    <li class="card model">
      <label for={id}>{label}</label>
      <select
        id={id}
        value={chosen.key}
        onChange={({ currentTarget }) => {
          chosenKey.value = currentTarget.value;
        }}
      >
        {sets.map((set) => (
          <option key={set.key} value={set.key}>
            {formats.facts([set.name, bytesOf(set) > 0 ? formats.bytes(bytesOf(set)) : ""])}
          </option>
        ))}
      </select>
      <ModelFacts set={chosen} isOperator={isOperator} isUsed={false} />
    </li>
  );
}
