// The benchmarks that `npm run bench` offers: each is the module of that name in this folder.
export interface Benchmark {
  measures: string;
  /** What must be installed besides the packages of this repository; `all` leaves such a benchmark out. */
  needs?: string;
}

export const BENCHMARKS: Readonly<Record<string, Benchmark>> = {
  simulation: {
    measures: "schedules of faults in virtual time: whether the ownership of live sessions, jobs and callbacks holds",
  },
  chaos: {
    measures: "real processes of all roles under faults: whether what clients were promised holds",
    needs: "PostgreSQL, NATS and an S3 server",
  },
  accuracy: { measures: "word errors and word times, of clean and of harder recordings" },
  cuts: { measures: "invented and lost words where recordings begin and end inside speech" },
  "turn-cuts": { measures: "word errors where turns end within continuous speech" },
  channels: { measures: "which channels are transcribed, and what leaks from one channel into another" },
  "declared-formats": { measures: "warnings about audio that is not in its declared format" },
  attacks: { measures: "health and event loop under all requests and frames that once froze the service" },
  "doubled-source": { measures: "warnings about recordings in which the same sound is mixed with itself" },
  "quiet-voices": { measures: "words of a quiet voice beside a loud one in one channel" },
  "wordless-voice": { measures: "warnings about a voice without words where there is none" },
  "short-answers": { measures: "words of one-word answers, and words invented for sounds" },
  "speech-after-music": { measures: "sentences found after music, noise, tones and silence" },
  "digit-groups": { measures: "digits lost, doubled or invented in numbers said in groups", needs: "flite" },
  numbers: { measures: "how well numbers are written, by language" },
  vocabulary: { measures: "gain and harm of a custom vocabulary" },
  enhancer: { measures: "word errors and signal-to-noise ratio with and without audio_enhancer" },
  languages: { measures: "words, languages and word times with Whisper" },
  "foreign-speech": { measures: "speech in other languages that the English models refuse" },
  "language-changes": { measures: "live sessions whose language changes" },
  speakers: { measures: "diarization error, and names of speakers" },
  "long-speakers": { measures: "speed and memory of long recordings with speakers" },
  "piece-voices": { measures: "pieces of speech that contain two people" },
  voices: { measures: "people enrolled from one recording and named in others" },
  intelligence: { measures: "entities and sentiment" },
  translation: { measures: "speed, delay and memory of translation" },
  understanding: { measures: "summaries, answers and extraction by a language model", needs: "a language model" },
  throughput: { measures: "audio seconds a second, beside sherpa-onnx" },
  estimates: { measures: "estimated rest of jobs, against the time that they take" },
  start: { measures: "time, processor time and memory of first and later starts" },
  memory: { measures: "memory and start time of all processes" },
  partials: { measures: "recognition of audio that ends inside speech" },
  live: {
    measures: "delays of live words and finals, with 1 to 32 sessions; with --wire all, other wires beside our own",
  },
  "live-conditions": { measures: "delays of live sessions beside other requests and sessions" },
  "speaker-counts": { measures: "how many speakers three voices become in live sessions, by the endpointing" },
  "live-diarization": { measures: "delays of live sessions with and without speakers" },
  turns: { measures: "ends of turns: false cut-offs and delays" },
  teaching: { measures: "repeated corrections of an account with 100,000 replaced words" },
  lists: { measures: "lists of an account with very many jobs" },
  durability: { measures: "cost of syncing before an acknowledgment" },
  scale: { measures: "processor time of the database for each statement of the queue", needs: "PostgreSQL" },
  "queue-structure": { measures: "cost of an index of leases and of monthly partitions", needs: "PostgreSQL" },
  "idle-workers": { measures: "transactions that idle workers commit", needs: "PostgreSQL and an S3 server" },
  workers: { measures: "speed with 1, 2 and 4 worker processes", needs: "PostgreSQL and an S3 server" },
  "compressed-streams": { measures: "processor time, bytes and memory of decoding Opus, AAC and MP3 live" },
  "session-logs": { measures: "cost of keeping live sessions in NATS", needs: "NATS" },
  peers: { measures: "the same files with other programs", needs: "Python packages and a Whisper checkpoint" },
  "whisper-sizes": {
    measures: "time and memory of Whisper's sizes with random weights",
    needs: "several gigabytes of memory",
  },
};
