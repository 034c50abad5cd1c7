// Releases what a piece of work has opened, in the reverse order.

type Cleanup = () => Promise<unknown>;

async function runAll(steps: Cleanup[]): Promise<void> {
  const step = steps.pop();
  if (!step) return;
  try {
    await step();
  } finally {
    await runAll(steps);
  }
}

/**
 * @param work  adds a step for each thing that it opens; all steps run after it, also if it or another step fails
 * @throws what the work throws, or the last step that fails
 */
export async function withCleanup<Result>(work: (add: (step: Cleanup) => void) => Promise<Result>): Promise<Result> {
  const steps: Cleanup[] = [];
  try {
    return await work((step) => steps.push(step));
  } finally {
    await runAll(steps);
  }
}
