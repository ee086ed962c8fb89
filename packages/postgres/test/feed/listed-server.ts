import type { StatementSession } from '@proj/engine/database';
import type { FollowedOrder } from '@proj/engine/following';

import type { Row } from '../../src/connection/connection.ts';
import type { SessionStatement } from '../../src/connection/session.ts';
import { postgresDialect } from '../../src/dialect.ts';
import { RelationLog } from '../../src/feed/changes/relation-log.ts';
import type { RowChange } from '../../src/feed/changes/transactions.ts';
import { FilteredLists } from '../../src/feed/lists/filtered-lists.ts';
import { type ListedRelation, OrderedLists } from '../../src/feed/lists/ordered-lists.ts';
import { SeenMoment } from '../../src/feed/lists/seen-moment.ts';
import { TransactionSnapshot } from '../../src/log/snapshot.ts';
import { COLUMNS, relationOf } from './listed-relation.ts';

/** `word` is a text of the number in `low`. */
export interface ListedRow {
  readonly id: string;
  readonly low: string | null;
  readonly word: string | null;
}

interface Seen {
  readonly snapshot: TransactionSnapshot;
  readonly text: string;
  readonly schema: string;
}

interface Written extends Pick<ListedRow, 'id'> {
  readonly xid: bigint;
  /** Undefined where the row was deleted. */
  readonly low: string | null | undefined;
}

/** A term of a list's statement: values of the rows or their number, and which rows. */
const TERM =
  /(?:json_build_array\((?<columns>[^)]*)\)\) )?filter \(where \((?:true|\("t"\."low" < \$(?<limit>\d+)::int8\))\)\)/g;

const FOLLOWED = 'followed';

/** What the database shows to a caller: rows with an even number. */
export const SHOWN = {
  name: 'even',
  definition: undefined,
  session: { role: 'caller' } as StatementSession,
};

/** The shortest first, and then backwards: no collation that the service could guess. */
function compareWords(one: string, other: string): number {
  if (one.length !== other.length) return one.length - other.length;
  if (one === other) return 0;
  return one < other ? 1 : -1;
}

/** Lists of a server that answers as PostgreSQL does, about one relation of some rows. */
export class ListedServer {
  readonly log = new RelationLog(0n);
  readonly relation = this.relationOf('a');
  readonly ordered = new OrderedLists();
  readonly counters = { recounts: 0 };
  /** The first words of statements, and where they were asked. */
  readonly asked: string[] = [];
  readonly filtered: FilteredLists;
  /** How long a count takes, in milliseconds. */
  countMs = 1000;
  schema = FOLLOWED;
  isDown = false;
  isLocked = false;
  logs: RelationLog[] = [this.log];
  /** Called when something is asked, before it is answered. */
  onAsk: (words: string) => unknown = () => undefined;
  /** Ends the connections that hold base snapshots. */
  lose: () => void = () => undefined;
  readonly #advance: (ms: number) => void;
  readonly #written: Written[] = [];
  readonly #latest = new Map<string, string | null | undefined>();
  readonly #open = new Map<bigint, Map<string, string | null | undefined>>();
  readonly #exported: Seen[] = [];
  #nextXid = 100n;

