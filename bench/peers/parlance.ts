// Parlance as a peer of the comparison: a service of its own, through HTTP.
import { readFileSync } from "node:fs";
import type { TranscriptionResult } from "../../src/contract/transcript/transcript.ts";
import { call, doneJob, type RunningService, ready, startService, upload } from "../../test/service.ts";
import type { Clip, Peer, PeerMode, Transcribed } from "./peer.ts";

class ParlancePeer implements Peer {
  private constructor(
    private readonly service: RunningService,
    private readonly params: Record<string, unknown>,
  ) {}

  static async start(environment: Record<string, string>, params: Record<string, unknown>): Promise<Peer> {
    const service = await startService({ environment });
    await ready(service);
    return new ParlancePeer(service, params);
  }

  get processId(): number {
    return this.service.processId;
  }

  async transcribe(clips: readonly Clip[]): Promise<Transcribed> {
    const started = performance.now();
    const ids: string[] = [];
    for (const { file, language } of clips) {
      const { json } = await upload(this.service, readFileSync(file), "audio.wav");
      const body = { audio_url: json.audio_url, language_config: { languages: [language] }, ...this.params };
      ids.push((await call(this.service, "POST", "/v2/pre-recorded", { body })).json.id);
    }
    const results: TranscriptionResult[] = [];
    for (const id of ids) results.push((await doneJob(this.service, id, 600_000)).result);
    return {
      seconds: (performance.now() - started) / 1000,
      texts: results.map(({ transcription }) => transcription.full_transcript),
      words: results.map(({ transcription }) => transcription.utterances.flatMap(({ words }) => words)),
    };
  }

  stop(): Promise<void> {
    return this.service.remove();
  }
}

/** @param models  folder with an installed whisper-base */
export function parlanceModes(models: string): PeerMode[] {
  // The compiled benches have no package.json of their own, and all of them start in the repository.
  const version = `Parlance ${(JSON.parse(readFileSync("package.json", "utf8")) as { version: string }).version}`;
  const whisper = { PARLANCE_MODELS_DIR: models, PARLANCE_MULTILINGUAL_MODEL: "whisper-base" };
  return [
    { name: "Parlance, Moonshine base", version, isEnglish: true, start: () => ParlancePeer.start({}, {}) },
    {
      name: "Parlance, Whisper base",
      version,
      start: () => ParlancePeer.start(whisper, { model: "whisper-base" }),
    },
  ];
}
