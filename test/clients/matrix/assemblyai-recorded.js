import { AssemblyAI } from "assemblyai";

const client = new AssemblyAI({ apiKey: process.env.KEY, baseUrl: process.env.SERVICE });
const transcript = await client.transcripts.transcribe(
  { audio: process.env.RECORDING, speaker_labels: true, speech_models: ["universal"] },
  { pollingInterval: 200 },
);
if (transcript.status !== "completed") throw new Error(transcript.error);
const [utterance] = transcript.utterances;
if (utterance.speaker !== "A") throw new Error(`the speaker is ${utterance.speaker}`);
const { sentences } = await client.transcripts.sentences(transcript.id);
const { paragraphs } = await client.transcripts.paragraphs(transcript.id);
if (sentences.length < paragraphs.length || paragraphs.length === 0) throw new Error("there are no paragraphs");
const { total_count } = await client.transcripts.wordSearch(transcript.id, ["hello"]);
if (total_count !== 1) throw new Error(`hello is found ${total_count} times`);
const captions = await client.transcripts.subtitles(transcript.id, "vtt", 32);
if (!captions.startsWith("WEBVTT")) throw new Error(captions);
const { transcripts } = await client.transcripts.list({ limit: 1 });
if (transcripts[0]?.id !== transcript.id) throw new Error("the list begins with another transcript");
await client.transcripts.delete(transcript.id);
process.stdout.write(`${transcript.text}\n`);
