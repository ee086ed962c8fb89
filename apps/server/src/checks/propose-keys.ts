import { SORTABLE_TYPES } from '@proj/contract';
import {
  type Column,
  type Engine,
  EVERYTHING,
  type Model,
  openEngine,
  QueryFailedError,
  readRelations,
  type Relation,
} from '@proj/engine';

import type { DatabaseSettings } from '../settings/databases.ts';
import { databaseKinds, engineSettings } from '../settings/engine-settings.ts';

/** Columns tried alone, and in pairs, for each relation. */
const MOST_SINGLE = 12;
const MOST_PAIRED = 8;

/** A relation may take this fraction of the time that is left. */
const SHARES = 10;

export interface KeyProposal {
  readonly model: string;
  readonly isListed: boolean;
  /** Unique columns, and the number of rows. */
  readonly found?: { readonly key: readonly string[]; readonly rows: string };
  /** Why there are none, completing a sentence that begins with the relation. */
  readonly why?: string;
}

/**
 * Looks for columns of each relation without a key that are unique together and never NULL: the
 * likeliest alone, then pairs. Slow relations leave time for others.
 *
 * @param timeoutMs how long all of it may take
 * @throws {SettingsError | QueryFailedError} when the database cannot be read
 */
export async function proposeKeys(
  settings: DatabaseSettings,
  timeoutMs: number,
): Promise<KeyProposal[]> {
  const end = performance.now() + timeoutMs;
  const shown = shownRelations(settings);
  const keyless = (await readRelations(settings.database, databaseKinds(settings)))
    .filter(({ keys, unusable }) => keys.length === 0 && unusable === undefined)
    .filter(({ name }) => shown.get(name)?.hasKey !== true);
  const tried = keyless.map((relation, index) => {
    return { relation, model: String(index), keys: candidates(relation) };
  });
  const models = tried.flatMap(({ relation: { name: source }, model, keys: [key] }) =>
    key ? [[model, { source, key, attributes: 'all', distributed: 'approximate' }] as const] : [],
  );
  if (models.length === 0) return keyless.map(({ name }) => proposalOf(name, shown, NO_COLUMNS));
  const engine = await openEngine({
    ...engineSettings({ ...settings, roles: {}, expose: 'listed' }),
    models: Object.fromEntries(models),
    prefix: undefined,
    follow: undefined,
    replicas: undefined,
  });
  try {
    return await inShares(tried, end, async ({ relation, model: name, keys }, endOfShare) => {
      const model = engine.catalogue.get(name);
      const finding = model ? await firstKey(engine, { model, keys }, endOfShare) : NO_COLUMNS;
      return proposalOf(relation.name, shown, finding);
    });
  } finally {
    await engine.close();
  }
}

/** One after the other, each with a part of the time that is left. */
export async function inShares<Item, Result>(
  items: readonly Item[],
  end: number,
  work: (item: Item, endOfShare: number) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (const [index, item] of items.entries()) {
    const now = performance.now();
    const share = (end - now) / Math.min(items.length - index, SHARES);
    results.push(await work(item, now + share));
  }
  return results;
}

interface ShownRelation {
  readonly model: string;
  readonly hasKey: boolean;
}

function shownRelations({ models }: DatabaseSettings): ReadonlyMap<string, ShownRelation> {
  return new Map(
    Object.entries(models).map(([model, { source = model, key }]) => [
      source,
      { model, hasKey: key !== undefined },
    ]),
  );
}

type Finding = Pick<KeyProposal, 'found' | 'why'>;

const NO_COLUMNS: Finding = { why: 'has no column of a type that can be a key' };

const NOT_TO_THE_END: Finding = { why: 'was not looked at to the end: raise --seconds' };

function proposalOf(
  relation: string,
  shown: ReadonlyMap<string, ShownRelation>,
  finding: Finding,
): KeyProposal {
  const { model = relation } = shown.get(relation) ?? {};
  return { model, isListed: shown.has(relation), ...finding };
}

interface Tried {
  readonly model: Model;
  readonly keys: readonly (readonly string[])[];
}

async function firstKey(engine: Engine, { model, keys }: Tried, end: number): Promise<Finding> {
  try {
    for (const key of keys) {
      const timeoutMs = Math.floor(end - performance.now());
      if (timeoutMs <= 0) return NOT_TO_THE_END;
      const term = { direction: 'asc', nulls: 'last', nullable: false } as const;
      const terms = key.map((column) => ({ column, ...term }));
      if (!(await engine.isKey({ ...model, key: terms }, { timeoutMs }))) continue;
      const rows = await rowsOf(engine, model);
      return Number(rows) < 2
        ? { why: `has too few rows to see what is unique: ${rows}` }
        : { found: { key, rows } };
    }
    return { why: 'has no key among its likeliest columns and pairs of them' };
  } catch (error) {
    if (!(error instanceof QueryFailedError)) throw error;
    return error.code === 'query_timeout'
      ? NOT_TO_THE_END
      : { why: error.message.replace(/\.$/, '') };
  }
}

async function rowsOf(engine: Engine, { name, attributes }: Model): Promise<string> {
  const body = {
    query_model: name,
    query_attributes: [...attributes.keys()].slice(0, 1),
    page: { page: 1, size: 1 },
  };
  const { page } = await engine.query(body, EVERYTHING);
  return page.total ?? '0';
}

/** The likeliest first; unique indexes that are no key for another reason come before all. */
function candidates({ columns, nearKey }: Relation): (readonly string[])[] {
  const likeliest = columns
    .filter(({ type }) => SORTABLE_TYPES.has(type) && type !== 'float64')
    .map((column) => ({ name: column.name, rank: rankOf(column) }))
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ name }) => name);
  const paired = likeliest.slice(0, MOST_PAIRED);
  const pairs = paired.flatMap((one, index) =>
    paired.slice(index + 1).map((other) => [one, other] as const),
  );
  const isKnown = nearKey?.columns.every((name) => likeliest.includes(name)) === true;
  return [
    ...(isKnown ? [nearKey.columns] : []),
    ...likeliest.slice(0, MOST_SINGLE).map((name) => [name]),
    ...pairs,
  ];
}

/** How unlikely a column is to be a key; of equal ones the first is the likeliest. */
function rankOf({ name, type, nullable }: Column): number {
  const isNamedSo = /(^|_)(id|uuid|key|code|no|number|slug)$|Id$/i.test(name);
  const hasFewValues = type === 'boolean' || type === 'enum';
  return (hasFewValues ? 4 : 0) + (isNamedSo ? 0 : 2) + (nullable ? 1 : 0);
}
