import type { PageQuestion } from '../src/reading/reader.ts';
import { Callers } from '../src/sources/read-call.ts';
import type { PageFound, PageRows, ReadCall } from '../src/sources/source.ts';
import type { KeySelection } from '../src/sql/compile/compile-keys.ts';
import type { PreparedQuery } from '../src/sql/prepared/prepared-query.ts';

/** What a question of a test is about; all else is the same for all of them. */
export interface QuestionFacts {
  /** The name of the list; lists of other names have other totals. */
  readonly list?: string;
  /** The relation that its attributes lead to. Default: none. */
  readonly related?: string;
  /** Whether its attributes may call functions. */
  readonly mayCall?: boolean;
  readonly offset?: bigint;
  readonly size?: number;
  readonly versioned?: boolean;
  readonly snapshots?: boolean;
  /** Whether a page that is not full may prove the total. */
  readonly shortPageProof?: boolean;
  /** Whether pages can be read from the end of the list. */
  readonly reversible?: boolean;
}

/** A query as far as links look into it: its statements are their names. */
export function queryOf(facts: QuestionFacts = {}): PreparedQuery {
  const { list = 'list', versioned = true, snapshots = true, reversible = true } = facts;
  const relations = [list, ...(facts.related === undefined ? [] : [facts.related])].map((path) => [
    path,
  ]);
  const followable = versioned && snapshots ? relations[0] : undefined;
  const listFacts = { versioned, hasSnapshots: snapshots, followable };
  const query = {
    key: list,
    totalKey: `total of ${list}`,
    orderKey: `order of ${list}`,
    plan: { name: list, relations, facts: listFacts, order: [] },
    statements: {
      relations,
      mayCall: facts.mayCall,
      rows: { sql: 'rows' },
      reversed: reversible ? { sql: 'reversed' } : undefined,
      fields: [],
      maxBytes: 1000,
      shortPageProof: facts.shortPageProof ?? true,
    },
    seek: (shape: unknown) => ({ sql: 'seek', shape }),
    keyRanges: (after?: unknown) => [{ nulls: [], next: after ? 'later' : 'anything' }],
    keys: ({ step, range: { next } }: KeySelection) => ({
      keys: { sql: `every ${step}`, parameters: [] },
      rows: { sql: next, parameters: [] },
      keyBytes: 0,
    }),
  };
  return query as unknown as PreparedQuery;
}

export function questionOf(facts: QuestionFacts = {}): PageQuestion {
  const { offset = 0n, size = 10 } = facts;
  const query = queryOf(facts);
  const key = `${query.key} ${offset} ${size}`;
  return { key, relations: query.plan.relations, query, range: { offset, size } };
}

/** A page with its total: ten of a hundred records, at version 1. */
export function pageOf(facts: Partial<PageRows> = {}): PageRows {
  return {
    json: '[{"id":1}]',
    rows: 10,
    total: 100n,
    version: '1',
    milliseconds: { rows: 1, count: 0 },
    ...facts,
  };
}

/** A page as a source finds it, with its total among the numbers. */
export function foundOf({ total, ...page }: PageRows = pageOf()): PageFound {
  return { ...page, numbers: [total] };
}

/** How long a caller waits: as long as it takes, unless the test aborts it. */
export type Wait = Partial<Pick<ReadCall, 'signal' | 'deadline'>>;

export function callBy(caller?: string, wait: Wait = {}): ReadCall {
  const { signal = new AbortController().signal, deadline = performance.now() + 60_000 } = wait;
  return { callers: new Callers(caller), signal, deadline };
}
