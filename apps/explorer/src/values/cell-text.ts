import { arrayItems, objectMembers } from './json-text.ts';
import { localTime } from './local-time.ts';
import { readableJson } from './readable-json.ts';

/** How a value is shown in a cell of the table. */
export interface CellText {
  /**
   * `null` is SQL's NULL; `empty` a text of no characters; `folded` a JSON object or array, of
   * which the cell shows the size.
   */
  readonly kind: 'null' | 'empty' | 'text' | 'number' | 'truth' | 'folded';
  /**
   * The text in the cell, at most {@link LONGEST_IN_CELL} characters of it on one line; a moment by
   * the clock of the reader.
   */
  readonly shown: string;
  /** The whole value, as it is read: JSON with letters in place of their escapes. */
  readonly full: string;
  /** The whole value, as it is copied. */
  readonly whole: string;
}

/** A cell is one line; what does not fit is in the full view. */
const LONGEST_IN_CELL = 160;

const LINE_BREAKS = /\r\n|[\n\v\f\r\u0085\u2028\u2029]/g;

const NUMERIC_TYPES: ReadonlySet<string> = new Set(['int32', 'int64', 'decimal', 'float64']);

/** Whether values of the type are numbers, of whatever JSON form. */
export function isNumeric(type: string): boolean {
  return NUMERIC_TYPES.has(type);
}

/** How to show a value. `json` is its JSON text, `type` its wire type: digits stay as they came. */
export function cellText(json: string, type: string): CellText {
  if (json === 'null') return plain('null', 'NULL');
  if (json.startsWith('[') || json.startsWith('{'))
    return { ...ofJson('folded', json), shown: folded(json) };
  if (type === 'json') return ofJson('text', json);
  if (json === 'true' || json === 'false') return plain('truth', json);
  const value = textOf(json);
  const local = type === 'timestamp_tz' ? localTime(value) : null;
  if (local !== null) return { ...plain('text', value), shown: local };
  if (value === '') return { ...plain('empty', ''), shown: 'empty text' };
  return plain(isNumeric(type) ? 'number' : 'text', value);
}

/** The value of a JSON string; of other values their JSON text. */
export function textOf(json: string): string {
  return json.startsWith('"') ? String(JSON.parse(json)) : json;
}

function plain(kind: CellText['kind'], whole: string): CellText {
  return { kind, shown: oneLine(whole), full: whole, whole };
}

function ofJson(kind: CellText['kind'], json: string): CellText {
  return { ...plain(kind, readableJson(json)), whole: json };
}

/** The beginning of a text, with a sign where it would go on in another line. */
export function oneLine(text: string, longest = LONGEST_IN_CELL): string {
  const begin = text.length > longest ? `${text.slice(0, longest)}…` : text;
  return begin.replaceAll(LINE_BREAKS, '↵').toWellFormed();
}

function folded(json: string): string {
  const isArray = json.startsWith('[');
  const size = isArray ? arrayItems(json).length : objectMembers(json).length;
  return `${isArray ? `[${size}]` : `{${size}}`} ${oneLine(readableJson(json))}`;
}
