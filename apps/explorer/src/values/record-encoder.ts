import type { AttributeEntry } from '@proj/client';
import { csvWriter } from '@proj/contract';

import type { ExactRow } from './exact-record.ts';
import { textOf } from './cell-text.ts';

/** Writes rows in one format. */
export interface RowEncoder {
  readonly extension: string;
  readonly mediaType: string;
  /** What stands before the first row. */
  readonly head: string;
  readonly row: (row: ExactRow) => string;
}

/** The formats of an export. */
export type ExportFormat = 'csv' | 'ndjson';

/** How rows are written. */
export interface EncoderOptions {
  readonly format: ExportFormat;
  /**
   * In CSV, whether texts that a spreadsheet would run as formulas get an apostrophe before them.
   */
  readonly guardFormulas: boolean;
}

/** The encoder of rows that have these attributes. */
export function rowEncoder(
  attributes: readonly AttributeEntry[],
  { format, guardFormulas }: EncoderOptions,
): RowEncoder {
  return format === 'csv'
    ? csvEncoder(attributes, guardFormulas)
    : ndjsonEncoder(attributes.map(({ name }) => name));
}

/** CSV by the rules that every writer of CSV here shares. */
function csvEncoder(attributes: readonly AttributeEntry[], guardFormulas: boolean): RowEncoder {
  const { head, line } = csvWriter(attributes, { guardFormulas });
  return {
    extension: 'csv',
    mediaType: 'text/csv',
    head,
    row: (row) => line(attributes.map(({ name }) => csvText(row[name] ?? 'null'))),
  };
}

function csvText(json: string): string | null {
  return json === 'null' ? null : textOf(json);
}

/** One JSON object a line, with every value exactly as the service sent it. */
function ndjsonEncoder(attributes: readonly string[]): RowEncoder {
  const names = attributes.map((name) => JSON.stringify(name));
  return {
    extension: 'ndjson',
    mediaType: 'application/x-ndjson',
    head: '',
    row: (row) =>
      `${jsonObject(
        names,
        attributes.map((name) => row[name] ?? 'null'),
      )}\n`,
  };
}

function jsonObject(names: readonly string[], values: readonly string[]): string {
  // A line break between the tokens of a value would end the line of the row.
  return `{${names.map((name, index) => `${name}:${(values[index] ?? 'null').replaceAll(/[\r\n]/g, ' ')}`).join(',')}}`;
}

/** A row as one JSON object, as it is copied. */
export function rowAsJson(row: ExactRow): string {
  const names = Object.keys(row);
  return jsonObject(
    names.map((name) => JSON.stringify(name)),
    names.map((name) => row[name] ?? 'null'),
  );
}
