import { createReadStream } from "node:fs";
import OpenAI from "openai";

const { SERVICE, KEY, RECORDING } = process.env;
const client = new OpenAI({ apiKey: KEY, baseURL: `${SERVICE}/v1` });
const answer = await client.audio.transcriptions.create({
  file: createReadStream(RECORDING),
  model: "whisper-1",
  response_format: "verbose_json",
  timestamp_granularities: ["word"],
});
if (!(answer.words?.length > 0)) throw new Error("no words");
const stream = await client.audio.transcriptions.create({
  file: createReadStream(RECORDING),
  model: "gpt-4o-transcribe",
  stream: true,
});
let streamed;
for await (const event of stream) if (event.type === "transcript.text.done") streamed = event.text;
if (streamed !== answer.text) throw new Error(`streamed: ${streamed}`);
process.stdout.write(`${answer.text}\n`);
