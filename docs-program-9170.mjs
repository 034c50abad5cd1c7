import { createReadStream } from "node:fs";
import OpenAI from "openai";

const client = new OpenAI({
  apiKey: process.env.KEY, // a key of this service: sk-… keys are unknown here
  baseURL: `${process.env.SERVICE ?? "http://localhost:8080"}/v1`,
});
const answer = await client.audio.transcriptions.create({
  file: createReadStream("/tmp/parlance-docs-1tuoR9/moving-from-openai-PHB5eg/recording.mp3"),
  model: "whisper-1",
  response_format: "verbose_json",
  timestamp_granularities: ["word", "segment"],
});
console.log(answer.text);
for (const { word, start, end } of answer.words) console.log(start, end, word);
