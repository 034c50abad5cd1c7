import { readFileSync } from "node:fs";
import { createOpenAI } from "@ai-sdk/openai";

const { SERVICE, KEY, RECORDING } = process.env;
const openai = createOpenAI({ apiKey: KEY, baseURL: `${SERVICE}/v1` });
for (const model of ["gpt-4o-transcribe", "whisper-1"]) {
  const answer = await openai.transcription(model).doGenerate({
    audio: new Uint8Array(readFileSync(RECORDING)),
    mediaType: "audio/mpeg",
    providerOptions: { openai: { timestampGranularities: ["word"], language: "en" } },
  });
  if (model === "whisper-1" && answer.segments.length === 0) throw new Error("no segments");
  process.stdout.write(`${answer.text}\n`);
}
