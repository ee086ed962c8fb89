import { firstCaller, recordShape } from '../../sources/read-call.ts';
import { timed } from '../../sources/reads/page.ts';
import type { PageRows, ReadCall, Reads, RecordRows, Source } from '../../sources/source.ts';
import type { PageRange, RowsStatement } from '../../sql/query-statements.ts';
import type { HitCounter, MechanismCounters } from '../cache-stats.ts';
import {
  type FoundTotal,
  type KeptTotal,
  type KnownLists,
  type KnownPath,
  isWhole,
  type ListQuestion,
  type PageQuestion,
  type RecordQuestion,
  wholePage,
} from '../reader.ts';
import type { KnownTotals } from './known-totals.ts';
import { readByCount, readRecord } from '../records/read-record.ts';

export interface UnchangedListsParts {
  readonly source: Reads<'page' | 'record'> & Pick<Source, 'inSnapshot'>;
  readonly knownTotals: KnownTotals;
  readonly counters: MechanismCounters;
}

/** One statement reads rows and version; undefined where that is not the total's version. */
export class UnchangedLists implements KnownLists {
  readonly #parts: UnchangedListsParts;
  readonly counter: HitCounter;
  readonly #backwards: HitCounter;

  constructor(parts: UnchangedListsParts) {
    this.#parts = parts;
    const { counters, knownTotals } = parts;
    this.#backwards = counters.create('read_backwards');
    this.counter = counters.create('total_cache', () => knownTotals.bytes);
  }

  pathTo({ query }: PageQuestion): KnownPath | undefined {
    // Nothing is known of a model without versions.
    if (!query.plan.facts.versioned) return undefined;
    return this.#parts.knownTotals.total(query) === undefined ? 'unknown' : 'quick';
  }

  foundFor({ query }: PageQuestion): string | undefined {
    return this.#parts.knownTotals.total(query)?.foundFor;
  }

  async page(question: PageQuestion, call: ReadCall): Promise<PageRows | undefined> {
    const known = this.#parts.knownTotals.total(question.query);
    return known && this.#pageOf(question, known, call);
  }

  /** One version check for all; undefined as for {@link page}. */
  async pages(
    questions: readonly PageQuestion[],
    call: ReadCall,
  ): Promise<readonly (PageRows | undefined)[]> {
    const { knownTotals } = this.#parts;
    const query = questions[0]?.query;
    const known = query && knownTotals.total(query);
    if (query === undefined || known === undefined) return [];
    if ((await knownTotals.versionOf(query).check()) !== known.version) return [];
    return Promise.all(questions.map((question) => this.#pageOf(question, known, call)));
  }

  async #pageOf({ query, range }: PageQuestion, known: KeptTotal, call: ReadCall) {
    const { knownTotals, source } = this.#parts;
    const started = performance.now();
    const path = knownTotals.locate(query, range, known);
    knownTotals.want(query, { range, known, caller: firstCaller(call) });
    if (path?.reversed === true) this.#backwards.count(true);
    // A page past the end has no rows that could have a version.
    const read =
      path === undefined
        ? { json: '[]', rows: 0, version: await knownTotals.versionOf(query).check() }
        : await source.read({ kind: 'page', asked: path }, call);
    knownTotals.versionOf(query).observe(read.version);
    if (read.version !== known.version) return undefined;
    return wholePage(timed(read, started), known.total, range);
  }

  learn({ query }: ListQuestion, found: FoundTotal): void {
    if (query.plan.facts.versioned) this.#parts.knownTotals.learn(query, found);
  }

  async record(question: RecordQuestion, call: ReadCall): Promise<RecordRows | undefined> {
    const { knownTotals, source } = this.#parts;
    const { query, size } = question;
    const statements = query.records;
    if (statements === undefined || !query.plan.facts.versioned) return undefined;
    const known = knownTotals.total(query);
    if (known === undefined) return undefined;
    const checkpoints = knownTotals.checkpoints(query, known);
    const counted = { question, statements, total: known.total };
    const locate = (found: PageRange): RowsStatement | undefined =>
      knownTotals.locate(query, found, known);
    const page = await (checkpoints === undefined
      ? readByCount(source, counted, call)
      : source.inSnapshot(
          query.statements,
          (snapshot) => readRecord(snapshot, { ...counted, checkpoints, locate }),
          { ...call, shape: recordShape(query.statements, true) },
        ));
    knownTotals.versionOf(query).observe(page.version);
    if (page.offset === undefined) return page;
    const range = { size, offset: page.offset };
    if (page.version !== known.version || !isWhole(page, range)) return undefined;
    // A count of many records asks for an index as a deep page does.
    if (checkpoints === undefined)
      knownTotals.want(query, { range, known, caller: firstCaller(call) });
    return page;
  }
}
