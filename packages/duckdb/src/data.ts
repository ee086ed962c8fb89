import { hash } from 'node:crypto';
import { existsSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { DuckDBInstance } from '@duckdb/node-api';
import { Files, SettingsError } from '@proj/engine/database';

import {
  type FileList,
  fileListOf,
  type FilesSettings,
  listOf,
  pathsOf,
  readable,
  rowsOf,
} from './files.ts';
import { quoted } from './types.ts';

export const CHANGED = 'The files changed while they were read.';

/** What a server lends to DuckDB, which is within its process. */
export interface DuckdbLimits {
  /** Of all statements together, such as `2GB`. Default: 1GB. */
  readonly memory?: string | undefined;
  /** Default: as many as there are processors. */
  readonly threads?: number | undefined;
  /** Where sorts and groups go that exceed the memory. Default: in the temporary folder. */
  readonly spillFolder?: string | undefined;
  /** The most that is there. Default: 10GB. */
  readonly spill?: string | undefined;
}

/** The files at one moment. */
interface FileState {
  /** The same at two moments, in any process, only if names and contents are. */
  readonly version: string;
  /** By the name of the list. */
  readonly paths: ReadonlyMap<string, readonly string[]>;
  /** By path. */
  readonly stamps: ReadonlyMap<string, Files.FileStamp>;
  /** How often files were written to, and not replaced, up to then. */
  readonly overwrites: number;
}

/** An instance whose data is that of a version. */
export interface Sight extends FileState {
  readonly instance: DuckDBInstance;
  /** Why lists cannot be read, by name. */
  readonly problems: ReadonlyMap<string, string>;
}

/** @throws {SettingsError} where nothing is to be read, or no such file or folder is there */
export function openData(
  path: string,
  files: Readonly<Record<string, FilesSettings>>,
  limits: DuckdbLimits,
): Data {
  const lists = Object.entries(files).map(([name, settings]) => fileListOf(name, settings));
  if (path !== '' && lists.length > 0) {
    throw new SettingsError(
      'files: only `duckdb:` without a path reads files of lists. Give them a database of ' +
        'their own.',
    );
  }
  if (lists.length === 0 && statSync(path, { throwIfNoEntry: false })?.isFile() !== true) {
    throw new SettingsError(
      `database: no file is at ${path || '(empty path)'}. Give the path of a DuckDB file, such ` +
        'as duckdb:/data/lake.duckdb, or `files` to at least one model.',
    );
  }
  return new Data(path, lists, limits);
}

/** What is read: a database file, or files of lists. */
export class Data {
  /** Lists of files whose rows are numbered; undefined for a database file. */
  readonly numbered: ReadonlySet<string> | undefined;
  readonly #path: string;
  readonly #lists: readonly FileList[];
  readonly #limits: DuckdbLimits;
  /** To find out what files hold takes a pass over them. */
  readonly #rows = new Map<FileList, Readonly<Record<'state' | 'sql', string>>>();
  #instance: DuckDBInstance | undefined;
  #sight: Promise<Sight> | undefined;
  #version: string | undefined;
  #last: FileState | undefined;
  #seenAt = 0;
  #readableAt = 0;

  /** @param path empty for lists */
  constructor(path: string, lists: readonly FileList[], limits: DuckdbLimits) {
    const numbered = lists.flatMap((list) => (list.numbersRows ? list.name : []));
    this.numbered = path === '' ? new Set(numbered) : undefined;
    this.#path = path;
    this.#lists = lists;
    this.#limits = limits;
  }

  /** Undefined where files are missing or being written. */
  look(): FileState | undefined {
    return orNone(() => this.#look());
  }

  /**
   * Whether all that was read since is of one state. A database file that another replaced is
   * still open, and nobody writes to it.
   */
  held({ version, overwrites }: Sight): boolean {
    const now = this.look();
    return now?.version === version || (this.#path !== '' && now?.overwrites === overwrites);
  }

  /** @throws {QueryFailedError} `database_unavailable` unless it is held */
  check(sight: Sight): void {
    if (!this.held(sight)) throw Files.unavailable(CHANGED);
  }

  /** Tries again to read what could not be read. */
  async problems(): Promise<Sight['problems']> {
    if ((await this.current()).problems.size > 0) this.#sight = undefined;
    return (await this.current()).problems;
  }

  /** @throws {QueryFailedError} `database_unavailable` while files are written or cannot be read */
  async current(signal?: AbortSignal): Promise<Sight> {
    const state = await this.#settled(signal);
    if (this.#version === state.version && this.#sight !== undefined) return this.#sight;
    const before = this.#sight?.catch(() => undefined) ?? Promise.resolve();
    const sight = before.then(async () => {
      const opened = await (this.#path === '' ? this.#openLists(state) : this.#openFile());
      return { ...state, ...opened };
    });
    sight.catch(() => {
      if (this.#sight === sight) this.#sight = undefined;
    });
    this.#version = state.version;
    this.#sight = sight;
    return sight;
  }

  /** Waits until another write would show in the files' times. */
  async #settled(signal?: AbortSignal): Promise<FileState> {
    for (;;) {
      const state = this.#look();
      const waits = [...state.stamps.values()].map((one) => Files.unsettledMs(one, this.#seenAt));
      const missing = Math.max(0, ...waits);
      if (missing === 0) return state;
      await sleep(Math.ceil(missing), undefined, { signal });
    }
  }

  /** @throws {QueryFailedError} `database_unavailable` for missing files, or during a write */
  #look(): FileState {
    const found = this.#lists.map(
      (list) => [list.name, orNone(() => pathsOf(list)) ?? []] as const,
    );
    // DuckDB reads what was written and is not in the file yet from another.
    const wal = `${this.#path}.wal`;
    const own = existsSync(wal) ? [this.#path, wal] : [this.#path];
    const paths = new Map(this.#path === '' ? found : [['', own]]);
    const stamps = new Map(
      [...paths.values()].flat().map((path) => [path, readable(path, () => Files.readStamp(path))]),
    );
    const version = hash('sha1', textOf([...paths, ...stamps]), 'base64url');
    const { stamps: known, overwrites = 0 } = this.#last ?? {};
    if (this.#last?.version !== version) {
      this.#seenAt = performance.now();
      const isOverwrite = [...stamps].some(([path, now]) => {
        const before = known?.get(path) ?? now;
        return before.madeNs === now.madeNs && Files.wasWritten(before, now);
      });
      if (isOverwrite) this.#readableAt = this.#seenAt + Files.QUIET_MS;
      this.#last = { version, paths, stamps, overwrites: overwrites + Number(isOverwrite) };
    }
    if (performance.now() < this.#readableAt)
      throw Files.unavailable('A file is being overwritten. Replace files by renaming new ones.');
    return this.#last;
  }

  async close(): Promise<void> {
    await this.#sight?.catch(() => undefined);
    this.#instance?.closeSync();
  }

  /** Another file at the path is another instance. Reads under way keep the old one. */
  async #openFile(): Promise<Omit<Sight, keyof FileState>> {
    const instance = await openInstance(this.#path, this.#limits, []).catch((error: unknown) => {
      throw Files.unavailable(reasonOf(this.#path, error));
    });
    this.#instance?.closeSync();
    this.#instance = instance;
    return { instance, problems: new Map() };
  }

  /** A list that cannot be read has no view, and others are served. */
  async #openLists({ paths, stamps }: FileState): Promise<Omit<Sight, keyof FileState>> {
    const instance = (this.#instance ??= await openInstance(':memory:', this.#limits, this.#lists));
    const connection = await instance.connect();
    const problems = new Map<string, string>();
    for (const list of this.#lists) {
      const [view, found = []] = [quoted(list.name), paths.get(list.name)];
      try {
        const state = textOf(found.map((path) => [path, stamps.get(path)]));
        const known = this.#rows.get(list);
        // There is a reason why none are found.
        const files = found.length > 0 ? found : pathsOf(list);
        const sql = known?.state === state ? known.sql : await rowsOf(list, files, connection);
        this.#rows.set(list, { state, sql });
        await connection.run(`create or replace view ${view} as ${sql}`);
        // What a text has been taken for may not fit its lines.
        if (list.format !== 'parquet') await connection.run(`from ${view} limit 1`);
      } catch (error) {
        problems.set(list.name, reasonOf(list.files, error));
        await connection.run(`drop view if exists ${view}`);
      }
    }
    connection.closeSync();
    const [first] = problems.values();
    if (first !== undefined && problems.size === this.#lists.length) throw Files.unavailable(first);
    return { instance, problems };
  }
}

function textOf(state: unknown): string {
  return JSON.stringify(state, (_, value: unknown) =>
    typeof value === 'bigint' ? String(value) : value,
  );
}

function orNone<Value>(read: () => Value): Value | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

/** Nothing is written, downloaded or loaded, and no file is read outside of the folders. */
async function openInstance(
  path: string,
  limits: DuckdbLimits,
  lists: readonly FileList[],
): Promise<DuckDBInstance> {
  const { memory = '1GB', threads, spill = '10GB' } = limits;
  const { spillFolder = join(tmpdir(), `dynamic-query-duckdb-${process.pid}`) } = limits;
  const instance = await DuckDBInstance.create(path, {
    ...(path !== ':memory:' && { access_mode: 'READ_ONLY' }),
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
    allow_community_extensions: 'false',
    memory_limit: memory,
    ...(threads !== undefined && { threads: String(threads) }),
    temp_directory: spillFolder,
    max_temp_directory_size: spill,
    // A file may change within the second that its cache goes by.
    enable_external_file_cache: 'false',
    // Of DuckDB 1.5.6, the first takes groups of two columns of a view for the same, and the other
    // takes what one Parquet file says of a column for that of a partition of the same name.
    disabled_optimizers: `common_subplan${lists.length > 0 ? ',statistics_propagation' : ''}`,
    scheduler_process_partial: 'true',
  });
  const connection = await instance.connect();
  await connection.run(`
    set global allowed_directories = ${listOf(lists.map(({ folder }) => `${folder}/`))};
    set global timezone = 'UTC';
    set global enable_external_access = false;
    set global lock_configuration = true;`);
  connection.closeSync();
  return instance;
}

/** DuckDB adds all that it has tried with a CSV file, and the place in our own statement. */
const UNASKED = /\n(The search space used was:|\s*LINE \d+:).*/s;

function reasonOf(what: string, error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  if (/Could not set lock|Conflicting lock/.test(message))
    return `${what} is open in another process that writes to it: ${message}`;
  const reason = message.replace(UNASKED, '').trim().replaceAll(/\s+/g, ' ').slice(0, 300);
  const isOfLines = /CSV Error(?!.*utf-8)|Error when sniffing/s.test(message);
  const hint = isOfLines ? ' (Do all lines of each file end in one way?)' : '';
  return `${what} cannot be read: ${reason}${hint}`;
}
