import { hash } from 'node:crypto';
import { readdirSync, realpathSync, statSync } from 'node:fs';
import { join, parse, resolve, sep } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { QueryFailedError, SettingsError } from '@proj/engine/database';

/** Files that are served as a list. */
export interface FilesSettings {
  /** A path, in which `*`, `?` and the folder `**` stand for others: `/data/trips/*.parquet`. */
  readonly files: string;
  /** Whether rows have their number as the attribute `row`, which is their key. Default: false. */
  readonly numbersRows?: boolean | undefined;
}

export type Format = 'parquet' | 'csv' | 'json';

/** Files of one format that are one list, such as `/data/trips/*.parquet`. */
export interface FilesPattern {
  readonly pattern: string;
  readonly format: Format;
  /** All files are in it, wherever symbolic links lead. */
  readonly folder: string;
  /** Below the folder; those of a file's path have to match each. */
  readonly parts: readonly string[];
}

const FORMATS: readonly (readonly [RegExp, Format])[] = [
  [/\.parquet$/i, 'parquet'],
  [/\.(csv|tsv)(\.gz|\.zst)?$/i, 'csv'],
  [/\.(jsonl|ndjson|json)(\.gz|\.zst)?$/i, 'json'],
];

/** @throws {SettingsError} for a pattern of another format, or a folder that is not there */
export function readPattern(pattern: string): FilesPattern {
  const [, format] = FORMATS.find(([ending]) => ending.test(pattern)) ?? [];
  if (format === undefined) {
    throw new SettingsError(
      `files: ${pattern} has to end with .parquet, .csv, .tsv, .jsonl, .ndjson or .json.`,
    );
  }
  const whole = resolve(pattern);
  const { root } = parse(whole);
  const parts = whole.slice(root.length).split(sep);
  const first = parts.findIndex((part) => /[*?]/.test(part));
  const fixed = parts.splice(0, first === -1 ? parts.length - 1 : first);
  const folder = join(root, ...fixed);
  try {
    if (!statSync(folder).isDirectory()) throw new Error('It is no folder.');
    return { pattern, format, folder: realpathSync(folder), parts };
  } catch (cause) {
    throw new SettingsError(`files: ${pattern}: no folder is at ${folder}.`, { cause });
  }
}

/**
 * In the order of their names. DuckDB gets these paths, and never looks for files itself.
 *
 * @throws {QueryFailedError} `database_unavailable` for none, or one outside of the folder
 */
export function filesOf({ pattern, folder, parts }: FilesPattern): string[] {
  const files = matching(folder, parts).toSorted();
  if (files.length === 0) throw unavailable(`No file is at ${pattern}.`);
  return files.map((file) => {
    const real = readable(file, () => realpathSync(file));
    if (!real.startsWith(join(folder, sep)))
      throw unavailable(`${file} leads out of ${folder}, to a file that is not served.`);
    return real;
  });
}

/** Whether all files are in folders such as `year=2026`. */
export function isPartitioned({ folder }: FilesPattern, files: readonly string[]): boolean {
  return files.every((file) => /[/\\][^/\\=]+=[^/\\=]*[/\\]/.test(file.slice(folder.length)));
}

/** Files that begin with a dot or underscore are of programs that write, unless they are named. */
function matching(folder: string, [part, ...rest]: readonly string[]): string[] {
  if (part === undefined) return [];
  const isDeep = part === '**';
  const wanted = isDeep ? /^/ : expressionOf(part);
  const found = isDeep && rest.length > 0 ? matching(folder, rest) : [];
  const entries = readable(folder, () => readdirSync(folder, { withFileTypes: true }));
  for (const entry of entries) {
    const { name } = entry;
    if (!wanted.test(name) || (/^[._]/.test(name) && !/^[._]/.test(part))) continue;
    const path = join(folder, name);
    // A link may lead back; one that leads nowhere counts as a file, and is refused.
    const isLink = entry.isSymbolicLink() && !isDeep;
    const stat = isLink ? statSync(path, { throwIfNoEntry: false }) : entry;
    if (stat?.isDirectory() === true)
      found.push(...matching(path, isDeep ? [part, ...rest] : rest));
    else if (rest.length === 0 && (isLink || entry.isFile())) found.push(path);
  }
  return found;
}

