/** @param share  0 to 1 */
export function Bar({ share, name }: { share: number; name: string }) {
  return <progress class="progress" max={1} value={Math.max(0, Math.min(1, share))} aria-label={name} />;
}
