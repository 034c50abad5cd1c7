// The embedded database's files. PGlite runs PostgreSQL on Emscripten's NODEFS, which has no sync: PostgreSQL's fsync() calls would
// do nothing. This adds it, so that PostgreSQL's own protocol holds: the write-ahead log (WAL) is on disk before a commit is
// answered and before a data page that it describes is written.
//
// Syncs of the WAL are put off until `flush`, so that transactions that end while one runs share the next (group commit). To
// PostgreSQL a sync that was put off has happened; therefore nothing but the WAL is written, renamed, truncated or removed before it
// has.
import fs from "node:fs";
import { NodeFS } from "@electric-sql/pglite/nodefs";

interface FileNode {
  name: string;
  parent: FileNode;
  mode: number;
}
interface OpenFile {
  node: FileNode;
  /** Descriptor; undefined for a folder. */
  nfd?: number;
}
type Operation = (...parameters: never[]) => unknown;
interface NodeFileSystem {
  realPath(node: FileNode): string;
  tryFSOperation<Result>(operation: () => Result): Result;
  stream_ops: { fsync?: (file: OpenFile) => number } & Record<string, Operation>;
  node_ops: Record<string, Operation>;
}
interface EmscriptenModule {
  FS: { isFile(mode: number): boolean };
  NODEFS: NodeFileSystem;
}

const WAL_FOLDER = "pg_wal";
/** Timeline, log and segment in hexadecimal digits. New ones have another name until they are complete. */
const WAL_SEGMENT = /^[0-9A-F]{24}$/;
const isWal = ({ name, parent }: FileNode) => WAL_SEGMENT.test(name) && parent.name === WAL_FOLDER;

/** Operations after which data files are not as they were. Creating an empty file harms nothing. */
const CHANGES_OF_FILES = ["setattr"] as const;
const CHANGES_OF_NAMES = ["setattr", "rename", "unlink", "rmdir", "symlink"] as const;

export class DurableFiles extends NodeFS {
  /** Syncs of the WAL that PostgreSQL has requested so far. */
  private asked = 0;
  /** Number of them that are complete. */
  private done = 0;
  /** WAL segments to be synced, with descriptors of our own: PostgreSQL may close its at any time. */
  private waiting = new Map<string, number>();
  private flushing: { files: ReadonlyMap<string, number> } | undefined;
  /** Descriptor of the segment that was synced last. */
  private latest: { path: string; descriptor: number } | undefined;
  private written = 0;

  /**
   * @param isDurable  false syncs nothing
   * @param onSynced   called with the number of syncs that have happened
   */
  constructor(
    folder: string,
    private readonly isDurable: boolean,
    private readonly onSynced: (count: number) => void,
  ) {
    super(folder);
  }

  override async init(...parameters: Parameters<NodeFS["init"]>): ReturnType<NodeFS["init"]> {
    const made = await super.init(...parameters);
    const { emscriptenOpts } = made;
    const preRun = (module: unknown) => this.attach(module as EmscriptenModule);
    return { ...made, emscriptenOpts: { ...emscriptenOpts, preRun: [...(emscriptenOpts.preRun ?? []), preRun] } };
  }

  /** Everything executed so far is on disk once `onSynced` was called with this number or a greater one. */
  get ticket(): number {
    return this.asked;
  }

  /** Bytes of WAL written since the last call. */
  takeWalBytes(): number {
    const { written } = this;
    this.written = 0;
    return written;
  }

  /** Starts a sync of the waiting files if none runs; files that are added meanwhile are synced next. */
  flush(): void {
    if (this.flushing || this.waiting.size === 0) return;
    const files = this.waiting;
    const { asked } = this;
    this.waiting = new Map();
    this.flushing = { files };
    let left = files.size;
    for (const descriptor of files.values()) {
      fs.fdatasync(descriptor, (error) => {
        // PostgreSQL has taken this sync as done, so its state is wrong now. The thread ends; the next one recovers from the WAL.
        if (error) throw error;
        if (--left > 0) return;
        this.flushing = undefined;
        this.finish(asked);
        this.closeUnused();
        this.flush();
      });
    }
  }

  private attach({ FS, NODEFS }: EmscriptenModule): void {
    const { stream_ops: files, node_ops: names } = NODEFS;
    const write = files["write"] as (file: OpenFile, buffer: unknown, offset: number, length: number) => number;
    files["write"] = ((...call: Parameters<typeof write>) => {
      const [file, , , length] = call;
      if (isWal(file.node)) this.written += length;
      else this.settle();
      return write(...call);
    }) as Operation;
    if (!this.isDurable) return;
    const afterSettling = (operation: Operation) =>
      ((...call: never[]) => {
        this.settle();
        return operation(...call);
      }) as Operation;
    for (const name of CHANGES_OF_FILES) files[name] = afterSettling(files[name] as Operation);
    for (const name of CHANGES_OF_NAMES) names[name] = afterSettling(names[name] as Operation);
    files.fsync = (file) => {
      NODEFS.tryFSOperation(() => {
        const path = NODEFS.realPath(file.node);
        if (isWal(file.node)) return this.putOff(path);
        this.settle();
        if (file.nfd !== undefined && FS.isFile(file.node.mode)) fs.fdatasyncSync(file.nfd);
        else syncFolder(path);
      });
      return 0;
    };
  }

  private putOff(path: string): void {
    if (this.latest?.path !== path) {
      const descriptor = fs.openSync(path, "r+");
      const before = this.latest;
      this.latest = { path, descriptor };
      if (before) this.closeIfUnused(before.path, before.descriptor);
    }
    this.waiting.set(path, this.latest.descriptor);
    this.asked++;
  }

  /** Makes everything that was put off happen now. */
  private settle(): void {
    if (this.done === this.asked) return;
    const files = new Map([...(this.flushing?.files ?? []), ...this.waiting]);
    for (const descriptor of files.values()) fs.fdatasyncSync(descriptor);
    this.waiting = new Map();
    this.finish(this.asked);
    if (!this.flushing) this.closeUnused();
  }

  private finish(count: number): void {
    if (count <= this.done) return;
    this.done = count;
    this.onSynced(count);
  }

  /** Descriptors of segments that are full. */
  private readonly old = new Map<string, number>();

  private closeIfUnused(path: string, descriptor: number): void {
    this.old.set(path, descriptor);
    this.closeUnused();
  }

  private closeUnused(): void {
    for (const [path, descriptor] of this.old) {
      if (this.waiting.has(path) || this.flushing?.files.has(path)) continue;
      this.old.delete(path);
      fs.closeSync(descriptor);
    }
  }
}

function syncFolder(path: string): void {
  // NTFS journals names by itself; Windows cannot sync a folder.
  if (process.platform === "win32") return;
  const descriptor = fs.openSync(path, "r");
  try {
    fs.fsyncSync(descriptor);
  } finally {
    fs.closeSync(descriptor);
  }
}
