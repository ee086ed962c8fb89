import { CacheStore } from '../../../src/cache-store.ts';
import { buildCatalogue } from '../../../src/catalogue/build/build.ts';
import { EVERYTHING } from '../../../src/catalogue/grant.ts';
import { ACCELERATION } from '../../../src/reading/acceleration.ts';
import { pageQuestion } from '../../../src/reading/reader.ts';
import { Reading } from '../../../src/reading/reading.ts';
import type {
  FollowedChanges,
  KeySnapshot,
  PageRows,
  RelationMoment,
  Source,
} from '../../../src/sources/source.ts';
import { QueryPreparer } from '../../../src/sql/prepared/query-preparer.ts';
import { callOf } from '../../call.ts';

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
  readonly offset: number;
  readonly size: number;
}

/**
 * The chain of reading over a source whose changes are followed. In each snapshot in which it does
 * work, the page that the work returns is compared with what the database finds there by counting
 * and by passing over all rows before the page.
 */
export class CheckedReading {
  readonly mistakes: unknown[] = [];
  checks = 0;
  readonly #reading: Reading;
  readonly #preparer: QueryPreparer;

  private constructor(source: Source, preparer: QueryPreparer) {
    const settings = { ...ACCELERATION, pageIndexMinOffset: 200, replyCache: false };
    const store = new CacheStore(2 ** 24);
    this.#reading = new Reading({ source: this.#checked(source), settings, store });
    this.#preparer = preparer;
  }

  static async over(source: Source): Promise<CheckedReading> {
    const exposed = { expose: 'all', models: {}, maxPageSize: 1000 } as const;
    const { catalogue } = buildCatalogue(await source.introspect(), exposed);
    const { dialect } = source;
    const store = new CacheStore(2 ** 20);
    return new CheckedReading(
      source,
      new QueryPreparer({ catalogue, dialect, options: OPTIONS, store }),
    );
  }

  /** How many requests a mechanism served. */
  hits(mechanism: string): number {
    return this.#reading.statistics.find((one) => one.mechanism === mechanism)?.hits ?? 0;
  }

  async read({ model, sort, filter, offset, size }: ListQuestion): Promise<PageRows> {
    const { query } = this.#preparer.prepare(
      {
        query_model: model,
        query_attributes: ['id'],
        page: { page: 1, size },
        ...(sort && { query_sort: sort }),
        ...(filter && { query_filter: filter }),
      },
      EVERYTHING,
    );
    const question = pageQuestion(query, { size, offset: BigInt(offset) });
    this.#asked = { ...question, isChecked: false };
    const page = await this.#reading.pages.read(question, callOf());
    if ('hasNext' in page) throw new Error('The total was asked for.');
    return page;
  }

  close(): Promise<void> {
    return this.#reading.close();
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
      const known = moment.total(asked.query.plan.condition);
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
    return withMembers(source, { changes: { ...changes, followed: { ...followed, during } } });
  }
}

/** A source some of whose members are others. */
function withMembers(source: Source, members: object): Source {
  return new Proxy(source, {
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
