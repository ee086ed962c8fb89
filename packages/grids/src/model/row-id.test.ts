import type { AttributeEntry, ModelEntry } from '@proj/client';
import { expect, it } from 'vitest';

import { RowError } from '../errors.ts';
import { recordWithId, rowFilterOf, rowIdOf } from './row-id.ts';

/** A model whose records nobody can name, for the reason that the service says. */
function keyless(reason: Pick<ModelEntry, 'no_key'>): ModelEntry {
  const more = { description: null, attributes: [], default_sort: [], max_page_size: 10 };
  return { name: 'visits', key: [], ...more, ...reason };
}

const START = 'visits has no key by which a grid can tell its records apart: ';

it.each([
  [
    'a date is a part of it',
    { no_key: 'stored_dates' },
    'a part of its key is a date, which SQLite may store in several forms. ' +
      'An operator can declare another `key` for the model, or `type: text` for the date.',
  ],
  [
    'the role does not see it',
    { no_key: 'not_visible' },
    'the token does not see every part of its key. ' +
      'An operator can let the role see every attribute of the key.',
  ],
  [
    'an older service does not say why',
    {},
    'the token sees no whole key of it. ' +
      'An operator can let the role see every attribute of the key.',
  ],
] as const)(
  'a grid that needs a key gets the reason why the model has none and what to do, where %s',
  (_why, reason, rest) => {
    const error = new RowError(400, START + rest);
    expect(() => rowIdOf(keyless(reason), { note: 'x' })).toThrow(error);
    expect(() => rowFilterOf(keyless(reason), '7')).toThrow(error);
  },
);

const entry = (name: string, type: AttributeEntry['type']): AttributeEntry => ({
  name,
  type,
  nullable: false,
  description: null,
  operators: ['eq'],
  sortable: true,
});

function keyed(...attributes: AttributeEntry[]): ModelEntry {
  const key = attributes.map(({ name }) => name);
  const more = { description: null, default_sort: [], max_page_size: 10 };
  return { name: 'visits', key, attributes, ...more };
}

const LOOK_ALIKES: Readonly<Record<'json' | 'array', readonly unknown[]>> = {
  json: [{}, { a: 1 }, { a: 2 }, '{}', [], [null], [[]], '', 'null', null, 1, '1', true, 'true'],
  array: [[], [null], ['null'], [''], ['a,b'], ['a', 'b'], [[]], [1], ['1']],
};

it.each(['json', 'array'] as const)(
  'keys of the type %s have an id each, by which the record is found again',
  (type) => {
    const values = LOOK_ALIKES[type];
    const alone = keyed(entry('key', type));
    const ids = values.map((key) => rowIdOf(alone, { key }));
    expect(new Set(ids).size).toBe(values.length);
    expect(ids.map((id) => rowFilterOf(alone, id))).toEqual(
      values.map((value) => ({ attribute: 'key', op: 'eq', value })),
    );
    const pair = keyed(entry('key', type), entry('note', 'text'));
    const pairIds = values.map((key) => rowIdOf(pair, { key, note: 'x' }));
    expect(new Set(pairIds).size).toBe(values.length);
    const named = keyed(entry('id', type));
    const own = values.map((id) => recordWithId(named, { id }).id);
    expect(new Set(own).size).toBe(values.length);
  },
);

it('a text that is no JSON is the id of no record with such a key', () => {
  expect(() => rowFilterOf(keyed(entry('key', 'json')), '{')).toThrow('is the id of no record');
});

it('an array of bigints has the id that it has where a client gives texts of them', () => {
  const model = keyed(entry('key', 'array'));
  expect(rowIdOf(model, { key: [2n ** 60n, null] })).toBe(
    rowIdOf(model, { key: [String(2n ** 60n), null] }),
  );
});
