import type { WireType } from '../wire-types.ts';

/**
 * How CSV writes NULL, and texts that a spreadsheet would run as formulas. Every part of the
 * project that writes CSV takes these, with the same defaults.
 */
export interface CsvOptions {
  /**
   * What stands for NULL, without quotes; a text that looks the same is quoted. No comma,
   * quote or line break.
   *
   * @default '' so that NULL is an empty field and the empty text is `""`
   */
  readonly null?: string;
  /**
   * Whether a text that a spreadsheet would run as a formula gets an apostrophe before it, also
   * within a longer text after `;`, `|`, a tab or a line break, where it may begin a cell. That
   * changes the data. Values of types that hold no free text, numbers among them, stay as they are,
   * and so does a text that is a number.
   *
   * @default false: the file holds what the database holds
   */
  readonly guardFormulas?: boolean;
}

/** What a column of CSV is made from: an attribute. */
export interface CsvColumn {
  readonly name: string;
  /** Its wire type; what a newer service calls by another name is treated as free text. */
  readonly type: string;
}

/** Writes CSV of RFC 4180 with lines that end in CR LF. */
export interface CsvWriter {
  /** The line with the names of the columns. */
  readonly head: string;
  /**
   * The line of one record: the text of each column's value in their order, `null` for NULL, arrays
   * and objects as JSON.
   */
  readonly line: (values: readonly (string | null)[]) => string;
}

/** Types whose values are no free text, and so cannot be harmful formulas. */
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
  'bytes',
] satisfies WireType[]);

/**
 * The first characters of a formula, in half and full width; some readers skip white space before
 * them.
 *
 * @see https://owasp.org/www-community/attacks/CSV_Injection
 */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/;

/**
 * The same within a text, where a reader may begin a cell: one whose separator is `;`, a tab or `|`
 * does not see the quotes that begin after a comma. A number is none here either.
 */
const FORMULA_WITHIN =
  /[;|\t\r\n]"*(?=[=+\-@＝＋－＠])(?!-\d+(?:\.\d+)?(?:e[+-]?\d+)?(?:[;|\t\r\n]|$))/gi;

const NUMBER = /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i;

/** A writer of records that have these columns. */
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

/** Whether a text can stand for NULL: without quotes it is one field. */
export function isCsvNull(text: string): boolean {
  return text === '' || !NEEDS_QUOTES.test(text);
}

/** What would end the field; the empty text, which is NULL without quotes in many readers. */
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
