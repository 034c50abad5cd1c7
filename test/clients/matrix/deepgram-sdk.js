import { readFileSync } from "node:fs";
import { DeepgramClient } from "@deepgram/sdk";

const base = process.env.SERVICE;
const environment = { base, production: base.replace("http", "ws"), agent: base, agentRest: base };
const client = new DeepgramClient({ apiKey: process.env.KEY, environment });
const connection = await client.listen.v1.connect({ model: "nova-3", encoding: "linear16", sample_rate: 16_000 });
connection.on("message", ({ type, is_final, channel }) => {
  if (type === "Results" && is_final) process.stdout.write(`${channel.alternatives[0].transcript}\n`);
});
connection.connect();
await connection.waitForOpen();
connection.sendMedia(readFileSync(process.env.PCM));
connection.sendFinalize({ type: "Finalize" });
connection.sendCloseStream({ type: "CloseStream" });
