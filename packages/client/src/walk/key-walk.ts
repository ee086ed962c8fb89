import { type ModelEntry, noKeyOf, wholeNumber } from '@proj/contract';

import { EndlessListError, InvalidReplyError, KeyOrderError } from '../errors/errors.ts';
import type { RequestOptions } from '../options/client-options.ts';
import type { QueryFilter } from '../options/filter.ts';
import type { Key } from '../options/list-query.ts';
import type { AnySelection, PageTotal } from '../options/query.ts';
import type { ReadModel } from '../query/catalogue.ts';
import type { ReadQuery } from '../query/read-query.ts';
import { behind, both, checkSize } from './key-filter.ts';
import { createPage, type Page, readPage } from './page.ts';

export interface KeyWalkStart {
  readonly read: ReadQuery;
  readonly readModel: ReadModel;
  readonly selection: Omit<AnySelection, 'sort'>;
  /** `null` is the beginning. */
  readonly after: Key | null;
}

interface KeyWalk extends Omit<KeyWalkStart, 'readModel'> {
  readonly key: readonly string[];
}

interface Position {
  readonly number: number;
  readonly after: Key | null;
  readonly passed: bigint;
}

export async function* walkByKey<Item, Total extends PageTotal>(
  { readModel, ...start }: KeyWalkStart,
  { signal }: RequestOptions,
): AsyncGenerator<Page<Item, Total>, void, void> {
  const { model, filter } = start.selection;
  const key = walkableKey(await readModel(model, { signal }));
  if (filter !== undefined) checkSize(model, filter, key);
  const after = readAfter(start.after, key);
  const first = { number: 1, after, passed: 0n };
  let page: Page<Item, Total> | null = await readKeyPage<Item, Total>(
    { ...start, key, after },
    first,
    {
      signal,
    },
  );
  for (; page !== null; page = await page.next({ signal })) yield page;
}

async function readKeyPage<Item, Total extends PageTotal>(
  walk: KeyWalk,
  position: Position,
  options: RequestOptions,
): Promise<Page<Item, Total>> {
  const { selection, key } = walk;
  const hidden = key.filter((name) => !selection.attributes.includes(name));
  const attributes = [...selection.attributes, ...hidden];
  const list = { ...selection, sort: key.map((attribute) => ({ attribute })) };
  const answer = await walk.read<Readonly<Record<string, unknown>>, Total>(
    { ...list, ...filterOf(selection.filter, key, position.after), attributes, page: 1 },
    options,
  );
  const after = checkKeys(answer.records, key, position);
  const passed = position.passed + BigInt(answer.records.length);
  const following = { number: position.number + 1, after, passed };
  const records =
    hidden.length === 0
      ? answer.records
      : answer.records.map((record) => pick(record, selection.attributes));
  const size = wholeNumber(selection.size);
  // A total of another state would end the walk too early, or never.
  const hasNext = answer.isApproximate ? records.length === size : answer.hasNext;
  const numbered = { ...list, ...filterOf(selection.filter, key, walk.after) };
  return createPage<Item, Total>(
    {
      ...answer,
      hasNext,
      records: records as Item[],
      total: withPassed(answer.total, position) as Total,
      totalAtLeast: withPassed(answer.totalAtLeast, position),
    },
    {
      number: position.number,
      size,
      lastKey: after,
      next: async ({ signal }) => (hasNext ? readKeyPage(walk, following, { signal }) : null),
      at: async (page, { signal }) => readPage(walk.read, { ...numbered, page }, { signal }),
    },
  );
}

/** The service counts the records behind a key only. */
function withPassed(count: PageTotal, { passed }: Position): PageTotal {
  return count === null ? null : passed + count;
}

function filterOf(
  filter: QueryFilter | undefined,
  key: readonly string[],
  after: Key | null,
): { filter?: QueryFilter } {
  if (after === null) return filter === undefined ? {} : { filter };
  const rest = behind(key, after);
  return { filter: filter === undefined ? rest : both(filter, rest) };
}

/** A repeated last key is an error; the order is the database's, and not checked. */
function checkKeys(
  records: readonly Readonly<Record<string, unknown>>[],
  key: readonly string[],
  position: Position,
): Key | null {
  const begin = JSON.stringify(position.after);
  let previous = '';
  let last = position.after;
  for (const [index, record] of records.entries()) {
    last = keyOf(record, key);
    const text = JSON.stringify(last);
    if (text === begin)
      throw new EndlessListError(
        position.number,
        `the server sent the key ${text} as one behind itself`,
      );
    if (text === previous)
      throw invalidKey(index, 'another key than that of the record before', text);
    if (Object.values(last).includes(null)) throw invalidKey(index, 'a key without NULL', text);
    previous = text;
  }
  return last;
}

function invalidKey(index: number, expected: string, got: string): InvalidReplyError {
  return new InvalidReplyError({ pointer: `/result/${index}`, expected, got });
}

function pick(
  record: Readonly<Record<string, unknown>>,
  names: readonly string[],
): Record<string, unknown> {
  return Object.fromEntries(names.map((name) => [name, record[name]]));
}

/** By how many attributes a request may sort. */
const MOST_ATTRIBUTES = 5;

/** @throws {KeyOrderError} when the model cannot be walked by its key. */
export function walkableKey(model: ModelEntry): readonly string[] {
  const { name, key, attributes } = model;
  if (key.length === 0) {
    const { reason, remedy } = noKeyOf(model);
    throw new KeyOrderError(name, `${reason}. An operator can ${remedy}`);
  }
  if (key.length > MOST_ATTRIBUTES)
    throw new KeyOrderError(
      name,
      `its key has more than ${MOST_ATTRIBUTES} attributes, by how many a request may sort`,
    );
  for (const part of key) {
    const entry = attributes.find((attribute) => attribute.name === part);
    if (!entry) throw new KeyOrderError(name, `the token does not see "${part}" of its key`);
    if (!entry.sortable) throw new KeyOrderError(name, `"${part}" of its key cannot be sorted by`);
    const missing = ['gt', 'gte'].find((operator) => !entry.operators.includes(operator));
    if (missing)
      throw new KeyOrderError(name, `"${part}" of its key does not take the operator "${missing}"`);
  }
  return key;
}

export function keyOf(record: Readonly<Record<string, unknown>>, key: readonly string[]): Key {
  return Object.fromEntries(
    key.map((name) => {
      const value = record[name];
      return [name, typeof value === 'bigint' ? String(value) : value];
    }),
  );
}

/** @throws {TypeError} when the start lacks a value for an attribute of the key. */
export function readAfter(after: Key | null, key: readonly string[]): Key | null {
  if (after === null) return null;
  const missing = key.find((name) => after[name] === undefined || after[name] === null);
  if (missing === undefined) return keyOf(after, key);
  throw new TypeError(
    `after: expected a value for each attribute of the key (${key.join(', ')}); "${missing}" ` +
      'has none',
  );
}
