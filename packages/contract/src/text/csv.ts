import type { WireType } from '../wire-types.ts';

/** NULL and formulas in CSV, with the same defaults in every part of the project. */
export interface CsvOptions {
  /**
   * NULL, unquoted; equal texts are quoted. No comma, quote or line break.
   *
   * @default '' so that NULL is an empty field and the empty text is `""`
   */
  readonly null?: string;
  /**
   * Puts an apostrophe before texts that a spreadsheet would run as formulas, also behind `;`, `|`,
   * tabs and line breaks, where a cell may begin. That changes the data. Numbers and types without
   * free text stay as they are.
   *
   * @default false: the file holds what the database holds
   */
  readonly guardFormulas?: boolean;
}

/** An attribute as a column of CSV. */
export interface CsvColumn {
  readonly name: string;
  /** Its wire type; unknown ones, of newer services, count as free text. */
  readonly type: string;
}

/** Writes CSV of RFC 4180 with lines that end in CR LF. */
export interface CsvWriter {
  /** The names of the columns. */
  readonly head: string;
  /** Takes each column's text in order: `null` for NULL, arrays and objects as JSON. */
  readonly line: (values: readonly (string | null)[]) => string;
}

/** Without free text they cannot be harmful formulas. */
const TYPED: ReadonlySet<string> = new Set([
  'uuid',
  'int32',
  'int64',
  'decimal',
  'float64',
  'boolean',
  'date',
  'time',
  'timestamp',
  'timestamp_tz',
  'interval',
  'inet',
  'range',
  'bytes',
] satisfies WireType[]);

/**
 * In half and full width; some readers skip white space before them.
 *
 * @see https://owasp.org/www-community/attacks/CSV_Injection
 */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/;

/** Readers with separator `;`, tab or `|` ignore quotes after a comma. Numbers are no formulas. */
const FORMULA_WITHIN =
  /[;|\t\r\n]"*(?=[=+\-@＝＋－＠])(?!-\d+(?:\.\d+)?(?:e[+-]?\d+)?(?:[;|\t\r\n]|$))/gi;

const NUMBER = /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i;

/** For records with these columns. */
export function csvWriter(columns: readonly CsvColumn[], options: CsvOptions = {}): CsvWriter {
  const { null: nullText = '', guardFormulas = false } = options;
  const guarded = columns.map(({ type }) => guardFormulas && !TYPED.has(type));
  const field = (value: string | null, isGuarded: boolean): string => {
    if (value === null) return nullText;
    const text = isGuarded ? withoutFormulas(value) : value;
    return text === nullText || NEEDS_QUOTES.test(text) ? quoted(text) : text;
  };
  return {
    head: csvLine(columns.map(({ name }) => field(name, guardFormulas))),
    line: (values) => csvLine(values.map((value, index) => field(value, guarded[index] ?? false))),
  };
}

/** Whether a text without quotes is one field, and so can be NULL. */
export function isCsvNull(text: string): boolean {
  return text === '' || !NEEDS_QUOTES.test(text);
}

/** The empty text is NULL without quotes in many readers. */
const NEEDS_QUOTES = /^$|[",\r\n]/;

function withoutFormulas(text: string): string {
  const guarded = text.replace(FORMULA_WITHIN, "$&'");
  return FORMULA.test(text) && !NUMBER.test(text) ? `'${guarded}` : guarded;
}

function quoted(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}

function csvLine(fields: readonly string[]): string {
  return `${fields.join(',')}\r\n`;
}
