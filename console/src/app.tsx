// The frame around every page: who is signed in, where one can go, what just happened.
import { useEffect } from "preact/hooks";
import { LocationProvider, lazy, Route, Router, useLocation } from "preact-iso";
import { account, loadAccount, signOut } from "./account.ts";
import { SignIn } from "./pages/sign-in.tsx";
import { Transcribe } from "./pages/transcribe.tsx";
import { Notices } from "./parts/notices.tsx";
import { theme, toggleTheme } from "./theme.ts";

const Live = lazy(() => import("./pages/live.tsx").then(({ Live }) => Live));
const Jobs = lazy(() => import("./pages/jobs.tsx").then(({ Jobs }) => Jobs));
const Transcript = lazy(() => import("./pages/transcript.tsx").then(({ Transcript }) => Transcript));
const Setup = lazy(() => import("./pages/setup.tsx").then(({ Setup }) => Setup));

const LINKS = [
  { path: "/", name: "Transcribe" },
  { path: "/live", name: "Live" },
  { path: "/jobs", name: "Jobs" },
  { path: "/setup", name: "Setup" },
];

function Header() {
  const { path } = useLocation();
  const isHere = (link: string) => (link === "/" ? path === "/" : path.startsWith(link));
  return (
    <header class="bar">
      <a class="skip" href="#main">
        Skip to the content
      </a>
      <a class="brand" href="/">
        <svg viewBox="0 0 32 32" width="26" height="26" aria-hidden="true">
          <rect width="32" height="32" rx="8" class="brand-ground" />
          <path class="brand-bars" d="M7.5 14.500v3M13 9.500v13M19 12.500v7M24.500 15.500v1" />
        </svg>
        Parlance
      </a>
      <nav aria-label="Pages">
        {LINKS.map(({ path: link, name }) => (
          <a key={link} href={link} aria-current={isHere(link) ? "page" : undefined}>
            {name}
          </a>
        ))}
      </nav>
      <div class="bar-end">
        <a href="/docs" target="_blank" rel="noreferrer">
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
          <p>The service does not answer. This page tries again by itself.</p>
        </div>
      );
    case "out":
      return <SignIn />;
    case "in":
      return (
        <Router>
          <Route path="/" component={Transcribe} />
          <Route path="/live" component={Live} />
          <Route path="/jobs" component={Jobs} />
          <Route path="/jobs/:id" component={Transcript} />
          <Route path="/setup" component={Setup} />
          <Route default component={Missing} />
        </Router>
      );
  }
}

function Missing() {
  return (
    <div class="empty">
      <h1>There is no such page</h1>
      <p>
        <a href="/">Transcribe something</a> or look at <a href="/jobs">your jobs</a>.
      </p>
    </div>
  );
}

export function App() {
  useEffect(() => {
    void loadAccount();
  }, []);
  return (
    // Other pages of the service, such as the documentation, are not of this application.
    <LocationProvider scope={/^\/(live|jobs(\/[\w-]+)?|setup)?\/?$/}>
      <Header />
      <main id="main" tabIndex={-1}>
        <Body />
      </main>
      <Notices />
    </LocationProvider>
  );
}
