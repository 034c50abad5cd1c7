// The heading and the navigation that the three pages of Setup have in common.
import type { ComponentChildren } from "preact";
import { at } from "../address.ts";
import { t } from "../language/language.ts";
import { useTitle } from "../use-title.ts";

const PAGES = ["account", "models", "machine"] as const;
type SetupPageName = (typeof PAGES)[number];

export function SetupPage({ page: shown, children }: { page: SetupPageName; children: ComponentChildren }) {
  const { [shown]: title } = t.setup.pages;
  useTitle(title);
  return (
    <div class="page setup">
      <nav class="setup-pages" aria-label={t.frame.setup}>
        {PAGES.map((page) => (
          <a key={page} href={at(`/setup/${page}`)} aria-current={page === shown ? "page" : undefined}>
            {t.setup.pages[page]}
          </a>
        ))}
      </nav>
      <h1>{title}</h1>
      {children}
    </div>
  );
}
