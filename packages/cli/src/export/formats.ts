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
  if (name === 'csv') return csvFormat(columns, csv);
  const attributes = columns.map((column) => column.name);
  return name === 'json' ? jsonFormat(attributes) : ndjsonFormat(attributes);
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

/** All parts, one after the other, are the file. */
export interface Format {
  readonly begin: string;
  /** @param earlier whether other records come before this page */
  records(records: readonly AnyRecord[], earlier: boolean): string;
  readonly end: string;
}

/** With a header line, by the rules that all CSV writers here share. */
export function csvFormat(columns: readonly CsvColumn[], options: CsvOptions): Format {
  const { head, line } = csvWriter(columns, options);
  return {
    begin: head,
    records: (records) =>
      records.map((record) => line(columns.map(({ name }) => cellText(record[name])))).join(''),
    end: '',
  };
}

/** One array, closed at the very end, so that a truncated file is not JSON. */
export function jsonFormat(attributes: readonly string[]): Format {
  return {
    begin: '[',
    records: (records, earlier) =>
      records
        .map(
          (record, index) =>
            `${earlier || index > 0 ? ',' : ''}\n${jsonRecord(record, attributes)}`,
        )
        .join(''),
    end: '\n]\n',
  };
}

/** A truncated file looks whole: readers of a pipe check the exit code. */
export function ndjsonFormat(attributes: readonly string[]): Format {
  return {
    begin: '',
    records: (records) => records.map((record) => `${jsonRecord(record, attributes)}\n`).join(''),
    end: '',
  };
}
