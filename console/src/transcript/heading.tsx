// The heading of a transcript: its name, facts and warnings, and the actions on the whole.
import { jobName } from "../job-name.ts";
import { formats, t } from "../language/language.ts";
import { languageName } from "../language-name.ts";
import { Rename } from "../parts/rename.tsx";
import { Tags } from "../parts/tags.tsx";
import type { TranscriptionResult } from "../shapes.ts";
import { clock, moment } from "../time.ts";
import { ExportPanel } from "./export-panel.tsx";
import type { Player } from "./player.ts";
import type { TranscriptStore } from "./store.ts";
import { Warnings } from "./warnings.tsx";

/** Which track of a file with several was transcribed. Numbers are those of `audio_track`. */
function trackText({ audio_track, number_of_audio_tracks = 1 }: TranscriptionResult["metadata"]): string {
  return audio_track === undefined || number_of_audio_tracks < 2
    ? ""
    : ` · ${t.transcript.track(audio_track, number_of_audio_tracks)}`;
}

export function Heading({ store, player }: { store: TranscriptStore; player: Player }) {
  const job = store.job.value;
  const result = job?.result;
  if (!job || !result) return null;
  return (
    <div class="row between wrap transcript-heading">
      <div>
        <Rename job={job} onNamed={store.load}>
          <h1 dir="auto">{jobName(job)}</h1>
        </Rename>
        <div class="row wrap">
          <p class="hint">
            {moment(job.created_at)} · {clock(result.metadata.audio_duration)} ·{" "}
            {formats.list(result.transcription.languages.map(languageName))}
            {trackText(result.metadata)}
          </p>
          <Tags job={job} onChanged={store.load} />
        </div>
        <Warnings store={store} />
      </div>
      <ExportPanel store={store} player={player} />
    </div>
  );
}
