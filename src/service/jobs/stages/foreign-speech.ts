// Finds speech in another language that an English model transcribed as English. The job then waits for the
// multilingual model if it may be fetched; otherwise the words of these segments are discarded.

import { errors } from "../../../platform/errors.ts";
import type { ObjectStore } from "../../../platform/storage/objects/object-store.ts";
import { samplesOf } from "../../../speech/audio/samples.ts";
import {
  type BothModels,
  blocksOf,
  canBeScored,
  ENGLISH_SCORE,
  type EnglishVerdict,
  englishScore,
  isDoubtful,
  levelRange,
  verdictsOf,
} from "../../../speech/recognition/english-evidence.ts";
import { doubtfulSpeech } from "../../models/doubtful-speech.ts";
import { languageRequestOf, type SpeechPlan, secondEnglishModel } from "../../models/speech-plan.ts";
import { ModelStore } from "../../models/store.ts";
import type { RecognizedSegment } from "../../transcripts/recognized-segments.ts";
import { forEachTask, recognizeGroup, secondsOf, taskName } from "./segment-recognition.ts";
import type { ForeignSpeech, StageContext, StageOutputs, StageServices } from "./stage.ts";
import type { WorkFiles } from "./work-files.ts";

/** The model that a job waits for because of its language. @param outputs  from its row */
export function wantedModelOf(outputs: unknown): string | undefined {
  return (outputs as StageOutputs | null)?.recognize?.foreign?.wantedModel;
}

/** The model for other languages that may be fetched; undefined if the request or the settings exclude it. */
async function fetchableModel({ job, services }: StageContext): Promise<string | undefined> {
  const { model, languages } = languageRequestOf(job.params);
  const { fetchModels, multilingualModel } = services.speech;
  if (!fetchModels || languages.length > 0 || !ModelStore.isDefault(model)) return undefined;
  return (await services.models.find(multilingualModel)) ? undefined : multilingualModel;
}

/** What is not or may not be English; empty if the request names the language, or all speech is English. */
export interface LanguageFindings {
  foreign?: ForeignSpeech;
  /** Seconds of speech that may not be English. */
  doubtfulSeconds?: number;
}

const secondsOfAll = (lines: readonly RecognizedSegment[]) => lines.reduce((sum, line) => sum + secondsOf(line), 0);

/** @param lines  all recognised segments of the job */
export async function findForeignSpeech(
  lines: readonly RecognizedSegment[],
  plan: SpeechPlan,
  context: StageContext,
): Promise<LanguageFindings> {
  const { job, services } = context;
  const second = secondEnglishModel(plan, languageRequestOf(job.params), await services.models.list());
  if (second === undefined) return {};
  const foreign: RecognizedSegment[] = [];
  const doubted: RecognizedSegment[] = [];
  for (const channel of new Set(lines.map((line) => line.channel))) {
    const own = lines
      .filter((line) => line.channel === channel && line.words.length > 0)
      .toSorted((left, right) => left.segment.startSample - right.segment.startSample);
    const file = await services.objects.localPath(context.files.channel(channel));
    const blocks = blocksOf(own);
    const scores: (number | undefined)[] = blocks.map(({ words, seconds }) =>
      canBeScored(words, seconds) ? ENGLISH_SCORE : undefined,
    );
    const unsure = [...blocks.entries()].filter(
      ([at, { segments }]) => scores[at] !== undefined && isDoubtful(segments.flatMap(({ words }) => words)),
    );
    await forEachTask(unsure, context, async ([at, { segments }], ofTask) => {
      const parts: BothModels[] = [];
      for (const { segment, words } of segments) {
        const group = { channel, segments: [segment] as const, ...segment };
        const [other] = await recognizeGroup(group, ofTask, { model: second, languages: ["en"] });
        const { startSample, endSample } = segment;
        const samples = await samplesOf({ file, startSample, sampleCount: endSample - startSample });
        parts.push({ first: words, second: other?.words ?? [], rangeDecibels: levelRange(samples) });
      }
      scores[at] = englishScore(parts);
    });
    const verdicts = verdictsOf(blocks.map(({ words, seconds }, at) => ({ words, seconds, score: scores[at] })));
    const ofVerdict = (verdict: EnglishVerdict) =>
      blocks.flatMap(({ segments }, at) => (verdicts[at] === verdict ? segments : []));
    foreign.push(...ofVerdict("foreign"));
    doubted.push(...ofVerdict("doubtful"));
  }
  const doubt = doubted.length > 0 ? { doubtfulSeconds: secondsOfAll(doubted) } : {};
  if (foreign.length === 0) return doubt;
  const segments = foreign.map(taskName);
  const isForeign = new Set(segments);
  const wantedModel = await fetchableModel(context);
  services.logger.info(
    { job: job.id, segments: segments.length, of: lines.length, wantedModel },
    "speech in another language was detected",
  );
  return {
    foreign: {
      segments,
      seconds: secondsOfAll(foreign),
      hasWordsBesides: lines.some((line) => line.words.length > 0 && !isForeign.has(taskName(line))),
      ...(wantedModel === undefined ? {} : { wantedModel }),
    },
    ...doubt,
  };
}

/**
 * Discards the outputs of a job whose requested model is installed now, so that it is recognised again.
 * @param outputs  changed in place
 * @returns whether it will be recognised again
 */
export async function dropForeignWords(
  model: string,
  outputs: StageOutputs,
  files: WorkFiles,
  objects: Pick<ObjectStore, "remove">,
): Promise<boolean> {
  if (outputs.recognize?.foreign?.wantedModel !== model) return false;
  for (const key of [files.recognized, files.detectedLanguages]) await objects.remove(key);
  for (const stage of ["recognize", "translate", "speakers", "assemble"] as const) delete outputs[stage];
  return true;
}

/**
 * Warnings about discarded speech and about speech that may not be in English.
 * @param ofAudio  warnings about the audio, which may be why it does not sound English
 * @param detectsOnly  whether the request needs the language alone
 * @throws recognition.not_english if no words remain; recognition.language_undetected
 */
export function languageWarnings(
  { foreign, doubtfulSeconds }: LanguageFindings,
  { speech }: Pick<StageServices, "speech">,
  ofAudio: readonly string[],
  detectsOnly: boolean,
): string[] {
  const isUncertain = foreign !== undefined || doubtfulSeconds !== undefined;
  if (detectsOnly && isUncertain) throw errors.languageUndetected(speech.multilingualModel);
  const warnings: string[] = [];
  if (foreign) {
    const isWanted = foreign.wantedModel !== undefined;
    if (!foreign.hasWordsBesides) throw errors.speechNotEnglish(speech.multilingualModel, isWanted, ofAudio);
    const error = errors.speechNotEnglish(speech.multilingualModel, isWanted);
    warnings.push(`${foreign.seconds.toFixed(1)} s of speech were left out. ${error.message}`);
  }
  if (doubtfulSeconds !== undefined) {
    warnings.push(`${doubtfulSeconds.toFixed(1)} s of ${doubtfulSpeech(speech.multilingualModel)}`);
  }
  return warnings;
}
