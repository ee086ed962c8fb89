import { beforeRelease } from '@proj/test-servers';
import { expect, onTestFinished } from 'vitest';

import { CacheStore } from '../../../../engine/src/cache-store.ts';
import { buildCatalogue } from '../../../../engine/src/catalogue/build/build.ts';
import type { SessionRole } from '../../../../engine/src/catalogue/database-session.ts';
import { EVERYTHING, type Grant } from '../../../../engine/src/catalogue/grant.ts';
import { ACCELERATION } from '../../../../engine/src/reading/acceleration.ts';
import { pageQuestion } from '../../../../engine/src/reading/reader.ts';
import { Reading } from '../../../../engine/src/reading/reading.ts';
import { Callers } from '../../../../engine/src/sources/read-call.ts';
import type {
  FollowedChanges,
  KeySnapshot,
  MomentWork,
  PageRows,
  RelationMoment,
  Source,
  Versioned,
} from '../../../../engine/src/sources/source.ts';
import { orderedFields } from '../../../../engine/src/sql/clauses/page-clauses.ts';
import type { PreparedQuery } from '../../../../engine/src/sql/prepared/prepared-query.ts';
import { Preparer } from '../../../../engine/src/sql/prepared/preparer.ts';
import { callOf } from '../../../../engine/test/call.ts';
import { startWriters } from './turns.ts';

const OPTIONS = { shortPageProof: true, readBackwards: true, maxReplyBytes: 2 ** 20 };

/** A term of an order. */
interface SortTerm {
  readonly attribute: string;
  readonly direction?: 'asc' | 'desc';
  readonly nulls?: 'first' | 'last';
}

/** What is asked of a table: its first column is its key. */
export interface ListQuestion {
  readonly model: string;
  readonly sort?: readonly SortTerm[] | undefined;
  readonly filter?: object | undefined;
  /** Who asks. Default: somebody who sees everything, as the service. */
  readonly grant?: Grant | undefined;
  readonly offset: number;
  readonly size: number;
}

/** A total in one snapshot. */
interface Totals extends Versioned {
  readonly known: bigint | undefined;
  readonly counted: bigint;
}

/**
 * The chain of reading over a source whose changes are followed. In each snapshot in which it does
 * work, the page that the work returns is compared with what the database finds there by counting
 * and by passing over all rows before the page.
 */
export class CheckedReading {
  readonly mistakes: unknown[] = [];
  checks = 0;
  readonly #source: Source;
  readonly #reading: Reading;
  readonly #preparer: Preparer;

  private constructor(source: Source, preparer: Preparer) {
    this.#source = source;
    const settings = {
      ...ACCELERATION,
      pageIndexMinOffset: 200,
      leastCountMs: 0,
      replyCache: false,
    };
    const store = new CacheStore(2 ** 24);
    this.#reading = new Reading({ source: this.#checked(source), settings, store });
    this.#preparer = preparer;
  }

  /**
   * Open until the test is done.
   *
   * @param sessions the roles that callers read as
   */
  static async over(
    source: Source,
    sessions: readonly SessionRole[] = [],
  ): Promise<CheckedReading> {
    const exposed = { expose: 'all', models: {}, maxPageSize: 1000 } as const;
    const { catalogue } = buildCatalogue(await source.introspect(sessions), exposed);
    const { dialect } = source;
    const store = new CacheStore(2 ** 20);
    const preparer = new Preparer({ catalogue, dialect, options: OPTIONS, store });
    const reading = new CheckedReading(source, preparer);
    onTestFinished(() => reading.#reading.close());
    return reading;
  }

  /** How many requests a mechanism served. */
  hits(mechanism: string): number {
    return this.#reading.counters.statistics.find((one) => one.mechanism === mechanism)?.hits ?? 0;
  }

  async read(asked: ListQuestion, caller?: string): Promise<PageRows> {
    const { size, offset } = asked;
    const query = this.#prepare(asked);
    const question = pageQuestion(query, { size, offset: BigInt(offset) });
    this.#asked = { ...question, isChecked: false };
    const page = await this.#reading.pages.read(question, callOf({ callers: new Callers(caller) }));
    if ('hasNext' in page) throw new Error('The total was asked for.');
    return page;
  }

  /** As in `MechanismCounters`. */
  get sessions(): Reading['counters']['sessions'] {
    return this.#reading.counters.sessions;
  }

  /**
   * The total of a list as it is known in a snapshot after its page index was asked for, and as a
   * count finds it there; undefined where the changes are late.
   */
  async totals(asked: Omit<ListQuestion, 'offset' | 'size'>): Promise<Totals | undefined> {
    const { plan, statements, orderKey: key } = this.#prepare({ ...asked, size: 1 });
    const { condition } = plan;
    const { followable } = plan.facts;
    const followed = this.#source.changes?.followed;
    if (followable === undefined || followed === undefined) return undefined;
    const work: MomentWork<Totals> = async (snapshot, moment) => {
      await moment.index({ key, condition, terms: orderedFields(plan) });
      const known = await moment.total(condition);
      return { version: moment.version, known, counted: await snapshot.count(statements.count) };
    };
    const session = plan.session && statements.session;
    return followed.during(followable, work, { ...callOf(), session });
  }

  /** Whether the total of a list is followed. */
  isFollowed(asked: Omit<ListQuestion, 'offset' | 'size'>): boolean {
    const { plan, statements } = this.#prepare({ ...asked, size: 1 });
    const { followable } = plan.facts;
    const session = plan.session && statements.session;
    return (
      followable !== undefined &&
      this.#source.changes?.followed?.knowsTotal(followable, plan.condition, session) === true
    );
  }

  #prepare({ model, sort, filter, size, grant }: Omit<ListQuestion, 'offset'>): PreparedQuery {
    const body = {
      query_model: model,
      query_attributes: ['id'],
      page: { page: 1, size },
      ...(sort && { query_sort: sort }),
      ...(filter && { query_filter: filter }),
    };
    return this.#preparer.prepare(body, grant ?? EVERYTHING).query;
  }

