// Files that a page has made or kept, as downloads of the browser.

const REVOKE_MILLISECONDS = 60_000;

/** Saves a file that this page has among the downloads. */
export function saveFile(file: File): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = file.name;
  link.click();
  // Later: the browser may not have opened the address yet.
  setTimeout(() => URL.revokeObjectURL(link.href), REVOKE_MILLISECONDS);
}
