// Style sheets of the documentation's pages and of the API reference: the console's colours (console/src/styles/theme.css), without animation.
const COLOURS = `
:root { --ground: #f6f7f9; --surface: #fff; --raised: #eef1f5; --line: #cfd5de; --text: #171b22; --soft: #4d5765; --accent: #2450c8; --on-accent: #fff; --good: #17693a; --bad: #b3261e; --wait: #7a4d00; --mark: #fff0a8; color-scheme: light; }
@media (prefers-color-scheme: dark) {
  :root { --ground: #11141a; --surface: #191e26; --raised: #232a35; --line: #3a4453; --text: #eceff4; --soft: #a9b4c4; --accent: #8fadff; --on-accent: #0d1530; --good: #7fd6a2; --bad: #ff9d94; --wait: #f0c274; --mark: #5c4f12; color-scheme: dark; }
}`;

export const DOCS_STYLE = `${COLOURS}
* { box-sizing: border-box; }
html { scroll-padding-top: 1rem; }
body { margin: 0; background: var(--ground); color: var(--text); font: 16px/1.6 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; }
a { color: var(--accent); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
button, input { font: inherit; color: inherit; border: 1px solid var(--line); border-radius: 8px; background: var(--surface); padding: 0.3rem 0.7rem; }
button { background: var(--raised); cursor: pointer; }
button:hover { border-color: var(--soft); }
header { display: flex; flex-wrap: wrap; align-items: center; gap: 0.3rem 1.2rem; background: var(--surface); border-bottom: 1px solid var(--line); padding: 0.5rem 1.25rem; }
header a { color: var(--soft); text-decoration: none; }
header form { display: flex; gap: 0.4rem; margin-inline-start: auto; }
header input { width: 16rem; min-width: 0; }
header .brand { color: var(--text); font-weight: 650; }
.skip { position: absolute; inset-inline-start: -999px; }
.skip:focus { inset-inline-start: 1rem; background: var(--surface); }
.to-pages { display: none; }
.columns { display: grid; grid-template: "pages main contents" auto / 13rem minmax(0, 50rem) 14rem; gap: 2.5rem; max-width: 84rem; margin: 0 auto; padding: 1.25rem; }
main { grid-area: main; }
#pages { grid-area: pages; }
nav.contents { grid-area: contents; }
details.contents { display: none; }
nav ul, .contents ul { list-style: none; margin: 0; padding: 0; }
nav a, .contents a { display: block; padding: 0.25rem 0; color: var(--soft); text-decoration: none; }
nav a:hover, .contents a:hover { color: var(--text); }
nav a[aria-current] { color: var(--text); font-weight: 600; }
nav.contents { font-size: 0.9rem; position: sticky; top: 1rem; align-self: start; max-height: calc(100vh - 2rem); overflow-y: auto; }
nav.contents h2 { font-size: 0.9rem; margin: 0.35rem 0; }
h1 { font-size: 1.7rem; margin: 0 0 0.6rem; }
h2 { font-size: 1.25rem; margin: 2rem 0 0.4rem; }
pre { background: var(--raised); border-radius: 8px; padding: 0.8rem 1rem; overflow-x: auto; }
code { font: 0.88em/1.5 ui-monospace, Menlo, Consolas, monospace; overflow-wrap: anywhere; }
pre code { overflow-wrap: normal; }
.code { position: relative; }
.code .copy { position: absolute; top: 0.4rem; inset-inline-end: 0.4rem; padding: 0.05rem 0.6rem; font-size: 0.8rem; background: var(--surface); }
.table { overflow-x: auto; }
table { border-collapse: collapse; font-size: 0.92rem; }
th, td { border-bottom: 1px solid var(--line); padding: 0.4rem 0.8rem 0.4rem 0; text-align: left; vertical-align: top; }
img { max-width: 100%; border: 1px solid var(--line); border-radius: 8px; }
mark { background: var(--mark); color: var(--text); }
.results { list-style: none; padding: 0; }
.results li { margin: 0 0 1rem; }
.results p { margin: 0.1rem 0; color: var(--soft); overflow-wrap: anywhere; }
@media (width < 1200px) {
  .columns { grid-template: "pages main" auto / 13rem minmax(0, 50rem); max-width: 70rem; }
  nav.contents { display: none; }
  details.contents { display: block; margin: 0 0 1rem; padding: 0.4rem 0.8rem; border: 1px solid var(--line); border-radius: 8px; }
}
@media (width < 800px) {
  .columns { grid-template: "main" auto "pages" auto / minmax(0, 1fr); gap: 1rem; }
  #pages { border-top: 1px solid var(--line); padding-top: 1rem; }
  #pages ul { columns: 2; }
  .to-pages { display: inline; }
  .to-start { display: none; }
  header form { margin: 0; flex-basis: 100%; }
  header input { flex: 1; width: auto; }
}
@media print { header, nav, .contents, .copy { display: none !important; } .columns { display: block; } }
`;

