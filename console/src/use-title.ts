import { useEffect } from "preact/hooks";
import { t } from "./language/language.ts";

/** Title of the browser's tab. @param name  of the page; "" while it is loading */
export function useTitle(name: string): void {
  const title = name === "" ? "Parlance" : t.frame.titleOf(name);
  useEffect(() => {
    document.title = title;
  }, [title]);
}
