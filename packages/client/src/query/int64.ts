import { type AttributeEntry, jsonPointer, type ModelEntry } from '@proj/contract';

import { describeValue } from '../errors/describe-value.ts';
import { InvalidReplyError } from '../errors/errors.ts';
import type { CatalogueCheck } from '../http/catalogue-check.ts';
import type { RequestOptions } from '../options/client-options.ts';
import { countNames, sourceOf } from '../options/groups-query.ts';
import type { AnyQuery } from '../options/query.ts';
import type { ReadModel, ReadModels } from './catalogue.ts';

/** Converts records in place, as the option `int64` says. */
export type ConvertRecords = (
  query: Pick<AnyQuery, 'model' | 'attributes' | 'groups' | 'related'>,
  records: readonly unknown[],
  options: RequestOptions,
) => Promise<void>;

/** A sign and the digits of a 64-bit number: 19, and 20 where it is unsigned. */
const INT64 = /^-?\d{1,19}$|^\d{20}$/;

/** For each model, which attributes hold int64. */
type KnownModels = Map<string, ReadonlyMap<string, boolean>>;

/**
 * Reads a model once, and again when it lacks an attribute or replies name another catalogue; so
 * too the models along a path.
 */
export function int64ToBigint(
  readModel: ReadModel,
  readModels: ReadModels,
  catalogue: Pick<CatalogueCheck, 'changes'>,
): ConvertRecords {
  let current: { readonly known: KnownModels; readonly changes: number } | undefined;
  const knownNow = (): KnownModels => {
    const { changes } = catalogue;
    if (current?.changes !== changes) current = { known: new Map(), changes };
    return current.known;
  };
  const learn = async (
    { model, attributes }: Pick<AnyQuery, 'model' | 'attributes'>,
    options: RequestOptions,
  ): Promise<ReadonlyMap<string, boolean>> => {
    const known = knownNow();
    const seen = known.get(model);
    if (seen && attributes.every((name) => seen.has(name))) return seen;
    const readOnce = rememberModels(readModel);
    const entry = await readOnce(model, options);
    // Missing attributes are noted too, so that they are not looked up again.
    const facts = new Map(seen);
    for (const attribute of entry.attributes) facts.set(attribute.name, holdsInt64(attribute));
    for (const name of attributes) {
      if (facts.has(name)) continue;
      const found = await attributeAt(name, entry, { readModel: readOnce, options });
      facts.set(name, found !== undefined && holdsInt64(found));
    }
    known.set(model, facts);
    return facts;
  };
  const modelReferring = async (
    model: string,
    related: string,
    options: RequestOptions,
  ): Promise<string | undefined> => {
    const models = await readModels(options);
    return models.find(({ references = [] }) =>
      references.some((one) => one.model === model && one.inverse === related),
    )?.name;
  };
  return async (query, records, options) => {
    if (records.length === 0) return;
    const sources = query.attributes.flatMap((name) => {
      const source = sourceOf(name, query);
      return source === undefined ? [] : [{ name, ...source }];
    });
    const names: string[] = [];
    for (const [related, ofModel] of Map.groupBy(sources, (source) => source.related)) {
      const model =
        related === undefined ? query.model : await modelReferring(query.model, related, options);
      if (model === undefined) continue;
      const facts = await learn(
        { model, attributes: ofModel.map((one) => one.attribute) },
        options,
      );
      names.push(...ofModel.flatMap((one) => (facts.get(one.attribute) === true ? one.name : [])));
    }
    for (const [index, record] of records.entries()) {
      for (const name of names) convertMember(record as object, [index, name]);
    }
  };
}

/**
 * Also makes bigints of counts.
 *
 * @param others converts values of attributes
 */
export function convertRecords(others: ConvertRecords | undefined): ConvertRecords {
  return async (query, records, options) => {
    const counts = countNames(query);
    for (const [index, record] of records.entries())
      for (const name of counts) convertMember(record as object, [index, name]);
    await others?.(query, records, options);
  };
}

/** Several paths may lead over one model. */
function rememberModels(readModel: ReadModel): ReadModel {
  const models = new Map<string, Promise<ModelEntry>>();
  return async (name, options) => {
    const reading = models.get(name) ?? readModel(name, options);
    models.set(name, reading);
    return reading;
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

/** Finds an attribute by its name or path, reading the models on the way. */
async function attributeAt(
  path: string,
  { attributes, references = [] }: ModelEntry,
  { readModel, options }: { readonly readModel: ReadModel; readonly options: RequestOptions },
): Promise<AttributeEntry | undefined> {
  const own = attributes.find(({ name }) => name === path);
  if (own !== undefined) return own;
  const along = references.find(({ name }) => name !== undefined && path.startsWith(`${name}.`));
  if (along?.name === undefined) return undefined;
  const target = await readModel(along.model, options);
  return attributeAt(path.slice(along.name.length + 1), target, { readModel, options });
}
