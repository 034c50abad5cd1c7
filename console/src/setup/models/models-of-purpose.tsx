// Models of one purpose: those that are here or on their way as cards, the others in one card.
import type { ComponentChildren } from "preact";
import { t } from "../../language/language.ts";
import type { SpeechModel } from "../../shapes.ts";
import { FurtherModels } from "./further-models.tsx";
import { isOffered, ModelCard, type ModelSet, setOf } from "./model-card.tsx";

type Purpose = SpeechModel["purpose"];

interface SetsOfPurposeProps {
  purpose: Purpose;
  /** Cards of their own. */
  shown: readonly ModelSet[];
  offered: readonly ModelSet[];
  /** Of the list of those that are offered. */
  label: string;
  isOperator: boolean;
  used?: readonly string[];
  children?: ComponentChildren;
}

export function SetsOfPurpose({ purpose, shown, offered, label, isOperator, used, children }: SetsOfPurposeProps) {
  const { title, gives } = t.models.purposes[purpose];
  const id = `models-${purpose}`;
  return (
    <section class="purpose" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      <p class="hint">{gives}</p>
      <ul class="model-cards">
        {shown.map((set) => (
          <ModelCard key={set.key} set={set} isOperator={isOperator} isUsed={used?.includes(set.key) === true} />
        ))}
        <FurtherModels label={label} sets={offered} isOperator={isOperator} />
      </ul>
      {children}
    </section>
  );
}

interface ModelsOfPurposeProps extends Pick<SetsOfPurposeProps, "isOperator" | "used" | "children"> {
  purpose: Purpose;
  /** Of every purpose. */
  all: readonly SpeechModel[];
}

export function ModelsOfPurpose({ purpose, all, ...rest }: ModelsOfPurposeProps) {
  const own = all.filter((model) => model.purpose === purpose);
  // A model that recordings fetch when they first need it is the suggestion.
  const offered = own.filter(isOffered).toSorted((left, right) => Number(right.on_demand) - Number(left.on_demand));
  return (
    <SetsOfPurpose
      purpose={purpose}
      shown={own.filter((model) => !isOffered(model)).map(setOf)}
      offered={offered.map(setOf)}
      label={t.models.further}
      {...rest}
    />
  );
}
