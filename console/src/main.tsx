import { render } from "preact";
import { at, prefix } from "./address.ts";
import { App } from "./app.tsx";
import "./style.css";

// The port itself, without the reverse proxy, serves this page without its prefix.
const { pathname, search, hash } = location;
if (!`${pathname}/`.startsWith(`${prefix}/`)) history.replaceState(null, "", at(pathname + search + hash));

const root = document.getElementById("app");
if (root) render(<App />, root);
