// A transcript for people with a link to it. They need no key, and reach nothing else of the console.
import { useSignal } from "@preact/signals";
import { useEffect, useMemo, useRef } from "preact/hooks";
import { useEvery } from "../every.ts";
import { formats, t } from "../language/language.ts";
import { said } from "../language/messages.ts";
import { languageName } from "../language-name.ts";
import { LanguageSelect } from "../parts/language-select.tsx";
import { ThemeSwitch } from "../parts/theme-switch.tsx";
import { Downloads } from "../shared/downloads.tsx";
import { Paragraphs } from "../shared/paragraphs.tsx";
import { Results } from "../shared/results.tsx";
import { type Opened, SharedLink } from "../shared/shared-link.ts";
import { clock, moment } from "../time.ts";
import { useTitle } from "../use-title.ts";
import "../styles/print.css";
import "../styles/shared.css";

const RETRY_MILLISECONDS = 3_000;

const tokenOfAddress = () => location.hash.slice(1);

export function SharedTranscript() {
  const token = useSignal(tokenOfAddress());
  useEffect(() => {
    const read = () => {
      token.value = tokenOfAddress();
    };
    addEventListener("hashchange", read);
    return () => removeEventListener("hashchange", read);
  }, []);
  return (
    <div class="shared-page">
      <div class="row shared-tools">
        <ThemeSwitch />
        <LanguageSelect />
      </div>
      <Page key={token.value} token={token.value} />
    </div>
  );
}

function Page({ token }: { token: string }) {
  const link = useMemo(() => new SharedLink(token), []);
  useEffect(() => void link.load(), []);
  useEvery(RETRY_MILLISECONDS, () => link.load());
  const opened = link.opened.value;
  useTitle(opened?.shared.title ?? t.share.reader);
  if (opened) return <Transcript link={link} opened={opened} />;
  if (link.problem.value === "") return <p class="empty">{t.frame.loading}</p>;
  return (
    <div class="empty" role="status">
      <h1>{t.share.reader}</h1>
      <p>{link.isWaiting.value ? t.frame.unreachable : said(link.problem.value)}</p>
    </div>
  );
}

function Transcript({ link, opened: { shared, transcript } }: { link: SharedLink; opened: Opened }) {
  const player = useRef<HTMLAudioElement>(null);
  const time = useSignal<number | undefined>(undefined);
  const problem = useSignal("");
  const { title, created_at, duration, expires_at, audio } = shared;
  const names = Object.fromEntries(transcript.speakers.flatMap(({ speaker, name }) => (name ? [[speaker, name]] : [])));
  const seek = useMemo(
    () =>
      audio
        ? (seconds: number) => {
            if (!player.current) return;
            player.current.currentTime = seconds;
            // The error of a refused playback is also an event.
            void player.current.play().catch(() => undefined);
          }
        : undefined,
    [audio],
  );
  return (
    <>
      <h1 dir="auto">{title ?? t.share.reader}</h1>
      <p class="hint">
        {[
          moment(created_at),
          duration === null ? "" : clock(duration),
          formats.list(transcript.languages.map(languageName)),
        ]
          .filter((fact) => fact !== "")
          .join(" · ")}
      </p>
      <p class="hint shared-end">{t.share.worksUntil(moment(expires_at))}</p>
      <Downloads link={link} title={title ?? t.share.reader} hasAudio={audio} />
      {audio ? (
        <div class="player shared-player">
          {/* biome-ignore lint/a11y/useMediaCaption: the transcript is below */}
          <audio
            ref={player}
            controls
            preload="metadata"
            src={link.audioAddress}
            aria-label={t.transcript.player}
            onTimeUpdate={({ currentTarget }) => {
              time.value = currentTarget.currentTime;
            }}
            onLoadedMetadata={() => {
              problem.value = "";
            }}
            onError={() => {
              problem.value = t.transcript.cannotPlay;
            }}
          />
          {problem.value ? <p class="problem">{problem.value}</p> : null}
        </div>
      ) : null}
      <Results transcript={transcript} onSeek={seek} />
      {transcript.paragraphs.length === 0 ? (
        <p class="empty">{t.transcript.nobodySpeaks}</p>
      ) : (
        <Paragraphs paragraphs={transcript.paragraphs} names={names} time={time} onSeek={seek} />
      )}
    </>
  );
}
