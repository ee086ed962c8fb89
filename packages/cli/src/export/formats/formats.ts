import type { CsvColumn, CsvOptions } from '@proj/contract';

import { csvFormat } from './csv-format.ts';
import type { Format } from './format.ts';
import { jsonFormat } from './json-format.ts';
import { ndjsonFormat } from './ndjson-format.ts';

/** The names of the formats. */
export const FORMATS = ['csv', 'ndjson', 'json', 'parquet'] as const;
export type FormatName = (typeof FORMATS)[number];

/** The formats that `dq` writes itself, page by page; the others only the service writes. */
export type PagedFormatName = Exclude<FormatName, 'parquet'>;

/** Whether `dq` writes the format itself. */
export function isPagedFormat(name: string): name is PagedFormatName {
  return name !== 'parquet';
}

/** What to do where the service cut a format that only it writes. */
export const WHOLE_REMEDY =
  'Export less at a time, with --filter, or name a file that ends in .csv or .ndjson and add ' +
  '--paged.';

/** What a format is made for. */
export interface FormatOptions {
  /** The attributes in their order, with their types. */
  readonly columns: readonly CsvColumn[];
  readonly csv: CsvOptions;
}

/** The format of this name. */
export function formatOf(name: PagedFormatName, { columns, csv }: FormatOptions): Format {
  if (name === 'csv') return csvFormat(columns, csv);
  const attributes = columns.map((column) => column.name);
  return name === 'json' ? jsonFormat(attributes) : ndjsonFormat(attributes);
}
