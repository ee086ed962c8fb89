import type { ModelEntry } from '@proj/client';
import { nameText, noKeyOf, printName } from '@proj/contract';

import { UsageError } from '../failure.ts';
import { endOfName, printNames, readTerm } from '../terms.ts';

/**
 * Reads `name=value` for each attribute of the key, or the value alone where there is one. The
 * service checks the values, except whole numbers.
 *
 * @throws {UsageError} when an attribute of the key is missing, another one is named, or a value is
 *   no whole number.
 */
export function readKey(words: readonly string[], model: ModelEntry): Record<string, unknown> {
  const { key, name } = model;
  if (key.length === 0) {
    const { reason, remedy } = noKeyOf(model);
    throw new UsageError(
      `the records of ${nameText(name)} cannot be named: ${reason}. ` +
        `Ask by number: dq query --page. An operator can ${remedy}.`,
    );
  }
  const values = new Map(words.map((word) => readPart(word, model)));
  const isWhole = key.every((part) => values.has(part)) && values.size === words.length;
  if (!isWhole || words.length !== key.length) {
    const expected = key.map((part) => `${printName(part)}=…`).join(' ');
    throw new UsageError(`name one record of ${nameText(name)} by its key: ${expected}.`);
  }
  const typeOf = new Map(model.attributes.map(({ name: attribute, type }) => [attribute, type]));
  return Object.fromEntries(
    key.map((part) => [part, wireValue(part, values.get(part), typeOf.get(part))]),
  );
}

/** Nothing else follows the name of a part. */
const PART = { pattern: /^$/, expected: '=' };

function readPart(word: string, { key, name }: ModelEntry): [attribute: string, value: string] {
  const place = word.indexOf('=', endOfName(word, 0));
  const attribute = readTerm(word.slice(0, Math.max(0, place)), word, PART).name;
  if (key.includes(attribute)) return [attribute, word.slice(place + 1)];
  const [only = '', ...others] = key;
  if (others.length === 0 && place === -1) return [only, word];
  throw new UsageError(
    `"${word}" names no part of the key of ${nameText(name)}, which is ${printNames(key)}.`,
  );
}

/** The service refuses texts that are no value of the type. */
function wireValue(part: string, text = '', type = ''): unknown {
  if ((type === 'int32' || type === 'int64') && !/^-?\d+$/.test(text))
    throw new UsageError(`${nameText(part)}: expected a whole number; got "${text}".`);
  if (type === 'any') return anyValue(text);
  if (type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true';
  const isNumber = type === 'int32' || type === 'float64';
  return isNumber && /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(text) ? Number(text) : text;
}

/** A number, unless it is in quotes. */
function anyValue(text: string): unknown {
  const quoted = /^'(.*)'$/s.exec(text)?.[1];
  if (quoted !== undefined || !/^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(text)) return quoted ?? text;
  const number = Number(text);
  return Math.abs(number) <= Number.MAX_SAFE_INTEGER ? number : { number: text };
}
