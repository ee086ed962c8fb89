import type { Engine } from '@proj/engine';
import { beforeAll, describe, expect, it } from 'vitest';

import { ask, open } from '../open.ts';
import { usePostgres } from './server.ts';

describe('a composite value of PostgreSQL', () => {
  const database = usePostgres(`create type pair as (a int, b text); create domain pairs as pair;
    create table owners (key pair primary key, v pair, w pairs);
    insert into owners values ((0, null), null, null), ((null, null), (null, null), (null, null)),
      ((1, null), (1, null), (1, null)), ((1, 'a'), (1, 'a'), (1, 'a'));
    create table items (id int primary key, owner pair references owners);
    insert into items values (1, (null, null)), (2, (1, null)), (3, (0, null)), (4, null);`);
  let engine: Engine;
  beforeAll(async () => {
    engine = await open(database().url);
  });

  async function shown(model: string, attribute: string, filter?: object): Promise<unknown[]> {
    const { records } = await ask(engine, { model, attributes: [attribute], filter });
    return records.map((record) => record[attribute]);
  }

  it.each(['v', 'w'])('of NULLs alone is a value, as its text says: %s', async (attribute) => {
    const [isNull, isValue] = [true, false].map((value) => ({ attribute, op: 'is_null', value }));
    const values = await shown('owners', attribute, isValue);
    expect(new Set(values)).toEqual(new Set(['(,)', '(1,)', '(1,a)']));
    expect(await shown('owners', attribute, isNull)).toEqual([null]);
    expect(await shown('owners', attribute, { not: isValue })).toEqual([null]);
    expect(await shown('owners', attribute, { not: isNull })).toEqual(values);
  });

  it('of NULLs alone is one for relations', async () => {
    const isNull = { attribute: 'owner.v', op: 'is_null' };
    expect(await shown('items', 'id', isNull)).toEqual([3, 4]);
    expect(await shown('items', 'id', { not: isNull })).toEqual([1, 2]);
    const some = { attribute: 'owner', op: 'is_null', value: false };
    const owners = await shown('owners', 'key', { related: 'items', some });
    expect(new Set(owners)).toEqual(new Set(['(,)', '(0,)', '(1,)']));
  });
});
