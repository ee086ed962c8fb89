import type { AttributeEntry } from '@proj/client';
import { csvWriter, type ExportFormatName } from '@proj/contract';

import type { ExactRecord } from './exact-record.ts';
import { textOf } from './cell-text.ts';

/** Writes records in one format. */
export interface RecordEncoder {
  /** The text before the first record. */
  readonly head: string;
  readonly record: (record: ExactRecord) => string;
}

/** How records are written. */
export interface EncoderOptions {
  readonly format: ExportFormatName;
  /**
   * In CSV, whether texts that a spreadsheet would run as formulas get an apostrophe before them.
   */
  readonly guardFormulas: boolean;
}

/**
 * The encoder of records that have these attributes.
 *
 * @returns null where only the service writes the format
 */
export function recordEncoder(
  attributes: readonly AttributeEntry[],
  { format, guardFormulas }: EncoderOptions,
): RecordEncoder | null {
  if (format === 'parquet') return null;
  return format === 'csv'
    ? csvEncoder(attributes, guardFormulas)
    : jsonLinesEncoder(attributes.map(({ name }) => name));
}

/** CSV by the rules that every writer of CSV here shares. */
function csvEncoder(attributes: readonly AttributeEntry[], guardFormulas: boolean): RecordEncoder {
  const { head, line } = csvWriter(attributes, { guardFormulas });
  return {
    head,
    record: (record) => line(attributes.map(({ name }) => csvText(record[name] ?? 'null'))),
  };
}

function csvText(json: string): string | null {
  return json === 'null' ? null : textOf(json);
}

/** One JSON object a line, with every value exactly as the service sent it. */
function jsonLinesEncoder(attributes: readonly string[]): RecordEncoder {
  const names = attributes.map((name) => JSON.stringify(name));
  return {
    head: '',
    record: (record) =>
      `${jsonObject(
        names,
        attributes.map((name) => record[name] ?? 'null'),
      )}\n`,
  };
}

function jsonObject(names: readonly string[], values: readonly string[]): string {
  // A line break between the tokens of a value would end the line of the record.
  const members = names.map((name, index) => {
    const value = values[index] ?? 'null';
    return `${name}:${value.replaceAll(/[\r\n]/g, ' ')}`;
  });
  return `{${members.join(',')}}`;
}

/** A record as one JSON object, as it is copied. */
export function recordAsJson(record: ExactRecord): string {
  const names = Object.keys(record);
  return jsonObject(
    names.map((name) => JSON.stringify(name)),
    names.map((name) => record[name] ?? 'null'),
  );
}
