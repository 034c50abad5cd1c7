// Style sheet of the documentation's pages: the console's colours, without animation.
export const DOCS_STYLE = `
:root { --ground: #f6f7f9; --surface: #fff; --raised: #eef1f5; --line: #cfd5de; --text: #171b22; --soft: #4d5765; --accent: #2450c8; color-scheme: light; }
@media (prefers-color-scheme: dark) {
  :root { --ground: #11141a; --surface: #191e26; --raised: #232a35; --line: #3a4453; --text: #eceff4; --soft: #a9b4c4; --accent: #8fadff; color-scheme: dark; }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--text); font: 16px/1.6 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; }
a { color: var(--accent); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
header { background: var(--surface); border-bottom: 1px solid var(--line); padding: 0.7rem 1.25rem; }
.brand { color: var(--text); font-weight: 650; text-decoration: none; }
.columns { display: grid; grid-template-columns: 13rem minmax(0, 50rem); gap: 2.5rem; max-width: 70rem; margin: 0 auto; padding: 1.25rem; }
nav ul { list-style: none; margin: 0; padding: 0; position: sticky; top: 1rem; }
nav a { display: block; padding: 0.25rem 0; color: var(--soft); text-decoration: none; }
nav a[aria-current] { color: var(--text); font-weight: 600; }
h1 { font-size: 1.7rem; margin: 0 0 0.6rem; }
h2 { font-size: 1.25rem; margin: 2rem 0 0.4rem; }
pre { background: var(--raised); border-radius: 8px; padding: 0.8rem 1rem; overflow-x: auto; }
code { font: 0.88em/1.5 ui-monospace, Menlo, Consolas, monospace; overflow-wrap: anywhere; }
pre code { overflow-wrap: normal; }
.table { overflow-x: auto; }
table { border-collapse: collapse; font-size: 0.92rem; }
th, td { border-bottom: 1px solid var(--line); padding: 0.4rem 0.8rem 0.4rem 0; text-align: left; vertical-align: top; }
img { max-width: 100%; border: 1px solid var(--line); border-radius: 8px; }
@media (width < 800px) { .columns { grid-template-columns: minmax(0, 1fr); gap: 1rem; } nav ul { columns: 2; position: static; } }
`;
