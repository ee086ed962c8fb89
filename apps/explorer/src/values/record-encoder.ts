import type { AttributeEntry } from '@proj/client';
import { csvWriter } from '@proj/contract';

import type { ExactRecord } from './exact-record.ts';
import { textOf } from './cell-text.ts';

/** Writes records in one format. */
export interface RecordEncoder {
  readonly extension: string;
  readonly mediaType: string;
  /** The text before the first record. */
  readonly head: string;
  readonly record: (record: ExactRecord) => string;
}

/** The formats of an export. */
export type ExportFormat = 'csv' | 'jsonl';

/** How records are written. */
export interface EncoderOptions {
  readonly format: ExportFormat;
  /**
   * In CSV, whether texts that a spreadsheet would run as formulas get an apostrophe before them.
   */
  readonly guardFormulas: boolean;
}

/** The encoder of records that have these attributes. */
export function recordEncoder(
  attributes: readonly AttributeEntry[],
  { format, guardFormulas }: EncoderOptions,
): RecordEncoder {
  return format === 'csv'
    ? csvEncoder(attributes, guardFormulas)
    : jsonLinesEncoder(attributes.map(({ name }) => name));
}

/** CSV by the rules that every writer of CSV here shares. */
function csvEncoder(attributes: readonly AttributeEntry[], guardFormulas: boolean): RecordEncoder {
  const { head, line } = csvWriter(attributes, { guardFormulas });
  return {
    extension: 'csv',
    mediaType: 'text/csv',
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
    extension: 'jsonl',
    mediaType: 'application/jsonl',
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
