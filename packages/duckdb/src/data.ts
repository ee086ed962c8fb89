import { statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { Files, SettingsError } from '@proj/engine/database';

import {
  CHANGED,
  type FileList,
  fileListOf,
  type FileState,
  FileStates,
  type FilesSettings,
  type Paths,
  pathsOf,
} from './files.ts';
import { literal, quoted } from './types.ts';

/** The attribute that numbers a list's rows, from 0. */
export const ROW_NUMBER = 'row';

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
  readonly #states: FileStates;
  #instance: DuckDBInstance | undefined;
  #sight: Promise<Sight> | undefined;
  #version: string | undefined;

  /** @param path empty for lists */
  constructor(path: string, lists: readonly FileList[], limits: DuckdbLimits) {
    const numbered = lists.flatMap((list) => (list.numbersRows ? list.name : []));
    this.numbered = path === '' ? new Set(numbered) : undefined;
    this.#path = path;
    this.#lists = lists;
    this.#limits = limits;
    this.#states = new FileStates(() =>
      path === ''
        ? new Map(lists.map((list) => [list.name, orNone(() => pathsOf(list)) ?? []]))
        : new Map([['', [path]]]),
    );
  }

  /** Undefined where files are missing or being written. */
  look(): FileState | undefined {
    return orNone(() => this.#states.look());
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
    const state = await this.#states.settled(signal);
    if (this.#version === state.version && this.#sight !== undefined) return this.#sight;
    const before = this.#sight?.catch(() => undefined) ?? Promise.resolve();
    const sight = before.then(async () => {
      const opened = await (this.#path === '' ? this.#openLists(state.paths) : this.#openFile());
      return { ...state, ...opened };
    });
    sight.catch(() => {
      if (this.#sight === sight) this.#sight = undefined;
    });
    this.#version = state.version;
    this.#sight = sight;
    return sight;
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
  async #openLists(paths: Paths): Promise<Omit<Sight, keyof FileState>> {
    const instance = (this.#instance ??= await openInstance(':memory:', this.#limits, this.#lists));
    const connection = await instance.connect();
    const problems = new Map<string, string>();
    for (const list of this.#lists) {
      const [view, found = []] = [quoted(list.name), paths.get(list.name)];
      try {
        // There is a reason why none are found.
        const rows = await rowsOf(list, found.length > 0 ? found : pathsOf(list), connection);
        await connection.run(`create or replace view ${view} as ${rows}`);
        // What a text has been taken for may not fit its lines.
        if (list.format !== 'parquet') await connection.run(`from ${view} limit 1`);
      } catch (error) {
        problems.set(list.name, reasonOf(list.files, error) + HINTS[list.format]);
        await connection.run(`drop view if exists ${view}`);
      }
    }
    connection.closeSync();
    const [first] = problems.values();
    if (first !== undefined && problems.size === this.#lists.length) throw Files.unavailable(first);
    return { instance, problems };
  }
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
    // It takes groups of two columns of a view for the same (DuckDB 1.5.6).
    disabled_optimizers: 'common_subplan',
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

const HINTS = { parquet: '', csv: ' Do all lines of each file end in one way?', json: '' };

/** Of a CSV file, DuckDB says all that it has tried. */
const LONGEST_REASON = 300;

function reasonOf(what: string, error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  if (/Could not set lock|Conflicting lock/.test(message))
    return `${what} is open in another process that writes to it: ${message}`;
  return `${what} cannot be read: ${message.replaceAll(/\s+/g, ' ').slice(0, LONGEST_REASON)}`;
}

/**
 * Selects the rows of the files. Those of Parquet have their place in their file as a number that
 * DuckDB finds, and sorts by, without reading what is before:
 *
 *     select file_row_number as "row", … from read_parquet(['/data/1.parquet'], …)
 *     union all by name select file_row_number + 1000 as "row", …
 */
async function rowsOf(
  list: FileList,
  paths: readonly string[],
  connection: DuckDBConnection,
): Promise<string> {
  const { format, numbersRows } = list;
  // DuckDB takes an empty text for a column without a name.
  const texts = paths.filter((path) => statSync(path).size > 0);
  const files = format === 'parquet' || texts.length === 0 ? paths : texts;
  const jsonFormat = /\.json(\.|$)/i.test(list.files) ? 'auto' : 'newline_delimited';
  const ofFormat = {
    parquet: '',
    // DuckDB would leave out lines before others with more values, and those that begin with `#`.
    csv: `, skip = 0, comment = ''`,
    // Planning takes twice as long for each further level of lists: deeper values stay JSON.
    json: `, format = '${jsonFormat}', maximum_depth = 6`,
  };
  const options = `union_by_name = true${ofFormat[format]}`;
  const read = `from read_${format}(${exactly(files)}, ${options})`;
  if (!numbersRows) return `select * ${read}`;
  // In the order of the lines, which DuckDB keeps for rows that nothing sorts.
  if (format !== 'parquet')
    return `select row_number() over () - 1 as ${quoted(ROW_NUMBER)}, * ${read}`;
  const asked = `select file_name, num_rows from parquet_file_metadata(${exactly(files)})`;
  const counted = new Map((await (await connection.run(asked)).getRowsJS()) as [string, bigint][]);
  let before = 0n;
  const parts = files.map((path) => {
    const number = `file_row_number${before === 0n ? '' : ` + ${before}`}`;
    before += counted.get(path) as bigint;
    return `select ${number} as ${quoted(ROW_NUMBER)}, * exclude (file_row_number)
      from read_parquet(${exactly([path])}, file_row_number = true, ${options})`;
  });
  return parts.join(' union all by name ');
}

/** A path is a pattern to DuckDB, too. */
function exactly(paths: readonly string[]): string {
  return listOf(paths.map((path) => path.replaceAll(/[*?[]/g, '[$&]')));
}

function listOf(paths: readonly string[]): string {
  return `[${paths.map(literal).join(', ')}]`;
}
