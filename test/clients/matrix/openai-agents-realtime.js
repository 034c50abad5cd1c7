import { readFileSync } from "node:fs";
import { OpenAIRealtimeWebSocket, RealtimeAgent, RealtimeSession } from "@openai/agents-realtime";

const url = `${process.env.SERVICE.replace("http", "ws")}/v1/realtime`;
const input = { format: { type: "audio/pcm", rate: 16_000 }, turnDetection: { type: "server_vad" } };
const session = new RealtimeSession(new RealtimeAgent({ name: "listener" }), {
  transport: new OpenAIRealtimeWebSocket({ url }),
  config: { audio: { input } },
});
session.on("error", ({ error }) => {
  process.stderr.write(`${JSON.stringify(error)}\n`);
  process.exit(1);
});
// The client retrieves each item whose transcript is complete.
session.on("history_updated", (items) => {
  const [transcript] = items.flatMap(({ content }) => content.map((part) => part.transcript ?? ""));
  if (transcript) process.stdout.write(`${transcript}\n`, () => process.exit(0));
});
await session.connect({ apiKey: process.env.KEY });
const audio = Buffer.concat([readFileSync(process.env.PCM), Buffer.alloc(64_000)]);
session.sendAudio(audio.buffer.slice(audio.byteOffset, audio.byteOffset + audio.length));
