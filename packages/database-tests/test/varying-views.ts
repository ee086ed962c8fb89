import { type Engine, EVERYTHING } from '@proj/engine';
import { expect, it } from 'vitest';

import { exported } from './exported.ts';

export interface VaryingViews {
  /** Their definitions, which the models v0, v1, … have in this order: those that vary first. */
  readonly varying: readonly string[];
  readonly steady: readonly string[];
  /** The key 500 of the model `above`, as its database gives it. */
  readonly id: number | string;
  /** A filter of `above` that chance decides. */
  readonly filter: { readonly attribute: string; readonly op: 'lt'; readonly value: number };
}

type Numbered = Readonly<Record<string, number | string>>;

/** How many records a page has whose list has so many. */
function expected(total: string | null, before: number, size: number): number {
  return Math.max(0, Math.min(size, Number(total) - before));
}

/** Whether replies of a view over 1,000 rows that asks for chance are of one reading of it. */
export function itReadsVaryingViewsOnce(engine: () => Engine, views: VaryingViews): void {
  const { varying, steady, id, filter } = views;
  const definitions = [...varying, ...steady];
  const variesAs = (sql: string) => engine().catalogue.get(`v${definitions.indexOf(sql)}`)?.varies;

  async function read(page: object, members: object = {}) {
    const attributes = { query_model: 'above', query_attributes: ['id', filter.attribute] };
    const answer = await engine().query({ ...attributes, page, ...members }, EVERYTHING);
    const records = JSON.parse(answer.result) as Numbered[];
    return { records, page: answer.page, version: answer.version };
  }

  it.each([1, 2, 3])('has as many records as its total says on page %i', async (number) => {
    for (let attempt = 0; attempt < 20; attempt++) {
      const { records, page, version } = await read({ page: number, size: 250 });
      expect(records).toHaveLength(expected(page.total, (number - 1) * 250, 250));
      expect(version).toBeUndefined();
    }
  });

  it.each([1, 2, 3])(
    'has as many records as its bounded total says on page %i, and is followed by one where it says so',
    async (number) => {
      for (let attempt = 0; attempt < 20; attempt++) {
        const members = { query_total: { up_to: 900 } };
        const { records, page } = await read({ page: number, size: 250 }, members);
        expect(records).toHaveLength(expected(page.total, (number - 1) * 250, 250));
        expect(page.has_next).toBe(Number(page.total) > number * 250);
      }
    },
  );

  it.each([[undefined], ['none']])(
    'has the values that its filter asks for, with the total %s',
    async (query_total) => {
      const { records } = await read({ page: 1, size: 50 }, { query_total, query_filter: filter });
      expect(records).toHaveLength(50);
      expect(records.filter((r) => Number(r[filter.attribute]) >= filter.value)).toEqual([]);
    },
  );

  it('finds the page of a record in the list that it counts', async () => {
    for (let attempt = 0; attempt < 20; attempt++) {
      const { records, page } = await read({ containing: { id }, size: 20 });
      expect(records.map((record) => record['id'])).toContain(id);
      expect(records).toHaveLength(expected(page.total, (Number(page.page) - 1) * 20, 20));
    }
  });

  it('exports as many records as it promised, in their order', async () => {
    for (const query_filter of [undefined, filter]) {
      for (let attempt = 0; attempt < 10; attempt++) {
        const asked = { model: 'above', filter: query_filter };
        const { records, total } = await exported(engine(), asked);
        const ids = records.map((record) => Number(record['id']));
        expect(BigInt(ids.length)).toBe(total);
        expect(ids).toEqual(ids.toSorted((a, b) => a - b));
      }
    }
  });

  it('has facets of the same records', async () => {
    const query_filter = { attribute: 'id', op: 'gt', value: 0 };
    const query_facets = [
      { attribute: 'n', values: 7 },
      { attribute: 'n', values: 7, query_filter },
      { attribute: 'n', bins: 4 },
      // MariaDB evaluates the tenth and later ones for each use.
      ...Array.from({ length: 17 }, (_, index) => ({ attribute: 'n', values: 7 + index })),
    ];
    for (let attempt = 0; attempt < 20; attempt++) {
      const { json } = await engine().facets({ query_model: 'chances', query_facets }, EVERYTHING);
      const { facets, total } = JSON.parse(json) as {
        facets: { values?: { count: string }[]; bins?: { count: string }[] }[];
        total: string;
      };
      const counts = facets.map(({ values = [], bins = values }) =>
        bins.reduce((sum, { count }) => sum + Number(count), 0),
      );
      expect(counts).toEqual(query_facets.map(() => Number(total)));
    }
  });

  it.each(varying)('varies where the view is: %s', (sql) => {
    expect(variesAs(sql)).toBeDefined();
  });

  it.each(steady)('is the same throughout a statement where the view is: %s', (sql) => {
    expect(variesAs(sql)).toBeUndefined();
  });
}
