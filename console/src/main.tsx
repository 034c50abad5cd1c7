import { render } from "preact";
import { at, prefix } from "./address.ts";
import { App } from "./app.tsx";
import { loadLanguage } from "./language/language.ts";
// In the order of the cascade.
import "./styles/theme.css";
import "./styles/controls.css";
import "./styles/blocks.css";
import "./styles/frame.css";
import "./styles/transcribe.css";
import "./styles/recordings.css";
import "./styles/notes.css";
import "./styles/teaching.css";
import "./styles/tools.css";
import "./styles/questions.css";
import "./styles/transcript.css";
import "./styles/live.css";
import "./styles/setup.css";

// The port itself, without the reverse proxy, serves this page without its prefix.
const { pathname, search, hash } = location;
if (!`${pathname}/`.startsWith(`${prefix}/`)) history.replaceState(null, "", at(pathname + search + hash));

const root = document.getElementById("app");
if (root) {
  loadLanguage().then(
    () => render(<App />, root),
    () => {
      // Without a table, there is no other language.
      root.textContent = "Parlance could not be loaded. Check the connection, and reload the page.";
    },
  );
}
