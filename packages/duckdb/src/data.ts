import { statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';

import { filesOf, type FilesPattern, FileStates, isPartitioned, unavailable } from './files.ts';
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
export interface Sight {
  readonly version: string;
  readonly instance: DuckDBInstance;
  /** Why lists cannot be read, by name. */
  readonly problems: ReadonlyMap<string, string>;
}

/** What is read: a database file, or files of lists. */
export abstract class Data {
  /** Lists of files whose rows are numbered; undefined for a database file. */
  readonly numbered: ReadonlySet<string> | undefined;
  protected readonly states: FileStates;
  protected instance: DuckDBInstance | undefined;
  protected sight: Promise<Sight> | undefined;
  protected version: string | undefined;

  constructor(find: () => ReadonlyMap<string, readonly string[]>) {
    this.states = new FileStates(find);
  }

  /** Undefined where files are missing or being written. */
  look(): string | undefined {
    try {
      return this.states.look().version;
    } catch {
      return undefined;
    }
  }

  /** Whether all that was read since this version was seen is of one state. */
  held(version: string): boolean {
    return this.look() === version;
  }

  /** Tries again to read what could not be read. */
  async problems(): Promise<Sight['problems']> {
    if ((await this.current()).problems.size > 0) this.sight = undefined;
    return (await this.current()).problems;
  }

  /** @throws {QueryFailedError} `database_unavailable` while files are written or cannot be read */
  async current(signal?: AbortSignal): Promise<Sight> {
    const { version, files } = await this.states.settled(signal);
    if (this.version !== version || this.sight === undefined) {
      this.version = version;
      const sight = this.prepare(version, files, this.sight);
      sight.catch(() => {
        if (this.sight === sight) this.sight = undefined;
      });
      this.sight = sight;
    }
    return this.sight;
  }

  async close(): Promise<void> {
    await this.sight?.catch(() => undefined);
    this.instance?.closeSync();
  }

  protected abstract prepare(
    version: string,
    files: ReadonlyMap<string, readonly string[]>,
    before: Promise<Sight> | undefined,
  ): Promise<Sight>;
}

export class DatabaseFile extends Data {
  readonly #path: string;
  readonly #limits: DuckdbLimits;

  constructor(path: string, limits: DuckdbLimits) {
    super(() => new Map([['', [path]]]));
    this.#path = path;
    this.#limits = limits;
  }

  /** A file that another replaced is still open, and nobody writes to it. */
  override held(version: string): boolean {
    return this.look() === version || this.states.wasReplaced(version);
  }

  /** Another file at the path is another instance. Reads under way keep the old one. */
  protected async prepare(
    version: string,
    _files: unknown,
    before: Promise<Sight> | undefined,
  ): Promise<Sight> {
    await before?.catch(() => undefined);
    const instance = await openInstance(this.#path, this.#limits, []).catch((error: unknown) => {
      throw unavailable(reasonOf(this.#path, error));
    });
    this.instance?.closeSync();
    this.instance = instance;
    return { version, instance, problems: new Map() };
  }
}

export class ListFiles extends Data {
  override readonly numbered: ReadonlySet<string>;
  readonly #lists: readonly FileList[];
  readonly #limits: DuckdbLimits;

  constructor(lists: readonly FileList[], limits: DuckdbLimits) {
    super(() => new Map(lists.map(({ name, pattern }) => [name, filesOrNone(pattern)])));
    this.numbered = new Set(lists.flatMap((list) => (list.numbersRows ? list.name : [])));
    this.#lists = lists;
    this.#limits = limits;
  }

  /** A list that cannot be read has no view, and others are served. */
  protected async prepare(
    version: string,
    files: ReadonlyMap<string, readonly string[]>,
    before: Promise<Sight> | undefined,
  ): Promise<Sight> {
    await before?.catch(() => undefined);
    const patterns = this.#lists.map(({ pattern }) => pattern);
    const instance = (this.instance ??= await openInstance(':memory:', this.#limits, patterns));
    const connection = await instance.connect();
    const problems = new Map<string, string>();
    try {
      for (const list of this.#lists) {
        const { name, pattern } = list;
        try {
          const found = files.get(name) ?? [];
          await createView(connection, list, found.length > 0 ? found : filesOf(pattern));
        } catch (error) {
          problems.set(name, reasonOf(pattern.pattern, error));
          await connection.run(`drop view if exists ${quoted(name)}`);
        }
      }
    } finally {
      connection.closeSync();
    }
    const [first] = problems.values();
    if (first !== undefined && problems.size === this.#lists.length) throw unavailable(first);
    return { version, instance, problems };
  }
}

function filesOrNone(pattern: FilesPattern): string[] {
  try {
    return filesOf(pattern);
  } catch {
    return [];
  }
}

async function createView(
  connection: DuckDBConnection,
  list: FileList,
  paths: readonly string[],
): Promise<void> {
  // DuckDB takes an empty text for a column without a name.
  const texts = paths.filter((path) => statSync(path).size > 0);
  const files = list.pattern.format === 'parquet' || texts.length === 0 ? paths : texts;
  const counted: ParquetRows[] = [];
  for (const path of list.numbersRows && list.pattern.format === 'parquet' ? files : []) {
    const asked = `select num_rows from parquet_file_metadata(${literal(path)})`;
    const [[count] = []] = await (await connection.run(asked)).getRowsJS();
    counted.push({ path, rows: count as bigint });
  }
  await connection.run(viewOf(list, files, counted));
}

/** Nothing is written, downloaded or loaded, and no file is read outside of the folders. */
async function openInstance(
  path: string,
  limits: DuckdbLimits,
  patterns: readonly FilesPattern[],
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
  });
  const folders = [...new Set(patterns.map(({ folder }) => literal(`${folder}/`)))];
  const connection = await instance.connect();
  try {
    for (const setting of [
      `temp_directory = ${literal(spillFolder)}`,
      `max_temp_directory_size = ${literal(spill)}`,
      // A file may change within the second that its cache goes by.
      'enable_external_file_cache = false',
      // It takes groups of two columns of a view for the same (DuckDB 1.5.6).
      `disabled_optimizers = 'common_subplan'`,
      'scheduler_process_partial = true',
      `allowed_directories = [${folders.join(', ')}]`,
      'enable_external_access = false',
      'lock_configuration = true',
    ])
      await connection.run(`set global ${setting}`);
  } finally {
    connection.closeSync();
  }
  return instance;
}

/** Of a CSV file, DuckDB says all that it has tried. */
const LONGEST_REASON = 300;

function reasonOf(what: string, error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  if (/Could not set lock|Conflicting lock/.test(message))
    return `${what} is open in another process that writes to it: ${message}`;
  return `${what} cannot be read: ${message.replaceAll(/\s+/g, ' ').slice(0, LONGEST_REASON)}`;
}

export interface FileList {
  readonly name: string;
  readonly pattern: FilesPattern;
  /** Whether rows have their number as an attribute. */
  readonly numbersRows: boolean;
}

export interface ParquetRows {
  readonly path: string;
  readonly rows: bigint;
}

/**
 * A view over the files. Rows of Parquet have their place in their file as a number that DuckDB
 * finds, and sorts by, without reading what is before:
 *
 *     create or replace view "trips" as
 *     select file_row_number as "row", … from read_parquet('/data/1.parquet', …)
 *     union all by name select file_row_number + 1000 as "row", …
 */
function viewOf(
  { name, pattern, numbersRows }: FileList,
  files: readonly string[],
  parquetRows: readonly ParquetRows[],
): string {
  const options = `union_by_name = true, hive_partitioning = ${isPartitioned(pattern, files)}`;
  const list = `[${files.map(literal).join(', ')}]`;
  const begin = `create or replace view ${quoted(name)} as`;
  switch (pattern.format) {
    case 'csv':
      return `${begin} ${numbered(numbersRows)} from read_csv(${list}, ${options})`;
    case 'json': {
      const format = /\.json(\.|$)/i.test(pattern.pattern) ? 'auto' : 'newline_delimited';
      const read = `read_json(${list}, format = '${format}', ${options})`;
      return `${begin} ${numbered(numbersRows)} from ${read}`;
    }
    case 'parquet':
      return numbersRows
        ? `${begin} ${numberedParquet(parquetRows, options)}`
        : `${begin} select * from read_parquet(${list}, ${options})`;
  }
}

/** In the order of the lines, which DuckDB keeps for rows that nothing sorts. */
function numbered(numbersRows: boolean): string {
  return numbersRows ? `select row_number() over () - 1 as ${quoted(ROW_NUMBER)}, *` : 'select *';
}

function numberedParquet(files: readonly ParquetRows[], options: string): string {
  let before = 0n;
  const parts = files.map(({ path, rows }) => {
    const added = before === 0n ? '' : ` + ${before}`;
    before += rows;
    return (
      `select file_row_number${added} as ${quoted(ROW_NUMBER)}, * exclude (file_row_number) ` +
      `from read_parquet(${literal(path)}, file_row_number = true, ${options})`
    );
  });
  return parts.join(' union all by name ');
}
