import { firstCaller } from '../../sources/read-call.ts';
import type { PageRows, ReadCall } from '../../sources/source.ts';
import type { PageBatchReader, PageQuestion, KnownLists } from '../reader.ts';
import { DEEP_OFFSET } from '../../sources/reads/page.ts';
import type { MechanismCounters } from '../cache-stats.ts';
import type { StatementTerms } from '../../sql/query-statements.ts';
import { BatchQueues } from './batch-queues.ts';
import type { QueryCosts } from './query-costs.ts';

/** With slow rows, serial batches would lose more than a shared count saves. */
const MOST_SLOW_BATCHES = 4;

/** In one transaction, so that none lasts too long. */
const LARGEST_BATCH = 32;

interface UnchangedPages extends Required<Pick<KnownLists, 'learn'>> {
  /** Undefined without a total, or where rows are of other data. */
  pages(
    questions: readonly PageQuestion[],
    call: ReadCall,
  ): Promise<readonly (PageRows | undefined)[]>;
}

export interface CountBatcherParts {
  readonly costs: QueryCosts;
  readonly counters: MechanismCounters;
  readonly kept: UnchangedPages | undefined;
  readonly next: PageBatchReader;
}

/** Where worth waiting for, pages of a list share a count, or a total found meanwhile. */
export class CountBatcher implements PageBatchReader {
  readonly #parts: CountBatcherParts;
  readonly #queues: BatchQueues<PageQuestion, PageRows>;

  constructor(parts: CountBatcherParts) {
    this.#parts = parts;
    this.#queues = new BatchQueues(this, parts.counters.create('count_batcher'), LARGEST_BATCH);
  }

  async read(question: PageQuestion, call: ReadCall): Promise<PageRows> {
    const { query, range } = question;
    const { costs, next } = this.#parts;
    const shares = query.plan.facts.hasSnapshots && costs.isExpensive(query);
    if (!shares) return next.read(question, call);
    const slowRows = costs.hasSlowRows(query);
    // All callers share where rows are quick; otherwise nobody waits for another's slow rows.
    const isOfAll = !slowRows && range.offset <= DEEP_OFFSET;
    const list = `${query.totalKey}\n${termsShape(query.statements)}`;
    const key = isOfAll ? list : `${list}\n${firstCaller(call)}`;
    return this.#queues.read(key, question, { call, atOnce: slowRows ? MOST_SLOW_BATCHES : 1 });
  }

  async readBatch(
    questions: readonly PageQuestion[],
    call: ReadCall,
  ): Promise<readonly PageRows[]> {
    const { kept } = this.#parts;
    const known = kept === undefined ? [] : await kept.pages(questions, call);
    const missing = questions.filter((_question, index) => known[index] === undefined);
    const read = missing.length > 0 ? await this.#parts.next.readBatch(missing, call) : [];
    const [question, page] = [missing[0], read[0]];
    if (question && page) kept?.learn(question, { ...page, foundFor: firstCaller(call) });
    let next = 0;
    return questions.flatMap((_question, index) => known[index] ?? read[next++] ?? []);
  }
}

/** A batch has the lock and the version of one list, which are not those of other relations. */
function termsShape({ relations, session, mayCall }: StatementTerms): string {
  return JSON.stringify([relations, session, mayCall]);
}
