// The client refuses addresses without TLS. A forwarder with a self-signed certificate therefore accepts its connections, as a proxy would.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import net from "node:net";
import tls from "node:tls";
import { AssemblyAI } from "assemblyai";

const subject = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"];
const files = ["-keyout", "key.pem", "-out", "certificate.pem", "-days", "1"];
execFileSync("openssl", ["req", "-x509", "-newkey", "rsa:2048", "-nodes", ...files, ...subject], { stdio: "ignore" });
process.env.NODE_TLS_REJECT_UNAUTHORIZED = "0";

const { hostname, port } = new URL(process.env.SERVICE);
const forwarder = tls.createServer(
  { key: readFileSync("key.pem"), cert: readFileSync("certificate.pem") },
  (incoming) => {
    const outgoing = net.connect(Number(port), hostname);
    for (const stream of [incoming, outgoing]) stream.on("error", () => undefined);
    incoming.pipe(outgoing).pipe(incoming);
  },
);
await new Promise((resolve) => forwarder.listen(0, "127.0.0.1", resolve));

const client = new AssemblyAI({ apiKey: process.env.KEY, streamingBaseUrl: process.env.SERVICE });
const token = await client.streaming.createTemporaryToken({ expires_in_seconds: 60 });
const transcriber = client.streaming.transcriber({
  websocketBaseUrl: `wss://localhost:${forwarder.address().port}/v3/ws`,
  token,
  sampleRate: 16_000,
  speechModel: "universal-streaming-english",
  formatTurns: true,
  // A service that has just started, on a machine with other work.
  connectTimeout: 30_000,
});
const failures = [];
transcriber.on("error", (error) => failures.push(error));
transcriber.on("turn", ({ end_of_turn, transcript }) => {
  if (end_of_turn) process.stdout.write(`${transcript}\n`);
});
await transcriber.connect();
transcriber.updateConfiguration({ max_turn_silence: 1_500 });
const samples = readFileSync(process.env.PCM);
for (let at = 0; at < samples.length; at += 3_200) transcriber.sendAudio(samples.subarray(at, at + 3_200));
transcriber.forceEndpoint();
await transcriber.close(true, 30_000);
forwarder.close();
if (failures.length > 0) throw failures[0];
process.exit(0);
