import type { Checkpoints } from '../../sources/followed.ts';
import { firstCaller } from '../../sources/callers.ts';
import type {
  ReadCall,
  PageRows,
  Reads,
  RecordRows,
  Snapshot,
  Source,
} from '../../sources/source.ts';
import { recordShape } from '../../sources/statement-shape.ts';
import type { PageRange, RowsStatement } from '../../sql/query-statements.ts';
import type { HitCounter, MechanismCounters } from '../cache-stats.ts';
import type { TotalCacheRows } from './total-cache-rows.ts';
import type { CachedTotal, Facts } from '../facts.ts';
import type { Knowledge } from './knowledge.ts';
import type { KnownLists, KnownPath } from '../known-lists.ts';
import { isWhole, readRecord } from '../records/read-record.ts';
import type { ListQuestion, PageQuestion, RecordQuestion } from '../reader.ts';
import { type AskedInList, readByCount } from '../records/record-counts.ts';

/** What lists of unchanged data are read with. */
export interface UnchangedListsParts {
  readonly source: Reads<'record'> & Pick<Source, 'together'>;
  readonly knowledge: Knowledge;
  readonly rows: Pick<TotalCacheRows, 'read'>;
  readonly counters: MechanismCounters;
}

interface AskedAlong extends AskedInList {
  readonly known: CachedTotal;
  readonly checkpoints: Checkpoints;
}

/**
 * Reads pages of lists whose total was found by an earlier read. One statement reads the rows and
 * the data version. If that is the version of the total, the page is exact without a count;
 * otherwise it is undefined and another link reads it.
 */
export class UnchangedLists implements KnownLists {
  readonly #parts: UnchangedListsParts;
  readonly counter: HitCounter;

  constructor(parts: UnchangedListsParts) {
    this.#parts = parts;
    const { counters, knowledge } = parts;
    this.counter = counters.create('total_cache', () => knowledge.bytes);
  }

  pathTo({ query }: PageQuestion): KnownPath | undefined {
    // Nothing is ever known of a model that has no version.
    if (!query.plan.facts.versioned) return undefined;
    return this.#parts.knowledge.total(query) === undefined ? 'unknown' : 'quick';
  }

  foundFor({ query }: PageQuestion): string | undefined {
    return this.#parts.knowledge.total(query)?.foundFor;
  }

  async page(question: PageQuestion, call: ReadCall): Promise<PageRows | undefined> {
    const known = this.#parts.knowledge.total(question.query);
    return known && this.#parts.rows.read(question, known, call);
  }

  /** Does nothing: totals come from the reads of the next links. */
  want(): undefined {}

  learn({ query }: ListQuestion, found: Facts): void {
    if (query.plan.facts.versioned) this.#parts.knowledge.learn(query, found);
  }

  async record(question: RecordQuestion, call: ReadCall): Promise<RecordRows | undefined> {
    const { knowledge, source } = this.#parts;
    const { query, size } = question;
    const statements = query.records;
    if (statements === undefined || !query.plan.facts.versioned) return undefined;
    const known = knowledge.total(query);
    if (known === undefined) return undefined;
    const checkpoints = knowledge.checkpoints(query, known);
    const page = await (checkpoints === undefined
      ? readByCount(source, { question, statements, total: known.total }, call)
      : this.#readAlong({ question, statements, total: known.total, known, checkpoints }, call));
    knowledge.observe(query, page.version);
    if (page.offset === undefined) return page;
    const isCurrent = page.version === known.version && isWhole(page, size);
    // A page that is found by a count of many records asks for an index as any deep page does.
    if (isCurrent && checkpoints === undefined) {
      const range = { size, offset: page.offset };
      knowledge.want(query, { range, known, caller: firstCaller(call) });
    }
    return isCurrent ? page : undefined;
  }

  /**
   * Finds the place of the record by checkpoints, counts the few records between, and reads the
   * page.
   */
  #readAlong(
    { question, statements, known, checkpoints }: AskedAlong,
    call: ReadCall,
  ): Promise<RecordRows> {
    const { source, knowledge } = this.#parts;
    const { query } = question;
    const locate = (range: PageRange): RowsStatement | undefined =>
      knowledge.locate(query, range, known);
    const read = { question, statements, checkpoints, total: known.total, locate };
    const shape = recordShape(query.statements, true);
    const work = (snapshot: Snapshot): Promise<RecordRows> => readRecord(snapshot, read);
    return source.together(query.statements, work, { ...call, shape });
  }
}