const REFERENCE_RULES = `
.swagger-ui { background: var(--ground); }
.swagger-ui, .swagger-ui .info .title, .swagger-ui .opblock-tag, .swagger-ui .opblock .opblock-summary-description, .swagger-ui .opblock .opblock-section-header h4,
.swagger-ui .opblock .opblock-section-header label, .swagger-ui label, .swagger-ui table thead tr td, .swagger-ui table thead tr th, .swagger-ui .parameter__name, .swagger-ui .parameter__type,
.swagger-ui .response-col_status, .swagger-ui .response-col_links, .swagger-ui .tab li, .swagger-ui .btn, .swagger-ui select, .swagger-ui input, .swagger-ui textarea, .swagger-ui h4, .swagger-ui h5,
.swagger-ui p, .swagger-ui li, .swagger-ui td, .swagger-ui .model, .swagger-ui .model-title, .swagger-ui section.models h4, .swagger-ui .responses-inner h4, .swagger-ui .responses-inner h5,
.swagger-ui .opblock-description-wrapper p, .swagger-ui .dialog-ux .modal-ux-header h3, .swagger-ui .dialog-ux .modal-ux-content p, .swagger-ui .dialog-ux .modal-ux-content h4, .swagger-ui .scopes h2, .swagger-ui .servers > label,
.swagger-ui .prop-type, .swagger-ui .json-schema-2020-12__title, .swagger-ui .json-schema-2020-12-keyword__name, .swagger-ui .json-schema-2020-12-property .json-schema-2020-12__title,
.swagger-ui .renderedMarkdown p, .swagger-ui .renderedMarkdown code { color: var(--text); font-family: system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; }
.swagger-ui .opblock .opblock-summary-path, .swagger-ui .opblock .opblock-summary-path a, .swagger-ui code, .swagger-ui pre, .swagger-ui .microlight, .swagger-ui textarea, .swagger-ui .renderedMarkdown code { font-family: ui-monospace, Menlo, Consolas, monospace; }
.swagger-ui .opblock .opblock-summary-path, .swagger-ui .opblock .opblock-summary-path a { color: var(--text); }
.swagger-ui .info a, .swagger-ui a.nostyle:hover, .swagger-ui .info .base-url, .swagger-ui .opblock-tag small, .swagger-ui .parameter__in, .swagger-ui .parameter__format, .swagger-ui .prop-format,
.swagger-ui .json-schema-2020-12__attribute, .swagger-ui .json-schema-2020-12-keyword__value, .swagger-ui .json-schema-2020-12-expand-deep-button, .swagger-ui .json-schema-2020-12-keyword__name--secondary { color: var(--soft); }
.swagger-ui a, .swagger-ui .info a { color: var(--accent); }
.swagger-ui .opblock-tag a { color: var(--text); }
.swagger-ui .topbar { background: var(--surface); border-bottom: 1px solid var(--line); padding: 0.4rem 0; }
.swagger-ui .topbar-wrapper img { height: 28px; }
.swagger-ui .topbar .download-url-wrapper { display: none; }
.swagger-ui .info { margin: 1.5rem 0; }
.swagger-ui .info .title small, .swagger-ui .info .title small.version-stamp { background: var(--raised); }
.swagger-ui .info .title small pre { color: var(--soft); }
.swagger-ui .scheme-container { background: none; box-shadow: none; border-bottom: 1px solid var(--line); padding: 0.8rem 0; }
.swagger-ui .opblock-tag { border-bottom: 1px solid var(--line); font-size: 1.1rem; }
.swagger-ui .opblock-tag:hover { background: var(--raised); }
.swagger-ui .opblock, .swagger-ui .opblock.opblock-get, .swagger-ui .opblock.opblock-post, .swagger-ui .opblock.opblock-put, .swagger-ui .opblock.opblock-patch, .swagger-ui .opblock.opblock-delete, .swagger-ui .opblock.opblock-head, .swagger-ui .opblock.opblock-deprecated {
  background: var(--surface); border: 1px solid var(--line); border-radius: 12px; box-shadow: none; }
.swagger-ui .opblock .opblock-summary { border-color: var(--line) !important; }
.swagger-ui .opblock .opblock-summary-method { background: var(--raised) !important; color: var(--accent); border-radius: 8px; text-shadow: none; font-family: inherit; }
.swagger-ui .opblock.opblock-post .opblock-summary-method { color: var(--good); }
.swagger-ui .opblock.opblock-put .opblock-summary-method, .swagger-ui .opblock.opblock-patch .opblock-summary-method { color: var(--wait); }
.swagger-ui .opblock.opblock-delete .opblock-summary-method { color: var(--bad); }
.swagger-ui .opblock .opblock-section-header { background: var(--raised); box-shadow: none; }
.swagger-ui .opblock-body pre.microlight, .swagger-ui .highlight-code > .microlight, .swagger-ui .opblock-body pre, .swagger-ui .curl-command pre { background: var(--raised) !important; color: var(--text) !important; border-radius: 8px; }
.swagger-ui .microlight span, .swagger-ui .microlight code span { color: var(--text) !important; }
.swagger-ui .btn { border: 1px solid var(--line); border-radius: 8px; box-shadow: none; background: var(--raised); }
.swagger-ui .btn.execute { background: var(--accent); border-color: var(--accent); color: var(--on-accent); }
.swagger-ui .btn.authorize { border-color: var(--line); color: var(--text); }
.swagger-ui .btn.authorize svg { fill: var(--soft); }
.swagger-ui .btn.cancel { border-color: var(--bad); color: var(--bad); }
.swagger-ui input, .swagger-ui select, .swagger-ui textarea, .swagger-ui input[type=text], .swagger-ui input[type=password], .swagger-ui input[type=search], .swagger-ui input[type=email], .swagger-ui input[type=file] {
  background: var(--surface); border: 1px solid var(--line); border-radius: 8px; box-shadow: none; color: var(--text); }
.swagger-ui select { background: var(--surface); appearance: auto; }
.swagger-ui svg, .swagger-ui .arrow, .swagger-ui .opblock-control-arrow svg { fill: var(--soft); }
.swagger-ui table thead tr td, .swagger-ui table thead tr th { border-bottom: 1px solid var(--line); }
.swagger-ui section.models { border: 1px solid var(--line); border-radius: 12px; }
.swagger-ui section.models .model-container, .swagger-ui .model-box, .swagger-ui .json-schema-2020-12 { background: var(--raised); }
.swagger-ui .dialog-ux .modal-ux { background: var(--surface); border: 1px solid var(--line); }
.swagger-ui .dialog-ux .modal-ux-header { border-bottom: 1px solid var(--line); }
.swagger-ui .auth-container { border-bottom: 1px solid var(--line); }
.swagger-ui .tab li button.tablinks, .swagger-ui .model-toggle, .swagger-ui .expand-operation, .swagger-ui .expand-methods, .swagger-ui .models-control, .swagger-ui .opblock-summary-control, .swagger-ui button.json-schema-2020-12-accordion { color: var(--text); background: none; }
.swagger-ui .parameter__name.required::after, .swagger-ui .parameter__name.required span, .swagger-ui .opblock-body .errors, .swagger-ui .required { color: var(--bad); }
.swagger-ui .renderedMarkdown code { background: var(--raised); color: var(--text); }
.swagger-ui :focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
`;

/** Style sheet of the API reference. Swagger UI renders it. These selectors have a higher specificity than those of Swagger UI's dark colours. */
export const REFERENCE_STYLE = `${COLOURS}
:root body { background: var(--ground); }
${REFERENCE_RULES.replaceAll(".swagger-ui", `:root ${".swagger-ui".repeat(4)}`)}`;
