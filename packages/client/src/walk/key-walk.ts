import { wholeNumber } from '@proj/contract';

import { EndlessListError } from '../errors/endless-list-error.ts';
import { InvalidReplyError } from '../errors/invalid-reply-error.ts';
import type { Key } from '../options/list-query.ts';
import type { QueryFilter } from '../options/filter.ts';
import type { AnySelection } from '../options/query.ts';
import type { PageTotal } from '../options/total.ts';
import type { RequestOptions } from '../options/request-options.ts';
import type { ReadModel } from '../query/catalogue.ts';
import type { ReadQuery } from '../query/read-query.ts';
import { behind, keyOf, readAfter, walkableKey } from './key-position.ts';
import { createPage, readPage, type Page } from './page.ts';

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
  const key = walkableKey(await readModel(start.selection.model, { signal }));
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
  const numbered = { ...list, ...filterOf(selection.filter, key, walk.after) };
  return createPage<Item, Total>(
    {
      ...answer,
      records: records as Item[],
      total: withPassed(answer.total, position) as Total,
      totalAtLeast: withPassed(answer.totalAtLeast, position),
    },
    {
      number: position.number,
      size: wholeNumber(selection.size),
      lastKey: after,
      next: async ({ signal }) =>
        answer.hasNext ? readKeyPage(walk, following, { signal }) : null,
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
  const rest = after === null ? undefined : behind(key, after);
  if (filter === undefined) return rest === undefined ? {} : { filter: rest };
  return { filter: rest === undefined ? filter : { and: [filter, rest] } };
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
