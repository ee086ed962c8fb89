import { type Engine, EVERYTHING, InvalidQueryError } from '@proj/engine';

import { INVARIANT, PAIR, type Seen } from './invariant.ts';

/** Ways of reading a list, in the operator's words. */
export const READ_KINDS = ['pages', 'exports', 'facets', 'groups', 'containing'] as const;

export type ReadKind = (typeof READ_KINDS)[number];

export type ReadingEngine = Pick<Engine, 'query' | 'export' | 'facets'>;

type ReadOnce = (engine: ReadingEngine, table: string) => Promise<Seen>;

export const ENGINE_READS: Readonly<Record<ReadKind, ReadOnce>> = {
  pages: (engine, table) => queryOnce(engine, listOf(table)),
  exports: exportOnce,
  facets: facetsOnce,
  groups: (engine, table) =>
    queryOnce(engine, {
      ...listOf(table),
      query_groups: ['id'],
      query_aggregates: [{ name: 'amount', op: 'sum', attribute: 'amount' }],
    }),
  containing: pageOfRecord,
};

/** Room to show surplus records. */
const SIZE = 2 * INVARIANT.records;

function listOf(table: string): Record<string, unknown> {
  return { query_model: table, query_attributes: ['id', 'amount'] };
}

async function queryOnce(engine: ReadingEngine, list: object, named?: number): Promise<Seen> {
  const place = named === undefined ? { page: 1 } : { containing: { id: String(named) } };
  const answer = await engine.query({ ...list, page: { ...place, size: SIZE } }, EVERYTHING);
  const records = JSON.parse(answer.result) as Record<string, unknown>[];
  return { ...columnsOf(records), total: Number(answer.page.total), named };
}

async function exportOnce(engine: ReadingEngine, table: string): Promise<Seen> {
  let [text, total] = ['', 0];
  const sink = {
    begin: async (found: { readonly total: bigint }) => void (total = Number(found.total)),
    write: async (lines: { readonly text: string }) => void (text += lines.text),
  };
  await engine.export(listOf(table), EVERYTHING, { sink });
  const lines = text.split('\n').filter((line) => line !== '');
  const records = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  return { ...columnsOf(records), total };
}

/** The counts of a facet say how many records have each id, and each amount. */
async function facetsOnce(engine: ReadingEngine, table: string): Promise<Seen> {
  const facets = ['id', 'amount'].map((attribute) => ({ attribute, values: SIZE }));
  const answer = await engine.facets({ query_model: table, query_facets: facets }, EVERYTHING);
  const found = JSON.parse(answer.json) as {
    readonly facets: readonly { readonly values: readonly { value: unknown; count: unknown }[] }[];
    readonly total: string;
  };
  const [ids = [], amounts = []] = found.facets.map(({ values }) =>
    values.flatMap(({ value, count }) => repeated(Number(value), Number(count))),
  );
  return { ids, amounts, total: Number(found.total) };
}

/** Each commit changes which id of a pair its record has. */
async function pageOfRecord(engine: ReadingEngine, table: string): Promise<Seen> {
  const id = 1 + Math.floor(Math.random() * INVARIANT.records);
  try {
    return await queryOnce(engine, listOf(table), id);
  } catch (error) {
    if (!isNotInList(error)) throw error;
    return queryOnce(engine, listOf(table), id + PAIR);
  }
}

export function isNotInList(error: unknown): boolean {
  return error instanceof InvalidQueryError && error.errors[0]?.code === 'record_not_in_list';
}

export function repeated(value: number, count: number): number[] {
  return Array.from({ length: count }, () => value);
}

function columnsOf(
  records: readonly Readonly<Record<string, unknown>>[],
): Pick<Seen, 'ids' | 'amounts'> {
  return {
    ids: records.map(({ id }) => Number(id)),
    amounts: records.map(({ amount }) => Number(amount)),
  };
}
