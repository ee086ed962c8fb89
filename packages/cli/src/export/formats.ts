import { extname } from 'node:path';

import { type CsvColumn, type CsvOptions, csvWriter } from '@proj/contract';

import { UsageError } from '../failure.ts';
import { type AnyRecord, cellText, jsonRecord } from '../output/records.ts';

export const FORMATS = ['csv', 'ndjson', 'json', 'parquet'] as const;
export type FormatName = (typeof FORMATS)[number];

/** The formats that `dq` writes itself, page by page; the others only the service writes. */
export type PagedFormatName = Exclude<FormatName, 'parquet'>;

export function isPagedFormat(name: string): name is PagedFormatName {
  return name !== 'parquet';
}

/** For formats that only the service writes. */
export const WHOLE_REMEDY =
  'Export less at a time, with --filter, or name a file that ends in .csv or .ndjson and add ' +
  '--paged.';

export interface FormatOptions {
  /** In the order of the attributes. */
  readonly columns: readonly CsvColumn[];
  readonly csv: CsvOptions;
}

export function formatOf(name: PagedFormatName, { columns, csv }: FormatOptions): Format {
  if (name === 'csv') {
    const { head, line } = csvWriter(columns, csv);
    return {
      begin: head,
      end: '',
      record: (one) => line(columns.map((of) => cellText(one[of.name]))),
    };
  }
  const attributes = columns.map((column) => column.name);
  if (name === 'json')
    return {
      begin: '[',
      record: (one, isFirst) => `${isFirst ? '' : ','}\n${jsonRecord(one, attributes)}`,
      end: '\n]\n',
    };
  return { begin: '', record: (one) => `${jsonRecord(one, attributes)}\n`, end: '' };
}

/**
 * All parts, one after the other, are the file. The array of `json` is closed at the very end, so
 * that a truncated file is not JSON; truncated `ndjson` looks whole: readers of a pipe check the
 * exit code.
 */
export interface Format {
  readonly begin: string;
  readonly record: (record: AnyRecord, isFirst: boolean) => string;
  readonly end: string;
}

interface FormatFlags {
  readonly format?: FormatName;
  readonly output?: string;
}

/** THE table of file name endings and their formats. */
const ENDINGS: Readonly<Record<string, FormatName>> = {
  '.csv': 'csv',
  '.ndjson': 'ndjson',
  '.jsonl': 'ndjson',
  '.json': 'json',
  '.parquet': 'parquet',
  '': 'ndjson',
};

/**
 * What `--format` names, else the ending of the file name, else ndjson.
 *
 * @throws {UsageError} when the ending is of an unknown format, such as `.xlsx`, or of another one
 *   than `--format` names.
 */
export function chooseFormat({ format, output = '' }: FormatFlags): FormatName {
  const ending = extname(output).toLowerCase();
  const found = ENDINGS[ending];
  if (format !== undefined) {
    if (ending === '' || found === undefined || found === format) return format;
    throw new UsageError(
      `--format ${format} and --output ${output} name two formats. Leave --format out, or give ` +
        'the file another ending.',
    );
  }
  if (found !== undefined) return found;
  throw new UsageError(
    `--output: no format ends in ${ending}. Name a file that ends in .csv, .ndjson, .json or ` +
      `.parquet, or pass --format ${FORMATS.join('|')}.`,
  );
}
