// Tasks that run before sign-out.
type Task = () => Promise<unknown>;

const tasks = new Set<Task>();

/** @returns removes the task */
export function beforeLeaving(task: Task): () => void {
  tasks.add(task);
  return () => tasks.delete(task);
}

export async function finishBeforeLeaving(): Promise<void> {
  await Promise.allSettled([...tasks].map((task) => task()));
}
