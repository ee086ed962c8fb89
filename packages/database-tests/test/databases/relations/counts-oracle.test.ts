import type { Engine } from '@proj/engine';
import { beforeRelease, SEED } from '@proj/test-servers';
import * as fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';

import { exported } from '../../exported.ts';
import { shareOf } from '../../fixtures/fixture.ts';
import { fixturesOf } from '../../fixtures/index.ts';
import { recordsOf } from '../../lists.ts';
import { open } from '../../open.ts';
import type { FacetsReply } from '../checked-facets.ts';
import {
  type CountedList,
  kindOf,
  list,
  membersOf,
  type Row,
  rowsIn,
  type Value,
} from './counted-lists.ts';
import { COUNTS, countsView } from './counts.ts';
import { createRelated, MODELS, type RolePolicies, ROLES } from './schema.ts';

const FIXTURES = fixturesOf(import.meta.filename);

const REQUESTS = Number(process.env['ORACLE_REQUESTS'] ?? (beforeRelease ? 300 : 30));

const VIEWS = Object.fromEntries(ROLES.map(({ name }) => [`counts_${name}`, { key: ['id'] }]));

describe.each(FIXTURES)(`counts of related records on $name (seed ${SEED})`, (fixture) => {
  let engine: Engine;
  const views = new Map<string, readonly Row[]>();

  beforeAll(async () => {
    const url = await createRelated(fixture, SEED, ROLES.map(countsView));
    engine = await open(url, { models: { ...MODELS, ...VIEWS } });
    for (const { name } of ROLES) views.set(name, await rowsOfView(`counts_${name}`));
  });

  async function rowsOfView(model: string): Promise<Row[]> {
    const attributes = ['id', 'name', 'level', ...COUNTS.map((_, index) => `n${index}`)];
    return (await recordsOf(engine, { query_model: model, query_attributes: attributes })) as Row[];
  }

  async function each(check: (asked: CountedList) => Promise<void>, part = 1): Promise<void> {
    const property = fc.asyncProperty(list, check);
    await fc.assert(property, { numRuns: shareOf(fixture, REQUESTS / part), seed: SEED });
  }

  function expected(asked: CountedList, role: RolePolicies): Row[] {
    return rowsIn(asked, views.get(role.name) ?? []);
  }

  it.each(ROLES)('make the pages that SQL makes, for the role $name', async (role) => {
    await each(async (asked) => {
      const rows = expected(asked, role);
      const { page, size } = asked;
      const body = { query_model: 'customers', page: { page, size }, ...membersOf(asked) };
      const reply = await engine.query(body, role.grant);
      const cut = rows.slice((page - 1) * size, page * size);
      expect(shown(JSON.parse(reply.result) as Row[], asked)).toEqual(shown(cut, asked));
      expect(String(reply.page.total)).toBe(String(rows.length));
    });
  });

  it.each(ROLES)('find the page that holds a record, for the role $name', async (role) => {
    await each(async (asked) => {
      const rows = expected(asked, role);
      const { page: place, size } = asked;
      const id = rows[Math.min(place * size, rows.length) - 1]?.['id'];
      if (id === undefined) return;
      const page = { containing: { id }, size };
      const body = { query_model: 'customers', page, ...membersOf(asked) };
      const reply = await engine.query(body, role.grant);
      const number = Math.floor(rows.findIndex((row) => row['id'] === id) / size) + 1;
      expect(reply.page.page).toBe(String(number));
      const cut = rows.slice((number - 1) * size, number * size);
      expect(shown(JSON.parse(reply.result) as Row[], asked)).toEqual(shown(cut, asked));
    }, 3);
  });

  it.each(ROLES)('are exported, for the role $name', async (role) => {
    await each(async (asked) => {
      const { attributes } = asked;
      const question = { model: 'customers', attributes, grouping: membersOf(asked) };
      const { records } = await exported(engine, question, { grant: role.grant });
      expect(shown(records as Row[], asked)).toEqual(shown(expected(asked, role), asked));
    }, 3);
  });

  it.each(ROLES)('are what records are grouped by, for the role $name', async (role) => {
    await each(async (asked) => {
      const [name = 'id'] = asked.attributes;
      const counted = membersOf({ ...asked, sort: [] });
      const members = {
        query_model: 'customers',
        ...counted,
        query_attributes: [name, 'records', 'last'],
        query_groups: [name],
        query_sort: [{ attribute: name }],
        query_aggregates: [
          { name: 'records', op: 'count' },
          { name: 'last', op: 'max', attribute: name },
        ],
      };
      const found = (await recordsOf(engine, members, role.grant)) as Row[];
      const sort = [{ attribute: name, direction: 'asc' as const, nulls: 'last' as const }];
      const rows = expected({ ...asked, sort }, role);
      const groups = Map.groupBy(rows, (row) => textOf(row[name]));
      expect(found.map((row) => Object.values(row).map(textOf))).toEqual(
        [...groups].map(([value, { length }]) => [value, String(length), value]),
      );
    }, 3);
  });

  it.each(ROLES)('are what facets count and are filtered by, for the role $name', async (role) => {
    await each(async (asked) => {
      const [name = 'id'] = asked.attributes;
      const { query_related: related, query_filter: filter } = membersOf({ ...asked, sort: [] });
      const body = {
        query_model: 'customers',
        query_related: related,
        query_filter: filter,
        query_facets: [
          { attribute: name, values: 100, sort: 'value' },
          ...(kindOf(name) === 'text' ? [] : [{ attribute: name, bins: 3 }]),
        ],
      };
      const { json } = await engine.facets(body, role.grant);
      const { facets, total } = JSON.parse(json) as FacetsReply;
      const sort = [{ attribute: name, direction: 'asc' as const, nulls: 'last' as const }];
      const rows = expected({ ...asked, sort }, role);
      const counted = Map.groupBy(rows, (row) => textOf(row[name]));
      const nulls = counted.get(null)?.length ?? 0;
      counted.delete(null);
      expect(facets[0]?.values?.map(({ value, count }) => [textOf(value as Value), count])).toEqual(
        [...counted].map(([value, { length }]) => [value, String(length)]),
      );
      for (const { bins, others, nulls: without, sum, min, max } of facets.slice(1)) {
        const found = rows.map((row) => row[name]).filter((value) => value !== null);
        const added = found.reduce((all: number, value) => all + Number(value), 0);
        const inBins = bins?.reduce((all, { count }) => all + Number(count), 0);
        expect([inBins, others, without]).toEqual([found.length, '0', String(nulls)]);
        expect(sum).toBe(found.length === 0 ? null : String(added));
        const numbers = found.map(Number);
        const ends = numbers.length === 0 ? [0, 0] : [Math.min(...numbers), Math.max(...numbers)];
        expect([min, max].map(Number)).toEqual(ends);
      }
      expect([facets[0]?.nulls, total]).toEqual([nulls, rows.length].map(String));
    }, 3);
  });
});

/** Views have other types than counts. */
function textOf(value: Value | undefined): string | null {
  return value === null || value === undefined ? null : String(value);
}

function shown(rows: readonly Row[], { attributes }: CountedList): (string | null)[][] {
  return rows.map((row) => attributes.map((name) => textOf(row[name])));
}
