// Files that a check found without violations, by their content: npm run check runs after each small change, and most files are as before.
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

const hashOf = (...parts) => {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part).update("\0");
  return hash.digest("base64");
};

export class CheckedFiles {
  passed = new Set();
  passesNow = [];

  /**
   * @param {string} cacheFile
   * @param {string[]} sources  of the check, and the versions of its packages: after their change, every file is checked
   */
  constructor(cacheFile, sources) {
    this.cacheFile = cacheFile;
    this.version = hashOf(...sources.map((file) => readFileSync(file)));
    try {
      const { version, passed } = JSON.parse(readFileSync(cacheFile, "utf8"));
      if (version === this.version) this.passed = new Set(passed);
    } catch {
      // The first run, or a file that was not written as a whole.
    }
  }

  /**
   * @param {() => number} check  counts violations of the file; runs unless the same file had none before
   * @returns {number}
   */
  violations(file, content, check) {
    const key = hashOf(file, content);
    const count = this.passed.has(key) ? 0 : check();
    if (count === 0) this.passesNow.push(key);
    return count;
  }

  store() {
    mkdirSync(path.dirname(this.cacheFile), { recursive: true });
    writeFileSync(this.cacheFile, JSON.stringify({ version: this.version, passed: this.passesNow }));
  }
}