function readable<Value>(path: string, read: () => Value): Value {
  try {
    return read();
  } catch (cause) {
    throw unavailable(`${path} cannot be read: ${String(cause)}`);
  }
}

function expressionOf(part: string): RegExp {
  const escaped = part.replaceAll(/[.+^${}()|[\]\\/]/g, String.raw`\$&`);
  return new RegExp(`^${escaped.replaceAll('*', '.*').replaceAll('?', '.')}$`, 'su');
}

export const CHANGED = 'The files changed while they were read.';

export function unavailable(message: string): QueryFailedError {
  return new QueryFailedError('database_unavailable', message);
}

/** Paths by the name of the list. */
export type Files = ReadonlyMap<string, readonly string[]>;

/** The files at one moment. */
export interface FileState {
  /** The same at two moments, in any process, only if names and contents are. */
  readonly version: string;
  readonly files: Files;
  /** Sizes and times by file. */
  readonly contents: ReadonlyMap<string, string>;
  /** When a file changed last, by the clock of its file system. */
  readonly changedNs: bigint;
  /** How often files were written to, and not replaced, up to then. */
  readonly overwrites: number;
}

/** In milliseconds. Writes this far apart differ in file time: kernels tick every 10 ms at most. */
const TIME_STEP_MS = 20;

/** For file systems of whole seconds; FAT has the longest steps. */
const COARSE_TIME_STEP_MS = 2000;

/** In milliseconds. A file that was written in place is read after this much rest. */
const QUIET_MS = 1000;

/** Names, sizes, times and inodes of files, which tell whether their contents changed. */
export class FileStates {
  readonly #find: () => Files;
  #last: FileState | undefined;
  #seenAt = 0;
  #readableAt = 0;

  /** @param find the files that there are now; may throw `database_unavailable` */
  constructor(find: () => Files) {
    this.#find = find;
  }

  /** @throws {QueryFailedError} `database_unavailable` for missing files, or during a write */
  look(): FileState {
    const state = this.#sight(this.#find());
    if (performance.now() < this.#readableAt)
      throw unavailable('A file is being overwritten. Replace files by renaming new ones.');
    return state;
  }

  /** Waits until another write would show in the files' times. */
  async settled(signal?: AbortSignal): Promise<FileState> {
    for (;;) {
      const state = this.look();
      const { changedNs } = state;
      const age = Date.now() - Number(changedNs / 1_000_000n);
      const step = changedNs % 1_000_000_000n === 0n ? COARSE_TIME_STEP_MS : TIME_STEP_MS;
      const missing = step - Math.max(performance.now() - this.#seenAt, age);
      if (missing <= 0) return state;
      await sleep(Math.ceil(missing), undefined, { signal });
    }
  }

  #sight(files: Files): FileState {
    const contents = new Map<string, string>();
    let changedNs = 0n;
    const stamps = [...files].map(([name, paths]) => [
      name,
      ...paths.map((path) => {
        const stat = statSync(path, { bigint: true, throwIfNoEntry: false });
        if (stat?.isFile() !== true) throw unavailable(`${path} is gone, or no file.`);
        const { dev, ino, birthtimeNs, size, mtimeNs, ctimeNs } = stat;
        if (ctimeNs > changedNs) changedNs = ctimeNs;
        // A new file often gets the inode of one that is gone.
        const file = `${path} ${dev}:${ino}:${birthtimeNs}`;
        contents.set(file, `${size} ${mtimeNs}`);
        return `${file} ${size} ${mtimeNs} ${ctimeNs}`;
      }),
    ]);
    const version = hash('sha1', JSON.stringify(stamps), 'base64url');
    if (version === this.#last?.version) return this.#last;
    this.#seenAt = performance.now();
    const { contents: known, overwrites = 0 } = this.#last ?? {};
    const isOverwrite = [...contents].some(([file, now]) => (known?.get(file) ?? now) !== now);
    if (isOverwrite) this.#readableAt = this.#seenAt + QUIET_MS;
    const state = { version, files, contents, changedNs };
    this.#last = { ...state, overwrites: overwrites + Number(isOverwrite) };
    return this.#last;
  }
}
