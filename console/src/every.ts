import { useEffect, useRef } from "preact/hooks";

/** Calls `work` periodically while the page is visible; calls never overlap. */
export function useEvery(milliseconds: number, work: () => Promise<unknown>): void {
  const latest = useRef(work);
  latest.current = work;
  useEffect(() => {
    let isRunning = false;
    const timer = setInterval(() => {
      if (isRunning || document.hidden) return;
      isRunning = true;
      latest.current().finally(() => {
        isRunning = false;
      });
    }, milliseconds);
    return () => clearInterval(timer);
  }, [milliseconds]);
}
