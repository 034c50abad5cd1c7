// The frame around every page: navigation, account and notices.
import { useEffect } from "preact/hooks";
import { LocationProvider, lazy, Route, Router, useLocation } from "preact-iso";
import { account, loadAccount, signOut } from "./account.ts";
import { at, PAGE_ADDRESS, withoutPrefix } from "./address.ts";
import { onAir } from "./live/on-air.ts";
import { hasWaitingSession } from "./live/waiting-session.ts";
import { SignIn } from "./pages/sign-in.tsx";
import { Transcribe } from "./pages/transcribe.tsx";
import { Notices } from "./parts/notices.tsx";
import { theme, toggleTheme } from "./theme.ts";
import { useTitle } from "./use-title.ts";

const Live = lazy(() => import("./pages/live.tsx").then(({ Live }) => Live));
const Recordings = lazy(() => import("./pages/recordings.tsx").then(({ Recordings }) => Recordings));
const Transcript = lazy(() => import("./pages/transcript.tsx").then(({ Transcript }) => Transcript));
const SharedCaptions = lazy(() => import("./pages/shared-captions.tsx").then(({ SharedCaptions }) => SharedCaptions));
const Setup = lazy(() => import("./pages/setup.tsx").then(({ Setup }) => Setup));

const LINKS = [
  { path: "/", name: "Transcribe" },
  { path: "/live", name: "Live" },
  { path: "/jobs", name: "Recordings" },
  { path: "/setup", name: "Setup" },
];

function Header() {
  const inner = withoutPrefix(useLocation().path);
  const isCurrent = (link: string) => (link === "/" ? inner === "/" : inner.startsWith(link));
  return (
    <header class="bar">
      <a class="skip" href="#main">
        Skip to the content
      </a>
      <a class="brand" href={at("/")}>
        <svg viewBox="0 0 32 32" width="26" height="26" aria-hidden="true">
          <rect width="32" height="32" rx="8" class="brand-ground" />
          <path class="brand-bars" d="M7.5 14.500v3M13 9.500v13M19 12.500v7M24.500 15.500v1" />
        </svg>
        Parlance
      </a>
      <nav aria-label="Pages">
        {LINKS.map(({ path: link, name }) => (
          <a key={link} href={at(link)} aria-current={isCurrent(link) ? "page" : undefined}>
            {name}
            {link === "/live" && (onAir.value || hasWaitingSession.value) ? (
              <>
                {" "}
                <span class={onAir.value ? "tag speaking" : "tag"}>{onAir.value ? "On air" : "Continue"}</span>
              </>
            ) : null}
          </a>
        ))}
        {onAir.value && (account.value.kind !== "in" || !isCurrent("/live")) ? (
          <button type="button" class="quiet" onClick={onAir.value.stop}>
            Stop the live session
          </button>
        ) : null}
      </nav>
      <div class="bar-end">
        <a href={at("/docs")} target="_blank" rel="noreferrer">
          Docs
        </a>
        <button
          type="button"
          class="quiet"
          onClick={toggleTheme}
          aria-label={theme.value === "dark" ? "Light colours" : "Dark colours"}
          title={theme.value === "dark" ? "Light colours" : "Dark colours"}
        >
          {theme.value === "dark" ? "☀" : "☾"}
        </button>
        {account.value.kind === "in" ? (
          <button type="button" class="quiet" onClick={signOut}>
            Sign out
          </button>
        ) : null}
      </div>
    </header>
  );
}

function Body() {
  switch (account.value.kind) {
    case "unknown":
      return <p class="empty">Connecting…</p>;
    case "unreachable":
      return (
        <div class="empty">
          <p>The service does not answer. This page tries again automatically.</p>
        </div>
      );
    case "out":
      return <SignIn />;
    case "in":
      return (
        <Router>
          <Route path={at("/")} component={Transcribe} />
          <Route path={at("/live")} component={Live} />
          <Route path={at("/jobs")} component={Recordings} />
          <Route path={at("/jobs/:id")} component={Transcript} />
          <Route path={at("/setup")} component={Setup} />
          <Route default component={Missing} />
        </Router>
      );
  }
}

function Missing() {
  useTitle("No such page");
  return (
    <div class="empty">
      <h1>There is no such page</h1>
      <p>The address may be mistyped, or what it showed was deleted.</p>
      <p>
        Look at <a href={at("/jobs")}>your recordings</a> or <a href={at("/")}>transcribe something</a>.
      </p>
    </div>
  );
}

/** The console of an account, or a shared page, which is for people without one. */
function Frame() {
  const isShared = withoutPrefix(useLocation().path).startsWith("/captions/");
  useEffect(() => {
    if (!isShared) void loadAccount();
  }, [isShared]);
  return (
    <>
      {isShared ? null : <Header />}
      <main id="main" tabIndex={-1}>
        {isShared ? (
          <Router>
            <Route path={at("/captions/:id")} component={SharedCaptions} />
            <Route default component={Missing} />
          </Router>
        ) : (
          <Body />
        )}
      </main>
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
