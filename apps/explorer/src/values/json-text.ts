import { endOfJsonString } from '@proj/contract';

/** One member of an object: its name, and its value as the text has it. */
export interface JsonMember {
  readonly name: string;
  readonly value: string;
}

/**
 * The items of a JSON array, each as the text has it: digits, escapes and the order of
 * names are kept.
 */
export function arrayItems(array: string): string[] {
  return topLevelParts(array);
}

/** The members of a JSON object in the order of the text. */
export function objectMembers(object: string): JsonMember[] {
  return topLevelParts(object).map((part) => {
    const nameEnd = endOfJsonString(part, part.indexOf('"'));
    const name: unknown = JSON.parse(part.slice(0, nameEnd));
    return { name: String(name), value: part.slice(part.indexOf(':', nameEnd) + 1).trim() };
  });
}

/** A valid JSON text over several lines, with every number and string unchanged. */
export function indentJson(text: string, indent = ''): string {
  const deeper = `${indent}  `;
  const lines = (open: string, close: string, parts: readonly string[]) =>
    parts.length === 0
      ? `${open}${close}`
      : `${open}\n${parts.map((part) => deeper + part).join(',\n')}\n${indent}${close}`;
  const trimmed = text.trim();
  if (trimmed.startsWith('[')) {
    return lines(
      '[',
      ']',
      arrayItems(trimmed).map((part) => indentJson(part, deeper)),
    );
  }
  if (!trimmed.startsWith('{')) return trimmed;
  const members = objectMembers(trimmed).map(
    ({ name, value }) => `${JSON.stringify(name)}: ${indentJson(value, deeper)}`,
  );
  return lines('{', '}', members);
}

function topLevelParts(text: string): string[] {
  const inner = text.trim().slice(1, -1);
  if (inner.trim() === '') return [];
  const parts: string[] = [];
  let depth = 0;
  let start = 0;
  for (let index = 0; index < inner.length; index += 1) {
    const character = inner[index];
    if (character === '"') index = endOfJsonString(inner, index) - 1;
    else if (character === '[' || character === '{') depth += 1;
    else if (character === ']' || character === '}') depth -= 1;
    else if (character === ',' && depth === 0) {
      parts.push(inner.slice(start, index).trim());
      start = index + 1;
    }
  }
  return [...parts, inner.slice(start).trim()];
}
