import { firstCaller } from '../sources/callers.ts';
import { NOT_IN_LIST } from '../sources/reads/record.ts';
import type { ReadCall, Reads, RecordRows } from '../sources/source.ts';
import type { Knowledge } from './unchanged/knowledge.ts';
import type { KnownLists } from './known-lists.ts';
import type { FoundPage, ListQuestion, PageQuestion, Reader, RecordQuestion } from './reader.ts';
import { readByCount } from './records/record-counts.ts';
import { isTooLarge, TOO_LARGE } from './too-large.ts';

/** What pages are read with that a request names by a record (`page.containing`). */
export interface RecordReaderParts {
  readonly source: Reads<'record' | 'recordPage'>;
  readonly knowledge: Knowledge;
  readonly lists: readonly KnownLists[];
}

/** Answers questions for the page of a record; place, total and rows are of one snapshot. */
export class RecordReader implements Reader<ListQuestion, FoundPage> {
  readonly #parts: RecordReaderParts;
  readonly #next: Reader<PageQuestion, FoundPage>;

  constructor(parts: RecordReaderParts, next: Reader<PageQuestion, FoundPage>) {
    this.#parts = parts;
    this.#next = next;
  }

  async read(question: ListQuestion, call: ReadCall): Promise<FoundPage> {
    if (!('record' in question)) return this.#next.read(question, call);
    try {
      const page = await this.#read(question, call);
      return page.offset === undefined ? NOT_IN_LIST : this.#learned(question, page, call);
    } catch (error) {
      if (isTooLarge(error)) return TOO_LARGE;
      throw error;
    }
  }

  async #read(question: RecordQuestion, call: ReadCall): Promise<RecordRows> {
    const statements = question.query.records;
    if (statements === undefined) return this.#readAtOnce(question, call);
    for (const lists of this.#parts.lists) {
      void lists.want(question, call);
      const known = await lists.record(question, call);
      if (known !== undefined) return known;
    }
    return readByCount(this.#parts.source, { question, statements, total: undefined }, call);
  }

  /** Keeps the total for the next read, unless the data has no version. */
  #learned({ query }: RecordQuestion, page: RecordRows, call: ReadCall): RecordRows {
    if (!query.plan.facts.versioned) return { ...page, version: undefined };
    const { total, version } = page;
    this.#parts.knowledge.learn(query, { total, version, foundFor: firstCaller(call) });
    return page;
  }

  async #readAtOnce({ query, record, size }: RecordQuestion, call: ReadCall): Promise<RecordRows> {
    const asked = query.recordPage(record, size);
    return this.#parts.source.read({ kind: 'recordPage', asked }, call);
  }
}
