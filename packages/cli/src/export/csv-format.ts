import { stringify } from 'csv-stringify/sync';

import { cellText } from '../output/cell-text.ts';
import type { Format } from './format.ts';

/** How CSV treats what it has no form for. */
export interface CsvOptions {
  /** What stands for NULL, without quotes; a text that looks the same stands in quotes. */
  readonly null: string;
  /** Whether texts that a spreadsheet would take for a formula get an apostrophe before them. */
  readonly guardFormulas: boolean;
}

/** The first characters of a formula, in half and full width; a tab or a return before them is skipped by some readers. */
const FORMULA = /^[=+\-@\t\r＝＋－＠]/;

/** CSV of RFC 4180 with a head line: NULL and the empty text differ, arrays and objects are JSON. */
export function csvFormat(attributes: readonly string[], { null: nullText, guardFormulas }: CsvOptions): Format {
  const guarded = (text: string): string => (guardFormulas && FORMULA.test(text) ? `'${text}` : text);
  const lines = (rows: readonly (readonly (string | null)[])[]): string =>
    stringify([...rows], {
      record_delimiter: 'windows',
      // The empty text, and not NULL.
      quoted_match: /^$/,
      cast: {
        null: () => nullText,
        string: (text) => (text !== '' && text === nullText ? { value: text, quoted: true } : text),
      },
    });
  const cell = (value: unknown): string | null => {
    const text = cellText(value);
    // A number is no formula, and an apostrophe would make it a text. One that travels as a string looks like one, too.
    return text === null || isNumber(text) ? text : guarded(text);
  };
  return {
    begin: lines([attributes.map(guarded)]),
    elements: (records) => lines(records.map((record) => attributes.map((name) => cell(record[name])))),
    end: '',
  };
}

function isNumber(text: string): boolean {
  return /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(text);
}
