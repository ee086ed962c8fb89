import { type Operator, operatorsOf, type WireType } from '@proj/contract';
import { catalogueEntry, type Engine, EVERYTHING, type ModelSettings } from '@proj/engine';
import { eachNth } from '@proj/test-servers';
import { beforeAll, describe, expect, it } from 'vitest';

import type { Fixture, FixtureDatabase } from '../fixtures/fixture.ts';
import { fixturesOf } from '../fixtures/index.ts';
import { open } from '../open.ts';
import { bodyOf } from './everywhere.ts';
import { EXTREME_COLUMNS, type ExtremeColumn } from './extreme-values.ts';

const FIXTURES = fixturesOf(import.meta.filename);

/** The value of each rank is in a row of its own, in no order; the last row holds NULL. */
const idOf = (rank: number, { literals }: ExtremeColumn): number =>
  ((rank * 7 + 3) % PRIME_OF_ROWS) * 100 + literals.length;

/** Larger than the number of values of any column. */
const PRIME_OF_ROWS = 13;

const NULL_ID = 1_000_000;

/** MariaDB takes dates that no calendar has under this mode alone. */
const SESSION: Readonly<Record<string, string>> = {
  MariaDB: `set sql_mode = 'ALLOW_INVALID_DATES'`,
};

async function createColumns(
  { family, columnTypes }: Fixture,
  database: FixtureDatabase,
): Promise<void> {
  const statements = columnsOf(family).flatMap((column, index) => {
    const rows = column.literals.map((literal, rank) => `(${idOf(rank, column)}, ${literal})`);
    return [
      `create table extremes_${index} (id ${columnTypes.int32} not null primary key, v ${column.declared})`,
      `insert into extremes_${index} values ${[...rows, `(${NULL_ID}, null)`].join(', ')}`,
    ];
  });
  await database.execute([
    ...(SESSION[family] === undefined ? [] : [SESSION[family]]),
    ...statements,
  ]);
}

function columnsOf(name: string): readonly ExtremeColumn[] {
  return EXTREME_COLUMNS[name] ?? [];
}

function settingsOf(name: string): Record<string, ModelSettings> {
  const models = columnsOf(name).flatMap(({ type }, index) =>
    type === undefined ? [] : [[`extremes_${index}`, { attributes: { v: { type } } }] as const],
  );
  return Object.fromEntries(models);
}

/** What an operator keeps, by the rank of the value and of the filter's. */
const KEEPS: Partial<Record<Operator, (rank: number, other: number) => boolean>> = {
  eq: (rank, other) => rank === other,
  ne: (rank, other) => rank !== other,
  lt: (rank, other) => rank < other,
  lte: (rank, other) => rank <= other,
  gt: (rank, other) => rank > other,
  gte: (rank, other) => rank >= other,
  is_distinct: (rank, other) => rank !== other,
};

