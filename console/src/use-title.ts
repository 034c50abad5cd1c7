import { useEffect } from "preact/hooks";

/** Title of the browser's tab. @param name  of the page; "" while it is loading */
export function useTitle(name: string): void {
  useEffect(() => {
    document.title = name === "" ? "Parlance" : `${name} · Parlance`;
  }, [name]);
}
