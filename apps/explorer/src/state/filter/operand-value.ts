import { filterNumber } from '@proj/contract';

import { textOf } from '../../values/cell-text.ts';

/**
 * What an input's text becomes in JSON, by wire type; a type that is not listed travels as the text
 * itself.
 */
const READERS: Readonly<Partial<Record<string, (text: string) => unknown>>> = {
  int32: (text) => (Number.isSafeInteger(Math.floor(Number(text))) ? numberOrText(text) : text),
  float64: numberOrText,
  any: anyValue,
  json: jsonValue,
  boolean: (text) => (text === 'true' ? true : text === 'false' ? false : text),
  timestamp: withSeconds,
  timestamp_tz: (text) => withSeconds(text).replace(/(T[\d:.]+)$/, '$1Z'),
  time: withSeconds,
};

/**
 * The JSON value of a filter for what was typed. What is no value of the type is sent as it is, so
 * that the service names the error.
 */
export function operandValue(type: string, text: string): unknown {
  return READERS[type]?.(text.trim()) ?? (type === 'text' || type === 'enum' ? text : text.trim());
}

/** What to type for a value in JSON, so that {@link operandValue} gives it again. */
export function operandText(type: string, json: string): string {
  const text = textOf(json);
  const read = type === 'any' ? anyValue : type === 'json' ? jsonValue : undefined;
  const isTakenForAnother =
    read !== undefined && json.startsWith('"') && read(text.trim()) !== text;
  return isTakenForAnother ? json : text;
}

function numberOrText(text: string): unknown {
  const value = Number(text);
  return text !== '' && Number.isFinite(value) ? value : text;
}

/** A browser leaves the seconds out where they are 0; RFC 3339 does not. */
function withSeconds(text: string): string {
  return text.replace(/((?:^|T)\d\d:\d\d)(?=Z?$)/, '$1:00');
}

/** A text in quotes is one, whatever it says. */
function jsonValue(text: string): unknown {
  if (text === 'true' || text === 'false') return text === 'true';
  return filterNumber(text) ?? (/^["{]/.test(text) ? anyValue(text) : text);
}

/** A text in quotes is one, whatever it says. */
function anyValue(text: string): unknown {
  if (!/^["{]/.test(text)) return filterNumber(text) ?? numberOrText(text);
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
