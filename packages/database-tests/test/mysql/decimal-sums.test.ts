import { type Engine, QueryFailedError } from '@proj/engine';
import { eachNth, SEED } from '@proj/test-servers';
import { beforeAll, expect, it } from 'vitest';

import { askFacets } from '../databases/checked-facets.ts';
import { facetSumsOf, groupOf } from '../databases/groups/group-of.ts';
import { recordsOf } from '../lists.ts';
import { open } from '../open.ts';
import { outcome } from '../outcome.ts';
import { Random } from '../truth/random.ts';
import { describeProducts, useMariadb } from './mariadb.ts';

const [NINES_35, NINES_65] = ['9'.repeat(35), '9'.repeat(65)];

describeProducts('sums of decimals', (product) => {
  const { mostScale } = product;
  const nines = '9'.repeat(65 - mostScale);
  const server = useMariadb(
    `create table amounts (id int primary key, fine decimal(65, 30), finest decimal(65, ${mostScale}),
        whole decimal(65, 0), part int default 1, cents decimal(10, 2), natural_ bigint unsigned,
        small double default 0.25, long_ decimal(60, 10) default 1${'0'.repeat(30)}.0000000001);
      insert into amounts (id, fine, finest, whole, cents, natural_) values
        (1, ${NINES_35}.5, ${nines}, ${NINES_65}, 1164.30, 18446744073709551615),
        (2, ${NINES_35}.75, 0.${'0'.repeat(mostScale - 1)}1, ${NINES_65}, 1164.30, 18446744073709551615),
        (3, -0.25, ${nines}, ${NINES_65}, null, null);`,
    product,
  );

  it.each([
    [
      'fine',
      `1${'9'.repeat(34)}9.000000000000000000000000000000`,
      `66666666666666666666666666666666666.333333333333333333333333333333`,
    ],
    [
      'finest',
      `1${nines.slice(1)}8.${'0'.repeat(mostScale - 1)}1`,
      `${'6'.repeat(nines.length)}.${'0'.repeat(mostScale)}`,
    ],
    ['whole', `2${'9'.repeat(64)}7`, NINES_65],
    ['cents', '2328.60', '1164.30'],
    ['natural_', '36893488147419103230', '18446744073709551615'],
  ])(
    'are exact and keep their digits where they are longer than a decimal: %s',
    async (attribute, sum, average) => {
      const engine = await open(server().url);
      const added = { query_model: 'amounts', attribute };
      expect(await facetSumsOf(engine, added)).toEqual({ sum, average });
    },
  );

  it.each([
    ['cents', '2328.60', '1164.30'],
    ['natural_', '36893488147419103230', '18446744073709551615'],
    ['small', '0.75', '0.25'],
    ['long_', `3${'0'.repeat(30)}.0000000003`, `1${'0'.repeat(30)}.0000000001`],
  ])('are exact in groups too: %s', async (attribute, sum, average) => {
    const engine = await open(server().url);
    expect(await groupOf(engine, { query_model: 'amounts', attribute })).toEqual({ sum, average });
  });

  it.each(['fine', 'whole'])(
    'are a data_error in groups where they are longer than a decimal: %s',
    async (attribute) => {
      const engine = await open(server().url);
      const sum = groupOf(engine, { query_model: 'amounts', attribute });
      expect(await outcome(sum)).toBe('data_error');
    },
  );
});

/** Texts of whole parts and fractions of so many digits, which may be all alike. */
const random = new Random(SEED);
function digitsOf(length: number): string {
  const kept = random.integer(0, length);
  const digit = String(random.integer(1, 9));
  const texts = [
    digit.repeat(length),
    `${'0'.repeat(length - kept)}${digit.repeat(kept)}`,
    Array.from({ length }, () => random.integer(0, 9)).join(''),
  ];
  return texts[random.integer(0, texts.length - 1)] ?? '';
}

/** How many digits a decimal has, and how many of them are behind the point. */
const TYPES = [
  [10, 2],
  [38, 0],
  [43, 0],
  [44, 0],
  [43, 38],
  [40, 18],
  [60, 20],
  [65, 0],
  [65, 5],
  [65, 16],
  [65, 30],
  [65, 38],
].map(([precision = 0, scale = 0]) => ({ name: `d${precision}_${scale}`, precision, scale }));

/** Of each type: groups of some values, of NULLs, and of values near both limits. */
const ROWS = Array.from({ length: 12 }, (_, part) =>
  Array.from({ length: random.integer(1, 4) }, () => ({
    part,
    values: Object.fromEntries(
      TYPES.map(({ name, precision, scale }) => {
        const sign = random.integer(0, 1) === 0 ? '-' : '';
        const value = `'${sign}${digitsOf(precision - scale)}.${digitsOf(scale)}'`;
        return [name, part === 0 ? 'null' : value];
      }),
    ),
  })),
).flat();

describeProducts(`sums and averages of groups (seed ${SEED})`, (product) => {
  const possible = TYPES.filter(({ scale }) => scale <= product.mostScale);
  const types = product.name === 'MySQL' ? eachNth(3, possible) : possible;
  const columns = types.map(
    ({ name, precision, scale }) => `${name} decimal(${precision}, ${scale})`,
  );
  const rows = ROWS.map(
    ({ part, values }, id) =>
      `(${id}, ${part}, ${types.map(({ name }) => values[name]).join(', ')})`,
  );
  const server = useMariadb(
    `create table added (id int primary key, part int, ${columns.join(', ')});
      insert into added values ${rows.join(', ')};`,
    product,
  );
  const parts = [...new Set(ROWS.map(({ part }) => part))];
  let engine: Engine;
  beforeAll(async () => {
    engine = await open(server().url);
  });

  async function grouped(attribute: string, op: string, part: number): Promise<unknown> {
    try {
      const [record = {}] = await recordsOf(engine, {
        query_model: 'added',
        query_attributes: [op],
        query_groups: ['part'],
        query_aggregates: [{ name: op, op, attribute }],
        query_filter: { attribute: 'part', op: 'eq', value: part },
        query_sort: [{ attribute: op }],
      });
      return record[op];
    } catch (error) {
      return error instanceof QueryFailedError ? error.code : error;
    }
  }

  it.each(types)(
    'are those of facets, unless they are longer than a decimal: decimal($precision, $scale)',
    async ({ name, scale }) => {
      for (const part of parts) {
        const filter = { attribute: 'part', op: 'eq', value: part };
        const facets = [{ attribute: name, bins: 1 }];
        const { facets: found } = await askFacets(engine, { model: 'added', facets, filter });
        for (const [op, digits] of [
          ['sum', 65 - scale],
          ['average', 65 - Math.max(16, scale)],
        ] as const) {
          const exact = found[0]?.[op];
          const [whole = ''] = /\d+/.exec(exact ?? '') ?? [];
          const expected = whole.length > digits ? 'data_error' : exact;
          expect({ op, part, value: await grouped(name, op, part) }).toEqual({
            op,
            part,
            value: expected,
          });
        }
      }
    },
  );
});
