// Models by what they are for: what each gives, its size, its licence, its state, and one action.
import { useEffect } from "preact/hooks";
import { attempt } from "../attempt.ts";
import { useEvery } from "../every.ts";
import { formats, t } from "../language/language.ts";
import { loadModels, models } from "../models.ts";
import { LanguageModel } from "../setup/language-model.tsx";
import { ModelsOfPurpose } from "../setup/models/models-of-purpose.tsx";
import { TranslationModels } from "../setup/models/translation-models.tsx";
import { SetupPage } from "../setup/setup-page.tsx";
import { useSystem } from "../setup/system-status.ts";

const POLL_MILLISECONDS = 2_000;

export function ModelsPage() {
  const { system, reload } = useSystem();
  useEffect(() => {
    void attempt(loadModels);
  }, []);
  useEvery(POLL_MILLISECONDS, () => loadModels().catch(() => undefined));
  const isOperator = system?.is_operator === true;
  const all = models.value ?? [];
  const free = system?.machine?.disk_free ?? null;
  const bytes = all.reduce((sum, { installed, bytes: own }) => sum + (installed ? (own ?? 0) : 0), 0);
  return (
    <SetupPage page="models">
      <p>
        {t.models.explanation}{" "}
        {bytes > 0 && free !== null ? t.models.usage(formats.bytes(bytes), formats.bytes(free)) : null}
      </p>
      {system && !isOperator ? <p class="hint">{t.models.operatorOnly}</p> : null}
      {models.value ? (
        <>
          <ModelsOfPurpose purpose="recognition" all={all} isOperator={isOperator} used={usedBy(system)} />
          <ModelsOfPurpose purpose="speakers" all={all} isOperator={isOperator} />
          <ModelsOfPurpose purpose="turns" all={all} isOperator={isOperator} />
          <TranslationModels all={all} isOperator={isOperator} />
          <ModelsOfPurpose purpose="language-model" all={all} isOperator={isOperator}>
            <LanguageModel system={system} onChange={reload} />
          </ModelsOfPurpose>
        </>
      ) : (
        <p class="hint">{t.frame.loading}</p>
      )}
    </SetupPage>
  );
}

/** Ids of the models that are used where a request names none. */
const usedBy = (system: ReturnType<typeof useSystem>["system"]): readonly string[] =>
  system ? [system.model, system.multilingual_model] : [];
