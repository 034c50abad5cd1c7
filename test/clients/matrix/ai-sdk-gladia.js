import { readFileSync } from "node:fs";
import { createGladia } from "@ai-sdk/gladia";

const { SERVICE, KEY, RECORDING } = process.env;
const gladia = createGladia({
  apiKey: KEY,
  // As docs/clients.md describes it.
  fetch: async (input, init) => {
    const { pathname, search } = new URL(input);
    const answer = await fetch(new URL(pathname + search, SERVICE), init);
    return new Response((await answer.text()).replaceAll(SERVICE, "https://api.gladia.io"), answer);
  },
});
const audio = new Uint8Array(readFileSync(RECORDING));
const { text } = await gladia.transcription().doGenerate({ audio, mediaType: "audio/mpeg" });
process.stdout.write(`${text}\n`);
