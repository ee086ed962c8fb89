import { type CsvColumn, type CsvOptions, csvWriter } from '@proj/contract';

import { cellText } from '../../output/cell-text.ts';
import type { Format } from './format.ts';

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
