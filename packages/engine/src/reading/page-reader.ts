import { waitOrAbort } from '../deadline.ts';
import { firstCaller } from '../sources/read-call.ts';
import { withBoundedTotal } from '../sources/reads/page.ts';
import { NOT_IN_LIST, withPlace } from '../sources/reads/record.ts';
import type { PageRows, ReadCall, Reads, RecordRows } from '../sources/source.ts';
import { digestOf } from './sharing/reply-cache.ts';
import {
  type FoundTotal,
  type KnownLists,
  type KnownPath,
  type FoundPage,
  type ListQuestion,
  type PageQuestion,
  pageTooLarge,
  type Reader,
  type RecordQuestion,
} from './reader.ts';
import { readByCount } from './records/read-record.ts';
import { useOf } from './cache-stats.ts';

export type DigestedPage = FoundPage & { readonly digest: () => string };

export interface PageReaderParts {
  readonly source: Reads<'page' | 'record'>;
  /** The quickest first; none where totals are not kept. */
  readonly lists: readonly KnownLists[];
  readonly counted: Reader<PageQuestion, PageRows>;
}

/** `unknown` only counts as a miss. */
const QUICK: readonly KnownPath[] = ['quick', 'unknown'];
const LONG: readonly KnownPath[] = ['long'];

/** For pages without a whole total: unknown ones are read. */
const ANY: readonly KnownPath[] = ['quick', 'long'];

/** Reads rows alone where the total is known, else with as much of it as asked for. */
export class PageReader implements Reader<ListQuestion, DigestedPage> {
  readonly #parts: PageReaderParts;

  constructor(parts: PageReaderParts) {
    this.#parts = parts;
  }

  /** Without a version where the list may change without one. */
  async read(question: ListQuestion, call: ReadCall): Promise<DigestedPage> {
    const { namesKey, plan } = question.query;
    const page = await this.#read(question, call).catch(pageTooLarge);
    const version = plan.facts.versioned ? page.version : undefined;
    return { ...page, version, digest: digestOf(namesKey, page.json) };
  }

  #read(question: ListQuestion, call: ReadCall): Promise<FoundPage> {
    if ('record' in question) return this.#pageOfRecord(question, call);
    const { countLimit } = question;
    return countLimit === undefined
      ? this.#pageWithTotal(question, call)
      : this.#boundedPage(question, countLimit, call);
  }

  /** Place, total and rows are of one snapshot. */
  async #pageOfRecord(question: RecordQuestion, call: ReadCall): Promise<RecordRows> {
    const { source } = this.#parts;
    const statements = question.query.records;
    const page =
      statements === undefined
        ? await this.#numberedPage(question, call)
        : ((await this.#knownPageOf(question, call)) ??
          (await readByCount(source, { question, statements, total: undefined }, call)));
    if (page.offset === undefined) return NOT_IN_LIST;
    this.#learn(question, page, call);
    return page;
  }

  async #numberedPage({ query, record, size }: RecordQuestion, call: ReadCall) {
    const range = { size, offset: 0n };
    const asked = { query: query.recordPage(record, size), range, isOfRecord: true };
    return withPlace(size, await this.#parts.source.read({ kind: 'page', asked }, call));
  }

  async #knownPageOf(question: RecordQuestion, call: ReadCall): Promise<RecordRows | undefined> {
    for (const lists of this.#parts.lists) {
      void lists.want?.(question, call);
      const page = await lists.record(question, call);
      if (page !== undefined) return page;
    }
    return undefined;
  }

  async #boundedPage(question: PageQuestion, countLimit: number, call: ReadCall) {
    const { query, range } = question;
    for (const lists of this.#parts.lists) {
      const path = lists.pathTo(question);
      if (path === undefined || !ANY.includes(path)) continue;
      const page = await lists.page(question, call);
      if (page !== undefined)
        return { ...page, hasNext: range.offset + BigInt(range.size) < page.total };
    }
    const asked = { query: query.bounded, range, countLimit };
    const found = await this.#parts.source.read({ kind: 'page', asked }, call);
    const page = withBoundedTotal(asked, found);
    // Too many records for a reply prove no total.
    const total = page.json === undefined ? undefined : page.total;
    this.#learn(question, { ...page, total }, call);
    return page;
  }

  async #pageWithTotal(question: PageQuestion, call: ReadCall): Promise<PageRows> {
    const wanted = this.#wanted(question, call);
    if (wanted === undefined) return this.#pageOfAny(question, call);
    const started = performance.now();
    const waitedMs = await waitOrAbort(wanted, call.signal);
    const waited = performance.now() - started;
    const page = await this.#pageOfAny(question, { ...call, waitedMs });
    const { rows, count } = page.milliseconds;
    return { ...page, milliseconds: { rows, count: count + waited } };
  }

  async #pageOfAny(question: PageQuestion, call: ReadCall): Promise<PageRows> {
    const quick = await this.#knownPage(QUICK, question, call);
    if (quick !== undefined) return quick;
    const long = await this.#knownPage(LONG, question, call);
    const page = long ?? (await this.#parts.counted.read(question, call));
    this.#learn(question, page, call);
    return page;
  }

  /** Resolves when a total about to be counted is known; undefined if another path exists. */
  #wanted(question: PageQuestion, call: ReadCall): Promise<number> | undefined {
    const { lists } = this.#parts;
    const wanted = lists.map((one) => one.want?.(question, call));
    const paths = lists.map((one) => one.pathTo(question));
    const isKnown = paths.some((path) => path === 'quick' || path === 'long');
    return isKnown ? undefined : wanted.find((one) => one !== undefined);
  }

  async #knownPage(paths: readonly KnownPath[], question: PageQuestion, call: ReadCall) {
    for (const lists of this.#parts.lists) {
      const path = lists.pathTo(question);
      if (path === undefined || !paths.includes(path)) continue;
      const use = useOf(question.session, lists.foundFor?.(question), call);
      const page = path === 'unknown' ? undefined : await lists.page(question, call);
      lists.counter.count(page !== undefined, use);
      if (page !== undefined) return page;
    }
    return undefined;
  }

  #learn(question: ListQuestion, { total, version }: FoundTotal, call: ReadCall): void {
    const found = { total, version, foundFor: firstCaller(call) };
    for (const lists of this.#parts.lists) lists.learn?.(question, found);
  }
}