describe.each(FIXTURES.map((fixture) => [fixture.name, fixture] as const))(
  'on %s, a filter takes what a reply carries',
  (_, fixture) => {
    let engine: Engine;
    let database: FixtureDatabase;
    beforeAll(async () => {
      database = await fixture.create();
      await createColumns(fixture, database);
      engine = await open(database.url, { models: settingsOf(fixture.name) });
    });

    async function rows(model: string, filter?: unknown): Promise<{ id: number; v: unknown }[]> {
      const sort = [{ attribute: 'v', direction: 'asc', nulls: 'last' }];
      const { result, page } = await engine.query(
        bodyOf({ model, attributes: ['id', 'v'], filter, sort }),
        EVERYTHING,
      );
      const found = JSON.parse(result) as { id: number | string; v: unknown }[];
      expect(page.total).toBe(String(found.length));
      return found.map(({ id, v }) => ({ id: Number(id), v }));
    }

    async function idsWhere(model: string, filter: unknown): Promise<number[]> {
      return (await rows(model, filter)).map(({ id }) => id);
    }

    /** What the database itself finds for each rank, as texts `operator rank id`. */
    async function foundBySql(
      model: string,
      column: ExtremeColumn,
      operators: readonly string[],
    ): Promise<string[]> {
      const selects = operators.flatMap((operator) =>
        column.literals.map(
          (literal, rank) =>
            `select '${operator}' as o, ${rank} as r, id from ${model} where v ${operator} ${literal}`,
        ),
      );
      const session = SESSION[fixture.family] === undefined ? '' : `${SESSION[fixture.family]};`;
      const printed = await database.client(`${session}${selects.join(' union all ')};`);
      return printed
        .split('\n')
        .filter(Boolean)
        .map((line) => line.replaceAll('\t', ' '))
        .toSorted();
    }

    const tried = columnsOf(fixture.family).map(
      (column, index) => [column.type ?? column.declared, column, index] as const,
    );

    describe.each(eachNth(2, tried))('of a column of %s', (...[, column, index]) => {
      const model = `extremes_${index}`;
      const ranks = column.literals.map((_literal, rank) => rank);
      const ids = (keep: (rank: number) => boolean): number[] =>
        ranks.filter(keep).map((rank) => idOf(rank, column));
      const attribute = 'v';

      function typeOf(): WireType {
        return engine.catalogue.get(model)?.attributes.get(attribute)?.type ?? 'other';
      }

      it('and names in the catalogue what is a word among numbers', async () => {
        if (typeOf() !== 'float64') return;
        const values = (await rows(model)).map(({ v }) => v);
        const words = values.filter((value) => typeof value === 'string');
        const entry = catalogueEntry(engine.catalogue, EVERYTHING, model);
        const { special_values: special = [] } = entry?.attributes[1] ?? {};
        expect(new Set(special)).toEqual(new Set(words));
      });

      it('and sorts values of each rank in the order of the ranks', async () => {
        expect(await idsWhere(model, undefined)).toEqual([...ids(() => true), NULL_ID]);
      });

      it('by every operator that compares one value', async () => {
        for (const [rank, { v }] of (await rows(model)).slice(0, ranks.length).entries()) {
          for (const op of eachNth(2, operatorsOf(typeOf()), rank)) {
            const keeps = KEEPS[op];
            if (keeps === undefined) continue;
            const expected = [
              ...ids((other) => keeps(other, rank)),
              ...(op === 'is_distinct' ? [NULL_ID] : []),
            ];
            expect(
              await idsWhere(model, { attribute, op, value: v }),
              `${op} ${JSON.stringify(v)}`,
            ).toEqual(expected);
          }
        }
      });

      it('by in, not_in and between', async () => {
        const values = (await rows(model)).slice(0, ranks.length).map(({ v }) => v);
        for (const [rank, v] of values.entries()) {
          const value = [v, values.at(-1)];
          const isListed = (other: number): boolean =>
            other === rank || other === values.length - 1;
          expect(await idsWhere(model, { attribute, op: 'in', value })).toEqual(ids(isListed));
          expect(await idsWhere(model, { attribute, op: 'not_in', value })).toEqual(
            ids((other) => !isListed(other)),
          );
          if (!operatorsOf(typeOf()).includes('between')) continue;
          expect(await idsWhere(model, { attribute, op: 'between', value })).toEqual(
            ids((other) => other >= rank),
          );
        }
      });

      it('as the database itself compares it', async () => {
        const operators = { '=': 'eq', '<': 'lt', '>=': 'gte' } as const;
        const expected = Object.entries(operators).flatMap(([operator, op]) =>
          ranks.flatMap((rank) =>
            ids((other) => KEEPS[op]?.(other, rank) === true).map(
              (id) => `${operator} ${rank} ${id}`,
            ),
          ),
        );
        expect(await foundBySql(model, column, Object.keys(operators))).toEqual(
          expected.toSorted(),
        );
      });
    });
  },
);
