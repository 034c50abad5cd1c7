// The frame around every page: navigation, account and notices.
import { useEffect, useRef } from "preact/hooks";
import { LocationProvider, lazy, Route, Router, useLocation } from "preact-iso";
import { account, loadAccount, signOut } from "./account.ts";
import { at, PAGE_ADDRESS, withoutPrefix } from "./address.ts";
import { attempt } from "./attempt.ts";
import { DropAnywhere } from "./drop-anywhere.tsx";
import { keepFocus } from "./focus.ts";
import { t } from "./language/language.ts";
import { Rich } from "./language/rich.tsx";
import { onAir } from "./live/on-air.ts";
import { hasWaitingSession } from "./live/waiting-session.ts";
import { recording } from "./microphone-recording.ts";
import { hasRecorder, StopRecording } from "./pages/recorder.tsx";
import { SignIn } from "./pages/sign-in.tsx";
import { Transcribe } from "./pages/transcribe.tsx";
import { LanguageSelect } from "./parts/language-select.tsx";
import { Notices } from "./parts/notices.tsx";
import { ThemeSwitch } from "./parts/theme-switch.tsx";
import { isSentLater } from "./task.ts";
import { tasks } from "./tasks.ts";
import { useTitle } from "./use-title.ts";

const Live = lazy(() => import("./pages/live.tsx").then(({ Live }) => Live));
const Recordings = lazy(() => import("./pages/recordings.tsx").then(({ Recordings }) => Recordings));
const Transcript = lazy(() => import("./pages/transcript.tsx").then(({ Transcript }) => Transcript));
const SharedCaptions = lazy(() => import("./pages/shared-captions.tsx").then(({ SharedCaptions }) => SharedCaptions));
const SharedTranscript = lazy(() =>
  import("./pages/shared-transcript.tsx").then(({ SharedTranscript }) => SharedTranscript),
);
const AccountPage = lazy(() => import("./pages/account.tsx").then(({ AccountPage }) => AccountPage));
const ModelsPage = lazy(() => import("./pages/models.tsx").then(({ ModelsPage }) => ModelsPage));
const MachinePage = lazy(() => import("./pages/machine.tsx").then(({ MachinePage }) => MachinePage));

/** `within`: the beginning of the addresses of its pages. */
const LINKS = [
  { path: "/", within: "", name: "transcribe" },
  { path: "/live", within: "/live", name: "live" },
  { path: "/jobs", within: "/jobs", name: "recordings" },
  { path: "/setup/account", within: "/setup", name: "setup" },
] as const;

/** Before the sign-in, no page can be opened. */
function Navigation() {
  const isIn = account.value.kind === "in";
  const inner = withoutPrefix(useLocation().path);
  const isCurrent = (within: string) => (within === "" ? inner === "/" : inner.startsWith(within));
  // The sign-in page has the button of a recording, and so has a recorder.
  const hidesRecording = recording.value !== undefined && account.value.kind !== "out" && !hasRecorder();
  if (!isIn && !onAir.value && !hidesRecording) return null;
  return (
    <nav aria-label={t.frame.pages}>
      {(isIn ? LINKS : []).map(({ path: link, within, name }) => (
        <a key={link} href={at(link)} aria-current={isCurrent(within) ? "page" : undefined}>
          {t.frame[name]}
          {link === "/live" && (onAir.value || hasWaitingSession.value) ? (
            <>
              {" "}
              <span class={onAir.value ? "tag speaking" : "tag"}>
                {onAir.value ? t.frame.onAir : t.frame.continueSession}
              </span>
            </>
          ) : null}
        </a>
      ))}
      {onAir.value && (!isIn || !isCurrent("/live")) ? (
        <button type="button" class="quiet" onClick={onAir.value.stop}>
          {t.frame.stopLive}
        </button>
      ) : null}
      {hidesRecording ? <StopRecording /> : null}
    </nav>
  );
}

/** Files stay in the browser for the account: a person may not expect that they are not sent. */
function leave(): void {
  const left = tasks.value.filter(isSentLater).length;
  if (left === 0 || confirm(t.frame.signOutQuestion(left))) void attempt(signOut);
}

function Header() {
  return (
    <header class="bar">
      <a class="skip" href="#main">
        {t.frame.skip}
      </a>
      <a class="brand" href={at("/")}>
        <svg viewBox="0 0 32 32" width="26" height="26" aria-hidden="true">
          <rect width="32" height="32" rx="8" class="brand-ground" />
          <path class="brand-bars" d="M7.5 14.500v3M13 9.500v13M19 12.500v7M24.500 15.500v1" />
        </svg>
        Parlance
      </a>
      <Navigation />
      <div class="bar-end">
        <a href={at("/docs")} target="_blank" rel="noreferrer">
          {t.frame.documentation}
        </a>
        <ThemeSwitch />
        <LanguageSelect />
        {account.value.kind === "in" ? (
          <button type="button" class="quiet" onClick={leave}>
            {t.frame.signOut}
          </button>
        ) : null}
      </div>
    </header>
  );
}

function Body() {
  switch (account.value.kind) {
    case "unknown":
      return <p class="empty">{t.frame.connecting}</p>;
    case "unreachable":
      return (
        <div class="empty">
          <p>{t.frame.unreachable}</p>
        </div>
      );
    case "out":
      return <SignIn />;
    case "in":
      return (
        // A page of another account is another page: nothing of the former one stays.
        <Router key={account.value.account.name}>
          <Route path={at("/")} component={Transcribe} />
          <Route path={at("/live")} component={Live} />
          <Route path={at("/jobs")} component={Recordings} />
          <Route path={at("/jobs/:id")} component={Transcript} />
          <Route path={at("/setup/account")} component={AccountPage} />
          <Route path={at("/setup/models")} component={ModelsPage} />
          <Route path={at("/setup/machine")} component={MachinePage} />
          <Route default component={Missing} />
        </Router>
      );
  }
}

function Missing() {
  useTitle(t.frame.missingTitle);
  return (
    <div class="empty">
      <h1>{t.frame.missing}</h1>
      <p>{t.frame.missingReason}</p>
      <p>
        <Rich
          text={t.frame.missingLinks}
          parts={[(words) => <a href={at("/jobs")}>{words}</a>, (words) => <a href={at("/")}>{words}</a>]}
        />
      </p>
    </div>
  );
}

/** Pages for people with a link. */
const SHARED = /^\/(captions\/|shared\/?$)/;

/** The console of an account, or a shared page, which is for people without one. */
function Frame() {
  const isShared = SHARED.test(withoutPrefix(useLocation().path));
  const main = useRef<HTMLElement>(null);
  useEffect(() => (main.current ? keepFocus(main.current) : undefined), []);
  useEffect(() => {
    if (!isShared) void loadAccount();
  }, [isShared]);
  return (
    <>
      {isShared ? null : <Header />}
      <main id="main" ref={main} tabIndex={-1}>
        {isShared ? (
          <Router>
            <Route path={at("/captions/:id")} component={SharedCaptions} />
            <Route path={at("/shared")} component={SharedTranscript} />
            <Route default component={Missing} />
          </Router>
        ) : (
          <Body />
        )}
      </main>
      {!isShared && account.value.kind === "in" ? <DropAnywhere /> : null}
      <Notices />
    </>
  );
}

export function App() {
  return (
    // Other pages of the service, such as the documentation, are not part of this application.
    <LocationProvider scope={PAGE_ADDRESS}>
      <Frame />
    </LocationProvider>
  );
}
