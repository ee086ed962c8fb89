import { endOfJsonString } from './json-string.ts';

/**
 * The values' JSON texts, in order.
 *
 * @param record an object without white space between its tokens
 */
export function jsonMemberValues(record: string): string[] {
  const values: string[] = [];
  for (let at = 1; at < record.length - 1;) {
    const value = endOfJsonString(record, at) + 1;
    const end = endOfValue(record, value);
    values.push(record.slice(value, end));
    at = end + 1;
  }
  return values;
}

/** Each value as its {@link jsonValueText}. */
export function jsonMemberTexts(record: string): (string | null)[] {
  return jsonMemberValues(record).map(jsonValueText);
}

/** Texts as they are, NULL as `null`, everything else as JSON with all digits. */
export function jsonValueText(value: string): string | null {
  const [first] = value;
  if (first === 'n') return null;
  if (first !== '"') return value;
  return value.includes('\\') ? (JSON.parse(value) as string) : value.slice(1, -1);
}

function endOfValue(record: string, from: number): number {
  const first = record[from];
  if (first === '"') return endOfJsonString(record, from);
  if (first === '{' || first === '[') return endOfGroup(record, from);
  const comma = record.indexOf(',', from);
  return comma === -1 ? record.length - 1 : comma;
}

const BRACKET_OR_QUOTE = /["[\]{}]/g;

/** Behind the bracket that closes the one at `from`. */
function endOfGroup(record: string, from: number): number {
  const pattern = new RegExp(BRACKET_OR_QUOTE);
  let depth = 0;
  pattern.lastIndex = from;
  for (let found = pattern.exec(record); found !== null; found = pattern.exec(record)) {
    const [token] = found;
    if (token === '"') pattern.lastIndex = endOfJsonString(record, found.index);
    else depth += token === '{' || token === '[' ? 1 : -1;
    if (depth === 0) return pattern.lastIndex;
  }
  return record.length;
}
