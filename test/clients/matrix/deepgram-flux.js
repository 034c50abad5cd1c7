import { readFileSync } from "node:fs";
import { DeepgramClient } from "@deepgram/sdk";

const base = process.env.SERVICE;
const environment = { base, production: base.replace("http", "ws"), agent: base, agentRest: base };
const client = new DeepgramClient({ apiKey: process.env.KEY, environment });
const connection = await client.listen.v2.connect({
  model: "flux-general-en",
  encoding: "linear16",
  sample_rate: 16_000,
  eager_eot_threshold: 0.5,
});
connection.on("message", ({ type, event, transcript }) => {
  if (type === "TurnInfo" && event === "EndOfTurn") process.stdout.write(`${transcript}\n`);
});
connection.connect();
await connection.waitForOpen();
connection.sendMedia(readFileSync(process.env.PCM));
connection.sendCloseStream({ type: "CloseStream" });
