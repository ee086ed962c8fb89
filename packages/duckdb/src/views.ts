import { type FilesPattern, isPartitioned } from './files.ts';

/** The attribute that numbers a list's rows, from 0. */
export const ROW_NUMBER = 'row';

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
export function viewOf(
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

export function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
