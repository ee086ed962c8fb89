import { QueryFailedError } from '../errors.ts';
import type { Checkpoints } from '../sources/followed.ts';
import { NOT_IN_LIST } from '../sources/record.ts';
import type { AskedRecord, ReadCall, RecordRows, Snapshot, Source } from '../sources/source.ts';
import { recordShape } from '../sources/statement-shape.ts';
import type { PageRange, RowsStatement } from '../sql/query-statements.ts';
import type { RecordStatements } from '../sql/record-statements.ts';
import type { CachedTotal } from './facts.ts';
import type { FollowedPages } from './followed-pages.ts';
import type { Knowledge } from './knowledge.ts';
import type { FoundPage, ListQuestion, PageQuestion, Reader, RecordQuestion } from './reader.ts';
import { isWhole, readRecord } from './read-record.ts';
import { isTooLarge, TOO_LARGE } from './too-large.ts';

/** What pages are found by that are named by a record. */
export interface RecordReaderParts {
  readonly source: Pick<Source, 'readRecord' | 'readTogether' | 'readRecordPage'>;
  readonly knowledge: Knowledge;
  /** Whether totals are kept. */
  readonly keepsTotals: boolean;
  /** Undefined where no changes are followed, or totals are not kept. */
  readonly followed: Pick<FollowedPages, 'follows' | 'knowsTotal' | 'readRecord'> | undefined;
}

/** How often values may become NULL, or no longer be, before the page of their record is read. */
const MAX_ATTEMPTS = 5;

/** A question, and what its record is found by. */
interface Asked {
  readonly question: RecordQuestion;
  readonly statements: RecordStatements;
}

interface AskedAlong extends Asked {
  readonly known: CachedTotal;
  readonly checkpoints: Checkpoints;
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
      return page.offset === undefined ? NOT_IN_LIST : this.#learned(question, page);
    } catch (error) {
      if (isTooLarge(error)) return TOO_LARGE;
      throw error;
    }
  }

  async #read(question: RecordQuestion, call: ReadCall): Promise<RecordRows> {
    const statements = question.query.records;
    if (statements === undefined) return this.#readAtOnce(question, call);
    const asked = { question, statements };
    const known =
      (await this.#readFollowed(question, call)) ?? (await this.#readKnown(asked, call));
    return known ?? this.#readAnew({ ...asked, total: undefined }, call);
  }

  /** Of data without versions nothing is known for the next read. */
  #learned({ query }: RecordQuestion, page: RecordRows): RecordRows {
    if (!query.plan.model.versioned) return { ...page, version: undefined };
    this.#parts.knowledge.learn(query, page);
    return page;
  }

  async #readFollowed(question: RecordQuestion, call: ReadCall): Promise<RecordRows | undefined> {
    const { followed } = this.#parts;
    const isKnown = followed?.follows(question) === true && followed.knowsTotal(question);
    return isKnown ? followed.readRecord(question, call) : undefined;
  }

  /** The page of a total that is known; undefined where the data has changed since. */
  async #readKnown(asked: Asked, call: ReadCall): Promise<RecordRows | undefined> {
    const { knowledge, keepsTotals } = this.#parts;
    const { query, size } = asked.question;
    if (!keepsTotals || !query.plan.model.versioned) return undefined;
    const known = knowledge.total(query);
    if (known === undefined) return undefined;
    const checkpoints = knowledge.checkpoints(query, known);
    const page = await (checkpoints === undefined
      ? this.#readAnew({ ...asked, total: known.total }, call)
      : this.#readAlong({ ...asked, known, checkpoints }, call));
    knowledge.observe(query, page.version);
    if (page.offset === undefined) return page;
    const isCurrent = page.version === known.version && isWhole(page, size);
    // A page that is found by a count of many records asks for an index as any deep page does.
    if (isCurrent && checkpoints === undefined)
      knowledge.locate(query, { size, offset: page.offset }, known);
    return isCurrent ? page : undefined;
  }

  /** The place is found by keys along the list, few records before it being counted. */
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
    return source.readTogether(query.statements, work, { ...call, shape });
  }

  async #readAnew(
    { question, statements, total }: Asked & Pick<AskedRecord, 'total'>,
    call: ReadCall,
  ): Promise<RecordRows> {
    const { query, record, size } = question;
    const list = query.statements;
    const find = statements.find(record);
    const shaped = { ...call, shape: recordShape(list, false) };
    let nulls = statements.usualNulls;
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      const before = { nulls, template: statements.countBefore({ record: nulls }) };
      const asked = { query: list, size, find, before, total };
      const { otherNulls, ...page } = await this.#parts.source.readRecord(asked, shaped);
      if (otherNulls === undefined) return page;
      statements.usualNulls = nulls = otherNulls;
    }
    const message = 'A value of the record became NULL faster than its page could be read.';
    throw new QueryFailedError('database_unavailable', message);
  }

  async #readAtOnce({ query, record, size }: RecordQuestion, call: ReadCall): Promise<RecordRows> {
    const { source } = this.#parts;
    if (source.readRecordPage === undefined)
      throw new Error('Every list of this database is read in a snapshot, and by its keys.');
    return source.readRecordPage(query.recordPage(record, size), call);
  }
}
