import type { CsvColumn, CsvOptions } from '@proj/contract';

import { csvFormat } from './csv-format.ts';
import type { Format } from './format.ts';
import { jsonFormat } from './json-format.ts';
import { ndjsonFormat } from './ndjson-format.ts';

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
