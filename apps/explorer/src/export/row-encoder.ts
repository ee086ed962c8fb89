import type { ExactRow } from '../api/exact-row.ts';
import { textOf } from '../table/cell-text.ts';

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

/** The encoder of rows that have these attributes. */
export function rowEncoder(format: ExportFormat, attributes: readonly string[]): RowEncoder {
  return format === 'csv' ? csvEncoder(attributes) : ndjsonEncoder(attributes);
}

/** RFC 4180. NULL is an empty field; a text is quoted always, so that the empty text is not taken for NULL, nor digits for a number. */
function csvEncoder(attributes: readonly string[]): RowEncoder {
  return {
    extension: 'csv',
    mediaType: 'text/csv',
    head: csvLine(attributes.map(quoted)),
    row: (row) => csvLine(attributes.map((name) => csvField(row[name] ?? 'null'))),
  };
}

function csvField(json: string): string {
  if (json === 'null') return '';
  return /^["[{]/.test(json) ? quoted(textOf(json)) : json;
}

function csvLine(fields: readonly string[]): string {
  return `${fields.join(',')}\r\n`;
}

function quoted(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
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
