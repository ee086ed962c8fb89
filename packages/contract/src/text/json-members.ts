import { endOfJsonString } from './json-string.ts';

/**
 * The values of a JSON object in their order, as people and spreadsheets read them: texts as they
 * are, NULL as `null`, everything else as its JSON text, of which no digit is lost.
 *
 * @param record the text of an object, without white space between its tokens
 */
export function jsonMemberTexts(record: string): (string | null)[] {
  const texts: (string | null)[] = [];
  for (let at = 1; at < record.length - 1;) {
    const value = endOfJsonString(record, at) + 1;
    const end = endOfValue(record, value);
    texts.push(textOf(record, value, end));
    at = end + 1;
  }
  return texts;
}

function textOf(record: string, from: number, end: number): string | null {
  const first = record[from];
  if (first === 'n') return null;
  if (first !== '"') return record.slice(from, end);
  const text = record.slice(from + 1, end - 1);
  return text.includes('\\') ? (JSON.parse(record.slice(from, end)) as string) : text;
}

function endOfValue(record: string, from: number): number {
  const first = record[from];
  if (first === '"') return endOfJsonString(record, from);
  if (first === '{' || first === '[') return endOfGroup(record, from);
  const comma = record.indexOf(',', from);
  return comma === -1 ? record.length - 1 : comma;
}

const BRACKET_OR_QUOTE = /["[\]{}]/g;

/** The place after the bracket that closes the one at `from`. */
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
