import type { RelationPath, Statement } from '@proj/engine/database';

import type { AskRow } from '../../connection/connection.ts';
import { quoted, quotedPath } from '../../values/sql-text.ts';
import type { KeyTexts } from '../changes/transactions.ts';
import type { Boundary } from './key-buckets.ts';
import {
  KeyOrder,
  type OrderedColumn,
  type ReadValue,
  type SortedKey,
  type SortedValue,
  valueReaderOf,
} from './key-order.ts';

/** Boundaries compared on each side of where a key probably is. */
const NEAR = 4;

/** If that was wrong: boundaries at even distances. */
const SPREAD = 32;

const KEYS_AT_ONCE = 1000;

/** In characters of JSON; keys of an index have 2.7 kB at most, so longer ones are not kept. */
const MOST_LENGTH = 600;

export interface NamedColumn extends OrderedColumn {
  readonly name: string;
}

/** The key is behind at least `low` boundaries, and at most `high`. */
interface Search {
  readonly texts: KeyTexts;
  low: number;
  high: number;
  /** Boundaries that it is compared with next. */
  asked: readonly number[];
}

/** Finds the places of keys in a list by asking the database. */
export class BoundarySearch {
  readonly #statement: (asked: string) => Statement;
  /** Sort about as the database does, to save comparisons; the first until it was wrong. */
  readonly #guesses: KeyOrder[];

  constructor(relation: RelationPath, columns: readonly NamedColumn[]) {
    const sql = searchSql(relation, columns);
    this.#statement = (asked) => ({ sql, parameters: [asked] });
    this.#guesses = [isBeforeByLanguage, undefined].map(
      (compare) => new KeyOrder(columns, guessReaderOf, compare),
    );
  }

  /** For each key, how many boundaries are not behind it; undefined if one can't be placed. */
  async find(
    keys: readonly KeyTexts[],
    boundaries: readonly Pick<Boundary, 'texts'>[],
    ask: AskRow,
  ): Promise<readonly number[] | undefined> {
    const unknown = { low: 0, high: boundaries.length, asked: [] };
    const searches = keys.map((texts): Search => ({ texts, ...unknown }));
    if (!keys.every(isPlaceable)) return undefined;
    for (let first = 0; first < searches.length; first += KEYS_AT_ONCE) {
      let open = searches.slice(first, first + KEYS_AT_ONCE);
      for (let round = 0; ; round++) {
        open = open.filter(({ low, high }) => low < high);
        if (open.length === 0) break;
        for (const search of open)
          search.asked = round === 0 ? this.#near(search, boundaries) : spread(search);
        await this.#narrow(open, boundaries, ask);
        const missed = open.filter(({ low, high }) => low < high);
        if (round === 0 && 2 * missed.length > open.length) this.#guesses.reverse();
      }
    }
    return searches.map(({ low }) => low);
  }

  #near({ texts }: Search, boundaries: readonly Pick<Boundary, 'texts'>[]): number[] {
    const [order] = this.#guesses;
    const key = order?.read(texts) ?? [];
    const keyAt = (index: number): SortedKey => order?.read(boundaries[index]?.texts ?? []) ?? [];
    const place = order?.passed(boundaries.length, keyAt, key) ?? 0;
    const from = Math.max(0, place - NEAR);
    const to = Math.min(boundaries.length, place + NEAR);
    return Array.from({ length: to - from }, (_none, index) => from + index);
  }

  async #narrow(
    searches: readonly Search[],
    boundaries: readonly Pick<Boundary, 'texts'>[],
    ask: AskRow,
  ): Promise<void> {
    const questions = searches.map(({ texts, asked }) => [
      texts,
      asked.map((place) => boundaries[place]?.texts),
    ]);
    const [json] = await ask(this.#statement(JSON.stringify(questions)));
    const passed = JSON.parse(json ?? '[]') as readonly number[];
    for (const [index, search] of searches.entries()) {
      const count = passed[index];
      if (count === undefined) throw new Error('A key has no place.');
      const [before, behind] = [search.asked[count - 1], search.asked[count]];
      if (before !== undefined) search.low = before + 1;
      if (behind !== undefined) search.high = behind;
    }
  }
}

export function isPlaceable(texts: KeyTexts): boolean {
  const json = JSON.stringify(texts);
  return json.length <= MOST_LENGTH && !json.includes('\u{FFFD}');
}

function spread({ low, high }: Search): number[] {
  const length = Math.min(SPREAD, high - low);
  return Array.from(
    { length },
    (_none, index) => low + Math.floor((index * (high - low)) / length),
  );
}

/**
 * Compares keys `k` with boundaries `b`. The relation's columns lend the boundaries their types and
 * collations; none of its rows `r` is read.
 */
function searchSql(relation: RelationPath, columns: readonly NamedColumn[]): string {
  const values = (from: string, named: boolean): string =>
    columns
      .map(({ databaseType }, place) => {
        const value = `(${from} ->> ${place})::${databaseType}`;
        return named ? `${value} c${place}` : value;
      })
      .join(', ');
  const stored = columns.map(({ name }, place) => `r.${quoted(name)} c${place}`).join(', ');
  const passed = columns.reduceRight<string>(
    (rest, column, place) => `(${isBefore(column, place)} or ${isSame(column, place)} and ${rest})`,
    'true',
  );
  return `
select coalesce(json_agg(p.passed order by p.place), '[]')::text
from (
  select q.place, (
    select count(*)
    from json_array_elements(q.item -> 1) e (item)
    cross join lateral (
      select ${stored} from ${quotedPath(relation)} r where false
      union all
      select ${values('e.item', false)}
    ) b
    where ${passed}
  ) passed
  from json_array_elements($1::json) with ordinality q (item, place)
  cross join lateral (select ${values('q.item -> 0', true)} offset 0) k
) p`;
}

function isBefore({ direction, nulls }: OrderedColumn, place: number): string {
  const [boundary, key] = [`b.c${place}`, `k.c${place}`];
  const before = `${boundary} ${direction === 'asc' ? '<' : '>'} ${key}`;
  if (nulls === undefined) return before;
  const [first, last] = nulls === 'first' ? [boundary, key] : [key, boundary];
  return `(${before} or ${first} is null and ${last} is not null)`;
}

function isSame({ nulls }: OrderedColumn, place: number): string {
  const [boundary, key] = [`b.c${place}`, `k.c${place}`];
  const same = `${boundary} = ${key}`;
  return nulls === undefined ? same : `(${same} or ${boundary} is null and ${key} is null)`;
}

/** As most collations of a language sort texts. */
const BY_LANGUAGE = new Intl.Collator('en', { numeric: false }).compare;

function isBeforeByLanguage(one: SortedValue, other: SortedValue): boolean {
  const areTexts = typeof one === 'string' && typeof other === 'string';
  return areTexts ? BY_LANGUAGE(one, other) < 0 : one < other;
}

function guessReaderOf(databaseType: string): ReadValue {
  return databaseType.startsWith('numeric') ? Number : (valueReaderOf(databaseType) ?? String);
}
