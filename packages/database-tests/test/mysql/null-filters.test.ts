import type { Filter } from '@proj/contract';
import { type Engine, EVERYTHING } from '@proj/engine';
import { beforeAll, expect, it } from 'vitest';

import { EXTREME_COLUMNS } from '../databases/extreme-values.ts';
import { open } from '../open.ts';
import { describeMariadb, useMariadb } from './mariadb.ts';

/** Each type twice: in a column that takes no NULL, and in a view that has NULL by a left join. */
const TYPES = (EXTREME_COLUMNS['MariaDB'] ?? []).map(({ declared, literals }) => ({
  declared: declared.replace(' null default null', ''),
  literals,
}));

const SQL = `set sql_mode = 'ALLOW_INVALID_DATES';
  ${TYPES.map(
    ({ declared, literals }, index) => `
      create table held_${index} (id int primary key, v ${declared} not null, key (v));
      insert into held_${index} values ${literals.map((literal, id) => `(${id}, ${literal})`).join()};
      create table all_${index} (id int primary key);
      insert into all_${index} values (1000), ${literals.map((_, id) => `(${id})`).join()};
      create view joined_${index} as
        select a.id, h.v from all_${index} a left join held_${index} h on h.id = a.id;`,
  ).join('')}`;

const LEAVES: readonly Filter[] = [
  { attribute: 'v', op: 'is_null', value: true },
  { attribute: 'v', op: 'is_null', value: false },
  { attribute: 'v', op: 'is_distinct', value: null },
];

const not = (filter: Filter): Filter => ({ not: filter });

const PARTS = [...LEAVES, ...LEAVES.map(not)];
const PAIRS = PARTS.flatMap((first, place) =>
  PARTS.slice(place).flatMap((second): Filter[] => [
    { and: [first, second] },
    { or: [first, second] },
  ]),
);
const FILTERS = [...PARTS, ...PAIRS, ...PAIRS.map(not), ...LEAVES.map(not).map(not)];

function keeps(filter: Filter, isNull: boolean): boolean {
  if ('not' in filter) return !keeps(filter.not, isNull);
  if ('and' in filter) return filter.and.every((part) => keeps(part, isNull));
  if ('or' in filter) return filter.or.some((part) => keeps(part, isNull));
  return 'op' in filter && filter.op === 'is_null' && filter.value === true ? isNull : !isNull;
}

describeMariadb('a filter for NULL on MariaDB', () => {
  const mariadb = useMariadb(SQL);
  let engine: Engine;
  beforeAll(async () => {
    const keyed = TYPES.map((_, index) => [`joined_${index}`, { key: ['id'] }] as const);
    engine = await open(mariadb().url, { models: Object.fromEntries(keyed) });
  });

  it.each(
    TYPES.map(({ declared, literals }, index) => [declared, literals.length, index] as const),
  )(
    'tells NULL from the values of a column of %s, however it is negated and joined',
    async (_, values, index) => {
      for (const filter of FILTERS) {
        const found = await Promise.all(
          ['held', 'joined'].map(async (name) => {
            const query = { query_model: `${name}_${index}`, query_attributes: ['id'] };
            const body = { ...query, query_filter: filter, page: { page: 1, size: 1 } };
            return Number((await engine.query(body, EVERYTHING)).page.total);
          }),
        );
        const held = keeps(filter, false) ? values : 0;
        const nulls = keeps(filter, true) ? 1 : 0;
        expect({ filter, found }).toEqual({ filter, found: [held, held + nulls] });
      }
    },
  );
});
