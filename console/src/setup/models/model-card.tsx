// A model, or the two directions of a language, as a card.
import { at } from "../../address.ts";
import { send } from "../../api.ts";
import { attempt } from "../../attempt.ts";
import { formats, t } from "../../language/language.ts";
import { said } from "../../language/messages.ts";
import { languageName } from "../../language-name.ts";
import { loadModels } from "../../models.ts";
import { Bar } from "../../parts/bar.tsx";
import { useWork } from "../../parts/use-work.ts";
import type { SpeechModel } from "../../shapes.ts";

/** Models that are fetched and removed together. */
export interface ModelSet {
  /** Unique on the page. */
  key: string;
  name: string;
  /** One sentence. */
  gives: string;
  models: readonly SpeechModel[];
}

/** Languages of a model: their names where they are few. */
const MOST_NAMES = 4;

function languagesText({ codes, languages }: SpeechModel): string {
  if (codes.length > 0 && codes.length <= MOST_NAMES) return formats.list(codes.map(languageName));
  return t.models.languageCount(languages);
}

function givenBy(model: SpeechModel): string {
  switch (model.purpose) {
    case "recognition":
      return t.models.transcribes(languagesText(model));
    case "language-model":
      return t.models.writes(languagesText(model));
    case "speakers":
      return t.models.findsSpeakers;
    case "turns":
      return t.models.detectsTurns;
    case "translation":
      return t.models.translates;
  }
}

export const setOf = (model: SpeechModel): ModelSet => ({
  key: model.id,
  name: model.id,
  gives: givenBy(model),
  models: [model],
});

/** Not here, not on its way and not failed. */
export const isOffered = ({ installed, fetching, failure }: SpeechModel) =>
  !installed && fetching === null && failure === null;

const missing = ({ models }: ModelSet) => models.filter(({ installed }) => !installed);

/** 0 where the registry of translation models alone has their sizes. */
const sumOf = (models: readonly SpeechModel[]) => models.reduce((sum, { bytes }) => sum + (bytes ?? 0), 0);
export const bytesOf = ({ models }: ModelSet) => sumOf(models);

function sizeText(set: ModelSet): string {
  const open = missing(set);
  const bytes = sumOf(open.length === 0 ? set.models : open);
  if (bytes === 0) return "";
  return open.length === 0 ? t.models.onDisk(formats.bytes(bytes)) : t.models.toFetch(formats.bytes(bytes));
}

/** Progress of all models of the set that are not here; undefined if none is being fetched. */
function shareOf(set: ModelSet): number | undefined {
  const open = missing(set);
  if (open.every(({ fetching }) => fetching === null)) return undefined;
  return open.reduce((sum, { fetching }) => sum + (fetching ?? 0), 0) / open.length;
}

/** Names of the list of SPDX; others begin with LicenseRef. */
const LISTED_LICENCE = /^(?!LicenseRef-)[A-Za-z0-9.-]+$/;

/** The text of a licence, where the list of SPDX has it. Others stand in the documentation of this service. */
function Licence({ name }: { name: string }) {
  const address = LISTED_LICENCE.test(name) ? `https://spdx.org/licenses/${name}.html` : at("/docs/models");
  return (
    <a href={address} target="_blank" rel="noreferrer" dir="ltr">
      {name}
    </a>
  );
}

function Licences({ models }: ModelSet) {
  const names = [...new Set(models.flatMap(({ licence }) => licence.split(" AND ")))].filter((name) => name !== "");
  return (
    <p>
      {t.models.licence}: {names.map((name, index) => [index > 0 ? " · " : "", <Licence key={name} name={name} />])}
    </p>
  );
}

/** More about it than a choice needs. */
function Details({ set }: { set: ModelSet }) {
  const notes = set.models.map(({ note }) => note).filter((note) => note !== "");
  return (
    <details class="model-details">
      <summary>{t.models.details(set.name)}</summary>
      <Licences {...set} />
      {set.models.map(({ id }) => (
        <p key={id}>
          <code dir="ltr">{id}</code>
        </p>
      ))}
      {notes.map((note) => (
        <p key={note} lang="en" dir="auto">
          {note}
        </p>
      ))}
    </details>
  );
}

function Action({ set, isOperator }: { set: ModelSet; isOperator: boolean }) {
  const { isRunning, run } = useWork();
  if (!isOperator || shareOf(set) !== undefined) return null;
  const open = missing(set);
  const removable = set.models.filter(({ installed, built_in }) => installed && !built_in);
  const fetchAll = async () => {
    for (const { id } of open) await send("POST", "/v2/models", { id });
    await loadModels();
  };
  const removeAll = async () => {
    for (const { id } of removable) await send("DELETE", `/v2/models/${id}`);
    await loadModels();
  };
  const hasFailed = open.some(({ failure }) => failure !== null);
  // A set may be half installed: one direction of a translation.
  return (
    <>
      {open.length > 0 ? (
        <button
          type="button"
          class="primary"
          disabled={isRunning.value}
          aria-label={hasFailed ? undefined : t.models.fetchFor(set.name)}
          onClick={() => void run(() => attempt(fetchAll))}
        >
          {hasFailed ? t.models.again : t.models.fetch}
        </button>
      ) : null}
      {removable.length > 0 ? (
        <button
          type="button"
          class="quiet"
          disabled={isRunning.value}
          aria-label={t.models.removeFor(set.name)}
          onClick={() => {
            if (!confirm(t.models.removeQuestion(set.name))) return;
            void run(() => attempt(removeAll, t.models.removed));
          }}
        >
          {t.models.remove}
        </button>
      ) : null}
    </>
  );
}

function State({ set, isUsed }: { set: ModelSet; isUsed: boolean }) {
  if (shareOf(set) !== undefined) return <span class="status pending">{t.models.fetching(shareOf(set) ?? 0)}</span>;
  const open = missing(set);
  if (open.some(({ failure }) => failure !== null)) return <span class="status error">{t.models.failed}</span>;
  if (open.length > 0) return null;
  if (isUsed) return <span class="status done">{t.models.inUse}</span>;
  const isBuiltIn = set.models.every(({ built_in }) => built_in);
  return <span class="status done">{isBuiltIn ? t.models.builtIn : t.models.installed}</span>;
}

interface ModelFactsProps {
  set: ModelSet;
  isOperator: boolean;
  isUsed: boolean;
}

/** What a card says of a model, and its action. */
export function ModelFacts({ set, isOperator, isUsed }: ModelFactsProps) {
  const share = shareOf(set);
  // The reason of an earlier failure stays until the download has ended.
  const shown = share === undefined ? set.models.map(({ failure }) => failure) : [];
  const failures = new Set(shown.filter((failure) => failure !== null));
  return (
    <>
      <p>{set.gives}</p>
      <p class="hint">{sizeText(set)}</p>
      <State set={set} isUsed={isUsed} />
      {share === undefined ? null : <Bar share={share} name={t.models.progressOf(set.name)} />}
      {[...failures].map((failure) => (
        <p key={failure} class="problem">
          {said(failure)}
        </p>
      ))}
      <Details set={set} />
      <Action set={set} isOperator={isOperator} />
    </>
  );
}

export function ModelCard(props: ModelFactsProps) {
  return (
    <li class="card model">
      <h3>
        <bdi>{props.set.name}</bdi>
      </h3>
      <ModelFacts {...props} />
    </li>
  );
}
