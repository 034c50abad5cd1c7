// A worker: browsers slow down the timers of pages that are not in view, but not those of workers.
setInterval(() => postMessage(undefined), 5_000);
