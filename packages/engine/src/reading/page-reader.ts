import { waitOrAbort } from '../deadline.ts';
import { firstCaller } from '../sources/callers.ts';
import { withBoundedTotal } from '../sources/reads/page.ts';
import { NOT_IN_LIST, withPlace } from '../sources/reads/record.ts';
import type { BoundedRows, PageRows, ReadCall, Reads, RecordRows } from '../sources/source.ts';
import { Digest } from './digest.ts';
import type { FoundTotal } from './found-total.ts';
import type { KnownLists, KnownPath } from './known-lists.ts';
import type { FoundPage, ListQuestion, PageQuestion, Reader, RecordQuestion } from './reader.ts';
import { readByCount } from './records/read-record.ts';
import { useOf } from './session-use.ts';
import { pageTooLarge } from './too-large.ts';

/** A page with its digest. */
export type DigestedPage = FoundPage & { readonly digest: Digest };

/** What pages are read with. */
export interface PageReaderParts {
  readonly source: Reads<'page' | 'record'>;
  /** Lists whose totals are known, the quickest first; none where totals are not kept. */
  readonly lists: readonly KnownLists[];
  /** Reads pages whose totals are not known. */
  readonly counted: Reader<PageQuestion, PageRows>;
}

/** The paths that are tried first. `unknown` is among them only to be counted as a miss. */
const QUICK: readonly KnownPath[] = ['quick', 'unknown'];

/** Tried next: the page still takes no count. */
const LONG: readonly KnownPath[] = ['long'];

/** Paths to a page that is asked for without its whole total: where none is known, it is read. */
const ANY: readonly KnownPath[] = ['quick', 'long'];

/**
 * Chooses how a page is read: by its rows alone where the total of its list is known, or together
 * with as much of the total as is asked for.
 */
export class PageReader implements Reader<ListQuestion, DigestedPage> {
  readonly #parts: PageReaderParts;

  constructor(parts: PageReaderParts) {
    this.#parts = parts;
  }

  /** The page; without a version where its list may change without a change of the version. */
  async read(question: ListQuestion, call: ReadCall): Promise<DigestedPage> {
    const { namesKey, plan } = question.query;
    const page = await this.#read(question, call).catch(pageTooLarge);
    const version = plan.facts.versioned ? page.version : undefined;
    return { ...page, version, digest: new Digest(namesKey, page.json ?? '') };
  }

  #read(question: ListQuestion, call: ReadCall): Promise<FoundPage> {
    if ('record' in question) return this.#pageOfRecord(question, call);
    const { countLimit } = question;
    return countLimit === undefined
      ? this.#pageWithTotal(question, call)
      : this.#boundedPage(question, countLimit, call);
  }

  /** The page that holds a record: place, total and rows are of one snapshot. */
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

  /** The same where one statement has to number the list. */
  async #numberedPage(
    { query, record, size }: RecordQuestion,
    call: ReadCall,
  ): Promise<RecordRows> {
    const range = { size, offset: 0n };
    const asked = { query: query.recordPage(record, size), range, isOfRecord: true };
    return withPlace(size, await this.#parts.source.read({ kind: 'page', asked }, call));
  }

  async #knownPageOf(question: RecordQuestion, call: ReadCall): Promise<RecordRows | undefined> {
    for (const lists of this.#parts.lists) {
      void lists.want(question, call);
      const page = await lists.record(question, call);
      if (page !== undefined) return page;
    }
    return undefined;
  }

  /** A page of which less than the whole total is asked for. */
  async #boundedPage(
    question: PageQuestion,
    countLimit: number,
    call: ReadCall,
  ): Promise<BoundedRows> {
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
    // Where the records are too many for a reply, they prove no total.
    const total = page.json === undefined ? undefined : page.total;
    this.#learn(question, { ...page, total }, call);
    return page;
  }

  async #pageWithTotal(question: PageQuestion, call: ReadCall): Promise<PageRows> {
    const wanted = this.#wanted(question, call);
    if (wanted.length > 0) await waitOrAbort(Promise.all(wanted), call.signal);
    const quick = await this.#knownPage(QUICK, question, call);
    if (quick !== undefined) return quick;
    const long = await this.#knownPage(LONG, question, call);
    const page = long ?? (await this.#parts.counted.read(question, call));
    this.#learn(question, page, call);
    return page;
  }

  /** Resolve when a total is known that is about to be counted; none where another path is. */
  #wanted(question: PageQuestion, call: ReadCall): Promise<void>[] {
    const { lists } = this.#parts;
    const wanted = lists.flatMap((one) => one.want(question, call) ?? []);
    const paths = lists.map((one) => one.pathTo(question));
    return paths.some((path) => path === 'quick' || path === 'long') ? [] : wanted;
  }

  async #knownPage(
    paths: readonly KnownPath[],
    question: PageQuestion,
    call: ReadCall,
  ): Promise<PageRows | undefined> {
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

  /** Lets later pages of the list do without a count, where this read found the total. */
  #learn(question: ListQuestion, { total, version }: FoundTotal, call: ReadCall): void {
    const found = { total, version, foundFor: firstCaller(call) };
    for (const lists of this.#parts.lists) lists.learn(question, found);
  }
}
