import type { CsvColumn, CsvOptions } from '@proj/contract';

import type { AnyRecord } from '../output/any-record.ts';
import { csvFormat } from './csv-format.ts';
import { jsonFormat } from './json-format.ts';
import { ndjsonFormat } from './ndjson-format.ts';

/** How records become text. All parts, one after the other, are the file. */
export interface Format {
  readonly begin: string;
  /** The records of one page; `earlier` says whether others come before them. */
  records(records: readonly AnyRecord[], earlier: boolean): string;
  readonly end: string;
}

/** The names of the formats. */
export const FORMATS = ['csv', 'ndjson', 'json'] as const;
export type FormatName = (typeof FORMATS)[number];

/** What a format is made for. */
export interface FormatOptions {
  /** The attributes in their order, with their types. */
  readonly columns: readonly CsvColumn[];
  readonly csv: CsvOptions;
}

/** The format of this name. */
export function formatOf(name: FormatName, { columns, csv }: FormatOptions): Format {
  if (name === 'csv') return csvFormat(columns, csv);
  const attributes = columns.map((column) => column.name);
  return name === 'json' ? jsonFormat(attributes) : ndjsonFormat(attributes);
}
