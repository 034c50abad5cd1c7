// Releases the resources of a function in the reverse order in which it opened them.

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
 * @param work  adds a step for each resource that it opens; all steps run after it, also if it or another step fails
 * @throws the error of the work, or that of the last step that fails
 */
export async function withCleanup<Result>(work: (add: (step: Cleanup) => void) => Promise<Result>): Promise<Result> {
  const steps: Cleanup[] = [];
  try {
    return await work((step) => steps.push(step));
  } finally {
    await runAll(steps);
  }
}
