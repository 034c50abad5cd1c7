import { readFileSync } from "node:fs";
import net from "node:net";
import OpenAI from "openai";
import { OpenAIRealtimeWS } from "openai/realtime/ws";

const service = new URL(process.env.SERVICE);
const client = new OpenAI({ apiKey: process.env.KEY, baseURL: `${service.origin}/v1` });
// The client always uses TLS, which the service has none of.
const options = { createConnection: () => net.connect(Number(service.port), service.hostname) };
const realtime = new OpenAIRealtimeWS({ model: "gpt-4o-transcribe", options }, client);
const input = { format: { type: "audio/pcm", rate: 16_000 }, turn_detection: { type: "server_vad" } };
realtime.on("error", (error) => {
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
});
realtime.on("session.created", () => {
  realtime.send({ type: "session.update", session: { type: "transcription", audio: { input } } });
  const audio = Buffer.concat([readFileSync(process.env.PCM), Buffer.alloc(64_000)]).toString("base64");
  realtime.send({ type: "input_audio_buffer.append", audio });
});
realtime.on("conversation.item.input_audio_transcription.completed", ({ transcript }) => {
  process.stdout.write(`${transcript}\n`);
  realtime.close();
});
