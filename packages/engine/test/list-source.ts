import { setImmediate } from 'node:timers/promises';

import { unversioned } from '../src/sources/reads/snapshot.ts';
import type {
  DataVersionSource,
  FollowedCall,
  KeySnapshot,
  MomentWork,
  PageRows,
  RelationMoment,
  RowsRead,
  Source,
  Versioned,
} from '../src/sources/source.ts';
import type { RelationPath } from '../src/catalogue/relation.ts';
import type { PageRange } from '../src/sql/query-statements.ts';
import { foundOf } from './page-questions.ts';
import { readsBy } from './reads-by.ts';

/** Where the record is that is asked for. */
const RECORD_PAGE = 40n;

/** A list without rows: how many there are, its version, and whether its changes are followed. */
export class ListSource {
  readonly isFollowed: boolean;
  /** What was read, one word for each read. */
  readonly reads: string[] = [];
  /** Whether what is known of the changes is behind the data. */
  isLate = false;
  #total = 100n;
  #writes = 0;
  #knowsTotal = false;

  constructor(isFollowed: boolean) {
    this.isFollowed = isFollowed;
  }

  write(): void {
    this.#total += 1n;
    this.#writes += 1;
  }

  /** The database as links see it. */
  get source(): Source {
    const reads = readsBy<'page' | 'pages' | 'record' | 'sort' | 'keys'>({
      page: async ({ range, countLimit }) => {
        const found = foundOf(this.#page(countLimit === undefined ? 'page' : 'bounded', range));
        // One record more shows that another page follows.
        return countLimit === undefined ? found : { ...found, rows: found.rows + 1 };
      },
      pages: async (pages) => ({
        pages: pages.map(({ range }) => foundOf(this.#page('batch', range))),
        version: this.#version,
      }),
      record: async () => ({
        ...this.#page('record', { size: 10, offset: RECORD_PAGE }),
        offset: RECORD_PAGE,
      }),
      rows: async ({ bindings }) => ({
        ...this.#rows('rows', bindings),
        ...(this.#isKnown && { followedTotal: this.#total }),
      }),
      sort: async () => unversioned({ rows: 0, rowBytes: 1, memoryBytes: 1 }),
      keys: (_keys, { signal }) => untilAborted(signal),
    });
    const versions: DataVersionSource = {
      scopeOf: ([[name = ''] = []]) => (this.isFollowed ? name : ''),
      current: async () => this.#version,
      shared: (version) => version,
    };
    const knowsTotal = (): boolean => this.#knowsTotal;
    const during = this.#during.bind(this);
    const followed = this.isFollowed && {
      changes: { followed: { follows: () => true, knowsTotal, during } },
    };
    return { ...reads, versions, ...followed } as unknown as Source;
  }

  get #version(): string {
    return `version ${this.#writes}`;
  }

  get #isKnown(): boolean {
    return this.isFollowed && this.#knowsTotal && !this.isLate;
  }

  #rows(kind: string, { size, offset }: PageRange): RowsRead {
    this.reads.push(kind);
    const rest = Number(this.#total - offset);
    return { json: '[]', rows: Math.max(0, Math.min(size, rest)), version: this.#version };
  }

  #page(kind: string, range: PageRange): PageRows {
    const milliseconds = { rows: 1, count: 1 };
    return { ...this.#rows(kind, range), total: this.#total, milliseconds };
  }

  async #during<Read extends Versioned>(
    _relation: RelationPath,
    work: MomentWork<Read>,
    _call: FollowedCall,
  ): Promise<Read | undefined> {
    if (this.isLate) return undefined;
    const snapshot = {
      rows: async ({ bindings }: { readonly bindings: PageRange }) => this.#rows('rows', bindings),
      row: async () => ['key'],
      count: async (_count: unknown, isCommon?: boolean) => {
        if (isCommon === undefined) this.reads.push('count');
        return isCommon === undefined ? this.#total : RECORD_PAGE;
      },
      estimateSort: async () => ({ rows: Infinity }),
    } as unknown as KeySnapshot;
    const moment = {
      version: this.#version,
      total: async () => (this.#knowsTotal ? this.#total : undefined),
      countLists: async (conditions: readonly unknown[]) => {
        this.reads.push('count');
        // Counting takes longer than a page of rows that is read meanwhile.
        await setImmediate();
        this.#knowsTotal = true;
        return conditions.map(() => 'known' as const);
      },
      index: async () => undefined,
      beginIndex: async () => false,
    } satisfies RelationMoment;
    return work(snapshot, moment);
  }
}

function untilAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason));
  });
}
