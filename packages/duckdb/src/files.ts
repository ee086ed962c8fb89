import { hash } from 'node:crypto';
import { readdirSync, realpathSync, statSync } from 'node:fs';
import { join, parse, resolve, sep } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { Files, SettingsError } from '@proj/engine/database';

/** Files that are served as a list. */
export interface FilesSettings {
  /** A path, in which `*`, `?` and the folder `**` stand for others: `/data/trips/*.parquet`. */
  readonly files: string;
  /** Whether rows have their number as the attribute `row`, which is their key. Default: false. */
  readonly numbersRows?: boolean | undefined;
}

/** Files of one format that are one list. */
export interface FileList extends Required<FilesSettings> {
  readonly name: string;
  readonly format: 'parquet' | 'csv' | 'json';
  /** All files are in it, wherever symbolic links lead. */
  readonly folder: string;
  /** Below the folder; those of a file's path have to match each. */
  readonly parts: readonly string[];
}

const FORMATS: readonly (readonly [RegExp, FileList['format']])[] = [
  [/\.parquet$/i, 'parquet'],
  [/\.(csv|tsv)(\.gz|\.zst)?$/i, 'csv'],
  [/\.(jsonl|ndjson|json)(\.gz|\.zst)?$/i, 'json'],
];

/** @throws {SettingsError} for a pattern of another format, or a folder that is not there */
export function fileListOf(name: string, { files, numbersRows = false }: FilesSettings): FileList {
  const [, format] = FORMATS.find(([ending]) => ending.test(files)) ?? [];
  if (format === undefined) {
    throw new SettingsError(
      `files: ${files} has to end with .parquet, .csv, .tsv, .jsonl, .ndjson or .json.`,
    );
  }
  const whole = resolve(files);
  const { root } = parse(whole);
  const parts = whole.slice(root.length).split(sep);
  const first = parts.findIndex((part) => /[*?]/.test(part));
  const fixed = parts.splice(0, first === -1 ? parts.length - 1 : first);
  const folder = join(root, ...fixed);
  try {
    if (!statSync(folder).isDirectory()) throw new Error('It is no folder.');
    return { name, files, numbersRows, format, folder: realpathSync(folder), parts };
  } catch (cause) {
    throw new SettingsError(`files: ${files}: no folder is at ${folder}.`, { cause });
  }
}

/**
 * In the order of their names. DuckDB gets these paths, and never looks for files itself.
 *
 * @throws {QueryFailedError} `database_unavailable` for none, or one outside of the folder
 */
export function pathsOf({ files, folder, parts }: FileList): string[] {
  const found = matching(folder, parts).toSorted();
  if (found.length === 0) throw Files.unavailable(`No file is at ${files}.`);
  return found.map((file) => {
    const real = readable(file, () => realpathSync(file));
    if (!real.startsWith(join(folder, sep)))
      throw Files.unavailable(`${file} leads out of ${folder}, to a file that is not served.`);
    return real;
  });
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
    throw Files.unavailable(`${path} cannot be read: ${String(cause)}`);
  }
}

function expressionOf(part: string): RegExp {
  const escaped = part.replaceAll(/[.+^${}()|[\]\\/]/g, String.raw`\$&`);
  return new RegExp(`^${escaped.replaceAll('*', '.*').replaceAll('?', '.')}$`, 'su');
}

export const CHANGED = 'The files changed while they were read.';

/** By the name of the list. */
export type Paths = ReadonlyMap<string, readonly string[]>;

/** The files at one moment. */
export interface FileState {
  /** The same at two moments, in any process, only if names and contents are. */
  readonly version: string;
  readonly paths: Paths;
  /** By path. */
  readonly stamps: ReadonlyMap<string, Files.FileStamp>;
  /** How often files were written to, and not replaced, up to then. */
  readonly overwrites: number;
}

/** Names, sizes, times and inodes of files, which tell whether their contents changed. */
export class FileStates {
  readonly #find: () => Paths;
  #last: FileState | undefined;
  #seenAt = 0;
  #readableAt = 0;

  /** @param find the files that there are now; may throw `database_unavailable` */
  constructor(find: () => Paths) {
    this.#find = find;
  }

  /** @throws {QueryFailedError} `database_unavailable` for missing files, or during a write */
  look(): FileState {
    const state = this.#sight(this.#find());
    if (performance.now() < this.#readableAt)
      throw Files.unavailable('A file is being overwritten. Replace files by renaming new ones.');
    return state;
  }

  /** Waits until another write would show in the files' times. */
  async settled(signal?: AbortSignal): Promise<FileState> {
    for (;;) {
      const state = this.look();
      const missing = [...state.stamps.values()].reduce(
        (most, stamp) => Math.max(most, Files.unsettledMs(stamp, this.#seenAt)),
        0,
      );
      if (missing === 0) return state;
      await sleep(Math.ceil(missing), undefined, { signal });
    }
  }

  #sight(paths: Paths): FileState {
    const stamps = new Map([...paths.values()].flat().map((path) => [path, stampOf(path)]));
    const text = JSON.stringify([...paths, ...stamps], (_, value: unknown) =>
      typeof value === 'bigint' ? String(value) : value,
    );
    const version = hash('sha1', text, 'base64url');
    if (version === this.#last?.version) return this.#last;
    this.#seenAt = performance.now();
    const { stamps: known, overwrites = 0 } = this.#last ?? {};
    const isOverwrite = [...stamps].some(([path, now]) => {
      const before = known?.get(path) ?? now;
      return before.madeNs === now.madeNs && Files.wasWritten(before, now);
    });
    if (isOverwrite) this.#readableAt = this.#seenAt + Files.QUIET_MS;
    this.#last = { version, paths, stamps, overwrites: overwrites + Number(isOverwrite) };
    return this.#last;
  }
}

function stampOf(path: string): Files.FileStamp {
  return readable(path, () => Files.readStamp(path));
}
