import { arrayItems, objectMembers } from './json-text.ts';
import { localTime } from './local-time.ts';

/** How a value is shown in a cell of the table. */
export interface CellText {
  /**
   * `null` is SQL's NULL; `empty` a text of no characters; `folded` a JSON object or array, of
   * which the cell shows the size.
   */
  readonly kind: 'null' | 'empty' | 'text' | 'number' | 'truth' | 'folded';
  /**
   * The text in the cell, at most {@link LONGEST_IN_CELL} characters of it; a moment by the clock
   * of the reader.
   */
  readonly shown: string;
  /** The whole value, as it is copied. */
  readonly whole: string;
}

/** A cell is one line; what does not fit is in the full view. */
const LONGEST_IN_CELL = 160;

const NUMERIC_TYPES: ReadonlySet<string> = new Set(['int32', 'int64', 'decimal', 'float64']);

/** Whether values of the type are numbers, of whatever JSON form. */
export function isNumeric(type: string): boolean {
  return NUMERIC_TYPES.has(type);
}

/** How to show a value. `json` is its JSON text, `type` its wire type: digits stay as they came. */
export function cellText(json: string, type: string): CellText {
  if (json === 'null') return { kind: 'null', shown: 'NULL', whole: 'NULL' };
  if (json.startsWith('[') || json.startsWith('{'))
    return { kind: 'folded', shown: folded(json), whole: json };
  if (type === 'json') return plain('text', json);
  if (json === 'true' || json === 'false') return plain('truth', json);
  const value = textOf(json);
  const local = type === 'timestamp_tz' ? localTime(value) : null;
  if (local !== null) return { kind: 'text', shown: local, whole: value };
  if (value === '') return { kind: 'empty', shown: 'empty text', whole: '' };
  return plain(isNumeric(type) ? 'number' : 'text', value);
}

/** The value of a JSON string; of other values their JSON text. */
export function textOf(json: string): string {
  return json.startsWith('"') ? String(JSON.parse(json)) : json;
}

function plain(kind: CellText['kind'], whole: string): CellText {
  const shown = whole.length > LONGEST_IN_CELL ? `${whole.slice(0, LONGEST_IN_CELL)}…` : whole;
  return { kind, shown: shown.toWellFormed(), whole };
}

function folded(json: string): string {
  const isArray = json.startsWith('[');
  const size = isArray ? arrayItems(json).length : objectMembers(json).length;
  const inside = json.length > LONGEST_IN_CELL ? `${json.slice(0, LONGEST_IN_CELL)}…` : json;
  return `${isArray ? `[${size}]` : `{${size}}`} ${inside}`;
}
