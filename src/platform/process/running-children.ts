// The running children of this process, by their process ids.
const names = new Map<number, string>();

/** Name of each running child: "recogniser", "decoder". */
export const childProcesses = (): ReadonlyMap<number, string> => names;

export function addChild(processId: number, name: string): void {
  names.set(processId, name);
}

export function removeChild(processId: number): void {
  names.delete(processId);
}
