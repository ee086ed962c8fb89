import {
  jsonPointer,
  NO_KEY,
  operatorsOf,
  type RecordKey,
  type RequestError,
} from '@proj/contract';

import { keyAttributes, missingKeyReason } from '../catalogue/keys.ts';
import type { Attribute, Model } from '../catalogue/model.ts';
import type { Comparison, Condition } from './condition.ts';
import { expectedValue, readFilterValue } from './values/read-filter-value.ts';
import { quote } from './unknown-name.ts';

/** Checks a key against the model as the caller sees it. Values compare as for `eq`. */
export function planRecord(
  containing: RecordKey,
  model: Model,
): { readonly record: Condition; readonly errors: readonly RequestError[] } {
  const key = keyAttributes(model);
  if (key === undefined || !key.every(({ type }) => operatorsOf(type).includes('eq')))
    return { record: { and: [] }, errors: [noVisibleKey(model)] };
  const read = key.map((attribute) => readPart(containing, attribute));
  const names = key.map(({ name }) => name);
  const others = Object.keys(containing).filter((name) => !names.includes(name));
  const wrong = read.filter((one) => 'code' in one);
  return {
    record: { and: read.filter((one) => 'op' in one) },
    errors: [
      // A wrong name already says what the key is.
      ...wrong.filter(({ code }) => others.length === 0 || code !== 'missing_member'),
      ...others.map((name): RequestError => {
        const pointer = pointerTo(name);
        const detail = `${pointer}: the key is ${names.map(quote).join(', ')}, and nothing else.`;
        return { pointer, code: 'unknown_member', detail };
      }),
    ],
  };
}

function readPart(containing: RecordKey, attribute: Attribute): Comparison | RequestError {
  const { name } = attribute;
  const pointer = pointerTo(name);
  if (!Object.hasOwn(containing, name)) {
    const detail = `${pointer} is required: it is a part of the key.`;
    return { pointer, code: 'missing_member', detail };
  }
  const value = readFilterValue(containing[name], attribute);
  if (value !== undefined) return { attribute, op: 'eq', values: [value] };
  const detail = `${pointer}: expected ${expectedValue(attribute)}.`;
  return { pointer, code: 'invalid_value', detail };
}

function noVisibleKey(model: Model): RequestError {
  const pointer = jsonPointer(['page', 'containing']);
  const why = missingKeyReason(model);
  const reason =
    why === undefined
      ? 'a part of its key is shown by two attributes, or takes no "eq"'
      : NO_KEY[why].reason;
  const detail = `${pointer}: the records of ${quote(model.name)} cannot be named: ${reason}.`;
  return { pointer, code: 'no_visible_key', detail };
}

function pointerTo(name: string): string {
  return jsonPointer(['page', 'containing', name]);
}