  #asked: (ReturnType<typeof pageQuestion> & { isChecked: boolean }) | undefined;

  #checked(source: Source): Source {
    const check = async (
      snapshot: KeySnapshot,
      moment: RelationMoment,
      page: PageRows | undefined,
    ): Promise<void> => {
      const asked = this.#asked;
      if (asked === undefined || page === undefined) return;
      const {
        relations,
        rows: statement,
        fields,
        maxBytes,
        count: counting,
      } = asked.query.statements;
      const bindings = asked.range;
      const found = await snapshot.rows({
        relations,
        statement,
        fields,
        maxBytes,
        bindings,
        reversed: false,
      });
      const total = await snapshot.count(counting);
      this.checks += 1;
      const known = await moment.total(asked.query.plan.condition);
      if (found.json !== page.json || total !== page.total || total !== known)
        this.mistakes.push({ range: bindings, page, found, total });
    };
    const { changes } = source;
    if (changes?.followed === undefined) return source;
    const { followed } = changes;
    const during: FollowedChanges['during'] = (relation, work, call) =>
      followed.during(
        relation,
        async (snapshot, moment) => {
          const done = await work(snapshot, moment);
          await check(snapshot, moment, pageIn(done));
          return done;
        },
        call,
      );
    return withMembers(source, {
      changes: { ...changes, followed: withMembers(followed, { during }) },
    });
  }
}

/** Reads a list until a mechanism of following serves it, which begins beside reads. */
export async function follow(
  reading: CheckedReading,
  asked: ListQuestion,
  mechanism: 'followed_total' | 'followed_index',
): Promise<void> {
  const before = reading.hits(mechanism);
  const readOnce = async (): Promise<number> => {
    await reading.read(asked);
    return reading.hits(mechanism);
  };
  // Each read is compared, which costs more than what it waits for.
  await expect.poll(readOnce, { interval: 50 }).toBeGreaterThan(before);
}

/** What is read while others write. */
interface Course {
  readonly url: string;
  readonly writers?: number;
  readonly transactionOf: Parameters<typeof startWriters>[2];
  readonly lists: readonly Omit<ListQuestion, 'offset' | 'size'>[];
  readonly offsetOf: (turn: number) => number;
  /** What serves at least a quarter of the reads that are compared. */
  readonly mechanism?: string;
  readonly checks?: number;
}

/** How many replies are compared while others write. */
export const CHECKS = Number(process.env['TRUTH_REPLIES'] ?? (beforeRelease ? 200 : 30));

/** Reads lists in turn while others write, and returns all mistakes so far. */
export async function readWhileWritten(
  reading: CheckedReading,
  { url, writers = 3, transactionOf, lists, offsetOf, mechanism = '', checks = CHECKS }: Course,
): Promise<readonly unknown[]> {
  const writing = await startWriters(url, writers, transactionOf);
  const [before, hits] = [reading.checks, reading.hits(mechanism)];
  // A busy machine leaves more of them to other links.
  for (let turn = 0; reading.checks < before + checks; turn++) {
    const list = lists[turn % lists.length];
    if (list === undefined) throw new Error('Nothing is to be read.');
    writing.goOn();
    await reading.read({ ...list, offset: offsetOf(turn), size: 1 + (turn % 40) });
  }
  await writing.stop();
  if (mechanism !== '') expect(reading.hits(mechanism)).toBeGreaterThan(hits + checks / 4);
  return reading.mistakes;
}

/** An object some of whose members are others. */
function withMembers<Target extends object>(object: Target, members: object): Target {
  return new Proxy(object, {
    get(target, name) {
      const value: unknown = Reflect.get(name in members ? members : target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

/** The page of work that reads one. */
function pageIn(done: object): PageRows | undefined {
  return 'page' in done ? (done.page as PageRows | undefined) : undefined;
}
