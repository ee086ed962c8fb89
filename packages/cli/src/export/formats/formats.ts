import type { CsvColumn, CsvOptions } from '@proj/contract';

import { csvFormat } from './csv-format.ts';
import type { Format } from './format.ts';
import { jsonFormat } from './json-format.ts';
import { ndjsonFormat } from './ndjson-format.ts';

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
