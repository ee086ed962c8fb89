import { readdirSync, realpathSync, statSync } from 'node:fs';
import { join, parse, resolve, sep } from 'node:path';

import type { DuckDBConnection } from '@duckdb/node-api';
import { Files, SettingsError } from '@proj/engine/database';

import { literal, quoted } from './types.ts';

/** The attribute that numbers a list's rows, from 0. */
export const ROW_NUMBER = 'row';

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
  for (const entry of readable(folder, () => readdirSync(folder, { withFileTypes: true }))) {
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

export function readable<Value>(path: string, read: () => Value): Value {
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

/**
 * Selects the rows of the files. Those of Parquet have their place in their file as a number that
 * DuckDB finds, and sorts by, without reading what is before:
 *
 *     select file_row_number as "row", … from read_parquet(['/data/1.parquet'], …)
 *     union all by name select file_row_number + 1000 as "row", …
 */
export async function rowsOf(
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
  const first = `from read_${format}(${exactly(files)}, ${options})`;
  const read = format === 'parquet' ? first : await withAllTypes(first, connection);
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

/**
 * DuckDB takes the types of the first lines for those of all. It would then round a 1.5 that comes
 * later to a whole number, and leave out what no earlier line of JSON has.
 */
async function withAllTypes(read: string, connection: DuckDBConnection): Promise<string> {
  const ofAll = read.replace(/\)$/, ', sample_size = -1)');
  const typesOf = async (from: string): Promise<string> =>
    JSON.stringify(await (await connection.run(`describe ${from}`)).getRowsJS());
  return (await typesOf(read)) === (await typesOf(ofAll)) ? read : ofAll;
}

/** A path is a pattern to DuckDB, too. */
function exactly(paths: readonly string[]): string {
  return listOf(paths.map((path) => path.replaceAll(/[*?[]/g, '[$&]')));
}

export function listOf(paths: readonly string[]): string {
  return `[${paths.map(literal).join(', ')}]`;
}
