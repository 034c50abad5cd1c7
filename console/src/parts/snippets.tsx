// The selected request as curl and with a client library.
import { useSignal } from "@preact/signals";
import { base } from "../address.ts";
import { t } from "../language/language.ts";
import { copy } from "./copy.ts";
import type { Values } from "./schema.ts";

function curl(options: Values, base: string): string {
  const body = JSON.stringify({ audio_url: "AUDIO_URL", ...options });
  return [
    `curl -H "x-service-key: $KEY" -F audio=@recording.mp3 ${base}/v2/upload`,
    `curl -H "x-service-key: $KEY" -H "content-type: application/json" \\`,
    `     -d '${body.replaceAll("'", "'\\''")}' ${base}/v2/pre-recorded`,
    `curl -H "x-service-key: $KEY" ${base}/v2/pre-recorded/ID`,
  ].join("\n");
}

function sdk(options: Values, base: string): string {
  const given = Object.keys(options).length > 0 ? `, ${JSON.stringify(options, null, 2)}` : "";
  return [
    'import { GladiaClient } from "@gladiaio/sdk";',
    "",
    `const client = new GladiaClient({ apiKey: process.env.KEY, apiUrl: "${base}" });`,
    `const job = await client.preRecorded().transcribe("recording.mp3"${given});`,
    "console.log(job.result.transcription.full_transcript);",
  ].join("\n");
}

export function Snippets({ options }: { options: Values }) {
  const shown = useSignal<"curl" | "sdk">("curl");
  const text = shown.value === "curl" ? curl(options, base) : sdk(options, base);
  return (
    <details class="snippets">
      <summary>{t.transcribe.program}</summary>
      <div class="row between">
        <fieldset class="tabs bare" aria-label={t.transcribe.programLanguage}>
          {(["curl", "sdk"] as const).map((kind) => (
            <button
              key={kind}
              type="button"
              aria-pressed={shown.value === kind}
              onClick={() => {
                shown.value = kind;
              }}
            >
              {kind === "curl" ? "curl" : "JavaScript"}
            </button>
          ))}
        </fieldset>
        <button type="button" class="quiet" onClick={() => copy(text)}>
          {t.frame.copy}
        </button>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard */}
      <pre tabIndex={0} dir="ltr">
        {text}
      </pre>
    </details>
  );
}
