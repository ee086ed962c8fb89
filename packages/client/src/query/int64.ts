import { jsonPointer, type AttributeEntry } from '@proj/contract';

import { describeValue } from '../errors/describe-value.ts';
import { InvalidReplyError } from '../errors/invalid-reply-error.ts';
import type { AnyQuery } from '../options/query.ts';
import type { RequestOptions } from '../options/request-options.ts';
import type { ReadModel } from './catalogue.ts';

/** Converts the values of records in place, as the option `int64` says. */
export type ConvertRecords = (
  query: Pick<AnyQuery, 'model' | 'attributes'>,
  records: readonly unknown[],
  options: RequestOptions,
) => Promise<void>;

/** A sign and the 19 digits of a 64-bit number. */
const INT64 = /^-?\d{1,19}$/;

/**
 * Makes bigints of int64 values. A model is read once, and again when an attribute turns up that it
 * did not have.
 */
export function int64ToBigint(readModel: ReadModel): ConvertRecords {
  const known = new Map<string, ReadonlyMap<string, boolean>>();
  const learn = async (
    { model, attributes }: Pick<AnyQuery, 'model' | 'attributes'>,
    options: RequestOptions,
  ): Promise<ReadonlyMap<string, boolean>> => {
    const seen = known.get(model);
    if (seen && attributes.every((name) => seen.has(name))) return seen;
    const entry = await readModel(model, options);
    // An attribute that the catalogue lacks is noted too, so that it is not looked up again.
    const facts = new Map(attributes.map((name) => [name, false]));
    for (const attribute of entry.attributes) facts.set(attribute.name, holdsInt64(attribute));
    known.set(model, facts);
    return facts;
  };
  return async (query, records, options) => {
    if (records.length === 0) return;
    const facts = await learn(query, options);
    const names = query.attributes.filter((name) => facts.get(name));
    for (const [index, record] of records.entries()) {
      for (const name of names) convertMember(record as object, [index, name]);
    }
  };
}

function holdsInt64({ type, items }: AttributeEntry): boolean {
  return type === 'int64' || (type === 'array' && items === 'int64');
}

function convertMember(record: object, [index, name]: readonly [number, string]): void {
  const value = toBigint(Reflect.get(record, name), ['result', index, name]);
  // An assignment to "__proto__" would not make a member.
  Object.defineProperty(record, name, {
    value,
    enumerable: true,
    writable: true,
    configurable: true,
  });
}

function toBigint(value: unknown, path: readonly PropertyKey[]): unknown {
  if (value === null) return null;
  if (Array.isArray(value))
    return value.map((item: unknown, index) => toBigint(item, [...path, index]));
  if (typeof value === 'string' && INT64.test(value)) return BigInt(value);
  throw new InvalidReplyError({
    pointer: jsonPointer(path),
    expected: 'a string of digits, as the type int64 calls for',
    got: describeValue(value),
  });
}
