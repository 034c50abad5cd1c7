// Add-ons of a live session: those of each final while the session goes on, those of the whole when it is over. They
// run in a process of their own and hold up neither words nor audio.
import type { Analyst } from "../../intelligence/process/analyst.ts";
import { transcriptionOfOne } from "../../intelligence/process/message.ts";
import type { AddonResult, Transcription, Utterance } from "../../jobs/transcript.ts";
import type { MessageBody, RealtimeMessage } from "../connection/protocol.ts";

type Request = Record<string, unknown>;
type Realtime = RealtimeMessage["type"];

const REALTIME: readonly Realtime[] = ["translation", "named_entity_recognition", "sentiment_analysis"];
const LOCAL = ["named_entity_recognition", "sentiment_analysis"] as const;
const SAMPLE: Transcription = transcriptionOfOne({
  text: "Hello Anna.",
  language: "en",
  start: 0,
  end: 1,
  confidence: 1,
  channel: 0,
  words: [
    { word: "Hello", start: 0, end: 0.5, confidence: 1 },
    { word: " Anna.", start: 0.5, end: 1, confidence: 1 },
  ],
});
const POST = ["summarization", "chapterization"] as const;

function switchedOn<Name extends string>(switches: Request, names: readonly Name[]): Name[] {
  return names.filter((name) => switches[name] === true);
}

interface Translated {
  languages: string[];
  utterances: Utterance[];
}

/** What add-ons need of their session. */
export interface SessionWays {
  /** Stores and sends a message. */
  tell(message: MessageBody): Promise<void>;
  /** What an utterance says in English; undefined where no model can tell. */
  english(utterance: Utterance): Promise<Utterance | undefined>;
}

export class LiveAddons {
  private readonly realtime: Request;
  private readonly post: Request;
  private readonly underWay = new Set<Promise<void>>();
  /** What was told already, an earlier process included. */
  private readonly told = new Set<string>();
  /** An error that every final would repeat is told once. */
  private readonly complaints = new Set<string>();

  /** What finals say in English, by their ids, where the recogniser told it. */
  private readonly english = new Map<string, Utterance>();

  constructor(
    request: Request,
    private readonly analyst: Analyst,
    private readonly session: SessionWays,
  ) {
    this.realtime = (request["realtime_processing"] ?? {}) as Request;
    this.post = (request["post_processing"] ?? {}) as Request;
    // Loads their process and their dictionaries before the first final is there.
    for (const name of switchedOn(this.realtime, LOCAL))
      void this.analyst.run(name, SAMPLE, this.realtime, { isWantedAtOnce: true });
  }

  /** Sees every message of the session. */
  note(message: MessageBody): void {
    if (!("error" in message) || !(REALTIME as readonly string[]).includes(message.type)) return;
    const { type, data } = message as RealtimeMessage & { type: "translation" };
    if (!data) return;
    this.told.add(`${type} ${data.utterance_id}`);
    if (type === "translation" && data.target_language === "en") {
      this.english.set(data.utterance_id, data.translated_utterance);
    }
  }

  /** Works on a final, unless that was done. */
  begin(id: string, utterance: Utterance): void {
    for (const name of switchedOn(this.realtime, REALTIME)) {
      if (this.told.has(`${name} ${id}`)) continue;
      const work: Promise<void> = this.run(name, id, utterance).finally(() => this.underWay.delete(work));
      this.underWay.add(work);
    }
  }

  /** Resolves when everything that was begun is told. */
  async settled(): Promise<void> {
    await Promise.all(this.underWay);
  }

  /** Answers over the whole session for its result; post-processing is told as well. */
  async finish(
    transcription: Transcription,
  ): Promise<{ results: Record<string, AddonResult<unknown>>; messages: MessageBody[] }> {
    const results: Record<string, AddonResult<unknown>> = {};
    const messages: MessageBody[] = [];
    for (const name of switchedOn(this.realtime, REALTIME)) {
      const english = [...this.english.values()];
      results[name] = await this.analyst.run(name, transcription, this.realtime, { english });
    }
    for (const name of switchedOn(this.post, POST)) {
      const answer = await this.analyst.run(name, transcription, this.post);
      results[name] = answer;
      const { success, error } = answer;
      messages.push({
        type: `post_${name}`,
        error: success ? null : { message: error?.message ?? "" },
        data: success ? { results: answer.results } : null,
      } as MessageBody);
    }
    return { results, messages };
  }

  /** Where English is wanted and nobody else translates. */
  private async inEnglish(utterance: Utterance): Promise<Utterance[]> {
    const { target_languages = [] } = (this.realtime["translation_config"] ?? {}) as { target_languages?: string[] };
    if (!target_languages.includes("en") || this.analyst.translates || utterance.language === "en") return [];
    const english = await this.session.english(utterance).catch(() => undefined);
    return english ? [english] : [];
  }

  private async run(type: Realtime, id: string, utterance: Utterance): Promise<void> {
    const english = type === "translation" ? await this.inEnglish(utterance) : [];
    const { success, error, results } = await this.analyst.run(type, transcriptionOfOne(utterance), this.realtime, {
      isWantedAtOnce: true,
      english,
    });
    if (!success) {
      const message = error?.message ?? "";
      if (this.complaints.has(message)) return;
      this.complaints.add(message);
      return this.session.tell({ type, error: { message }, data: null });
    }
    const data = { utterance_id: id, utterance };
    if (type !== "translation") {
      // Nothing found is nothing to tell.
      if ((results as unknown[]).length > 0) {
        await this.session.tell({ type, error: null, data: { ...data, results: results as unknown[] } });
      }
      return;
    }
    for (const { languages, utterances } of results as Translated[]) {
      const [translated] = utterances;
      if (!translated) continue;
      await this.session.tell({
        type,
        error: null,
        data: {
          ...data,
          original_language: utterance.language,
          target_language: languages[0] ?? "",
          translated_utterance: translated,
        },
      });
    }
  }
}