  constructor(
    lows: readonly (string | null)[],
    { heldMs = Infinity, advance = (_ms: number): void => undefined } = {},
  ) {
    this.#advance = advance;
    for (const [at, low] of lows.entries()) {
      this.#written.push({ xid: 1n, id: String(at), low });
      this.#latest.set(String(at), low);
    }
    this.filtered = new FilteredLists({
      bases: { inSnapshot: this.#inSnapshot.bind(this) } as never,
      dialect: postgresDialect,
      askNow: async (statement) => this.#answer('now', statement, this.seen()),
      ordered: this.ordered,
      heldMs,
      counters: this.counters,
      open: async () => this.#holder(),
      reach: async () => true,
      logs: () => this.logs,
    });
  }

  /** How many base snapshots were taken. */
  get bases(): number {
    return this.#exported.length;
  }

  relationOf(token: string, facts: Partial<ListedRelation> = {}): ListedRelation {
    return relationOf(token, ['id'], {
      columns: [...COLUMNS, { name: 'word', type: 'text', isStable: true }],
      describes: ({ fingerprint }) => fingerprint === FOLLOWED,
      log: this.log,
      ...facts,
    });
  }

  begin(): bigint {
    this.#open.set(this.#nextXid, new Map());
    return this.#nextXid++;
  }

  write(xid: bigint, id: string, low: string | null | undefined): void {
    const isLocked = [...this.#open].some(([other, rows]) => other !== xid && rows.has(id));
    if (!isLocked) this.#open.get(xid)?.set(id, low);
  }

  commit(xid: bigint): void {
    const written = this.#open.get(xid) ?? [];
    this.#open.delete(xid);
    const rows = [...written].flatMap(([id, low]): RowChange[] => {
      const before = this.#latest.get(id);
      this.#latest.set(id, low);
      this.#written.push({ xid, id, low });
      if (before !== undefined) return low === undefined ? [{ went: [id] }] : [{ stays: [id] }];
      return low === undefined ? [] : [{ came: [id] }];
    });
    this.log.append({ xid, rows, truncated: false });
  }

  /** Writes rows in one transaction. */
  set(rows: Readonly<Record<string, string | null | undefined>>): void {
    const xid = this.begin();
    for (const [id, low] of Object.entries(rows)) this.write(xid, id, low);
    this.commit(xid);
  }

  /** What a snapshot sees that is taken now. */
  seen(): Seen {
    const running = [...this.#open.keys()];
    const text = `${running[0] ?? this.#nextXid}:${this.#nextXid}:${running.join()}`;
    return { snapshot: TransactionSnapshot.parse(text), text, schema: this.schema };
  }

  moment(relation = this.relation, seen = this.seen(), hasEnded = false): SeenMoment {
    return new SeenMoment({
      relation,
      snapshot: seen.snapshot,
      version: '1',
      ordered: this.ordered,
      filtered: this.filtered,
      ask: hasEnded
        ? undefined
        : async (statement) => this.#answer('read', statement, seen, relation.shown !== undefined),
    });
  }

  /** @param isCaller shown even rows only */
  rows({ snapshot }: Pick<Seen, 'snapshot'>, isCaller = false): ListedRow[] {
    const rows = new Map<string, ListedRow>();
    for (const { xid, id, low } of this.#written) {
      if (!snapshot.sees(xid)) continue;
      if (low === undefined) rows.delete(id);
      else rows.set(id, { id, low, word: low });
    }
    return [...rows.values()].filter(({ id }) => !isCaller || Number(id) % 2 === 0);
  }

  #holder() {
    const { promise: ended, resolve } = Promise.withResolvers<void>();
    const { lose } = this;
    this.lose = () => (lose(), resolve());
    const ask = async ({ sql }: SessionStatement): Promise<Row> => {
      if (this.isDown) throw new Error('The server is down.');
      if (!sql.startsWith('select')) return [];
      const seen = this.seen();
      return [String(this.#exported.push(seen) - 1), seen.text, '0/1'];
    };
    return { ended, ask, destroy: () => undefined };
  }

  async #inSnapshot(
    work: (ask: (statement: SessionStatement) => Promise<Row>) => Promise<unknown>,
    { session }: { readonly session: StatementSession | undefined },
  ): Promise<unknown> {
    const isCaller = session?.role === 'caller';
    let isLocked = session?.lock !== undefined;
    let base = isCaller && session.snapshot === undefined ? this.seen() : undefined;
    if (session?.snapshot !== undefined) base = this.#exported[Number(session.snapshot)];
    return work(async (statement) => {
      const imported = /^set transaction snapshot '(\d+)'$/.exec(statement.sql)?.[1];
      if (imported !== undefined) base = this.#exported[Number(imported)];
      if (statement.sql === 'lock table "public"."rows" in access share mode nowait') {
        if (this.isLocked) throw Object.assign(new Error('locked'), { code: '55P03' });
        isLocked = true;
      }
      if (/^(lock|set)/.test(statement.sql)) return [];
      if (base === undefined || (!isLocked && session?.snapshot !== undefined))
        throw new Error('The base was not begun.');
      return this.#answer('base', statement, base, isCaller);
    });
  }

  async #answer(
    where: string,
    { sql, parameters, named }: SessionStatement,
    seen: Seen,
    isCaller = false,
  ): Promise<Row> {
    const words = `${where} ${/^\s*select \w+|\w+/.exec(sql)?.[0].trim()}`;
    this.asked.push(words);
    await this.onAsk(words);
    const recurs = !sql.startsWith('select count') && (sql !== 'stamp' || where === 'read');
    if (recurs && named !== true) throw new Error('The plan of what recurs is kept.');
    if (sql === 'stamp') return [seen.text, '0/1', 'instance', seen.schema];
    if (sql.includes('p.passed')) return [searched(String(parameters[0]))];
    const isCount = sql.startsWith('select count');
    if (isCount) this.#advance(this.countMs);
    const all = this.rows(seen, isCaller);
    if (sql.startsWith('select count(*)::')) return [String(all.length)];
    const keys = isCount
      ? undefined
      : new Set((JSON.parse(String(parameters.at(-1))) as string[][]).map(([id]) => id));
    const found = [...(sql.split(' from ')[0] ?? '').matchAll(TERM)].map(({ groups = {} }) => {
      const { columns, limit } = groups;
      const rows = all
        .filter(({ id }) => keys?.has(id) !== false)
        .filter(({ low }) => limit === undefined || isBelow(low, parameters[Number(limit) - 1]));
      const names = [...(columns ?? '').matchAll(/"t"\."(\w+)"::text/g)].map(([, name]) => name);
      return columns === undefined
        ? rows.length
        : rows.map((row) => names.map((name) => Reflect.get(row, String(name))));
    });
    return isCount ? found.map(String) : [JSON.stringify(found)];
  }
}

export function isBelow(low: string | null, limit: unknown): boolean {
  return low !== null && BigInt(low) < BigInt(String(limit));
}

/** For each key, how many boundaries are not behind it. */
function searched(json: string): string {
  const asked = JSON.parse(json) as [(string | null)[], (string | null)[][]][];
  return JSON.stringify(
    asked.map(([key, all]) => all.filter((boundary) => compareKeys(boundary, key) <= 0).length),
  );
}

/** By word, NULLs last, then by number. */
function compareKeys(one: (string | null)[], other: (string | null)[]): number {
  return compareValues(one[0], other[0], compareWords) || Number(one[1]) - Number(other[1]);
}

function compareValues(
  one: string | null | undefined,
  other: string | null | undefined,
  compare: (one: string, other: string) => number,
): number {
  if (typeof one !== 'string' || typeof other !== 'string')
    return Number(typeof one !== 'string') - Number(typeof other !== 'string');
  return compare(one, other);
}

/** Compares rows as an order does that has one column before the row's number. */
export function compareRows({ terms }: FollowedOrder, one: ListedRow, other: ListedRow): number {
  const { column = '', direction, nulls } = terms[0]?.term ?? {};
  const sign = direction === 'desc' ? -1 : 1;
  const compare =
    column === 'word' ? compareWords : (a: string, b: string) => Number(a) - Number(b);
  const [a, b] = [one, other].map((row) => Reflect.get(row, column) as string | null);
  const order = compareValues(a, b, (x, y) => sign * compare(x, y));
  const isByNull = a === null || b === null;
  return (isByNull && nulls === 'first' ? -order : order) || Number(one.id) - Number(other.id);
}
