import { describe, expect, it, onTestFinished } from 'vitest';

import { ListSource } from '../../test/list-source.ts';
import { callBy, type QuestionFacts, questionOf } from '../../test/page-questions.ts';
import { settled } from '../../test/reader-by-hand.ts';
import { CacheStore } from '../cache-store.ts';
import { ACCELERATION } from './acceleration.ts';
import type { ListQuestion } from './reader.ts';
import { Reading } from './reading.ts';

/** The page at an offset of a list of a hundred records, all of them or those that are filtered. */
function pageAt(offset: bigint, facts: QuestionFacts & { readonly filtered?: boolean } = {}) {
  const { filtered = false, ...rest } = facts;
  const question = questionOf({ offset, ...rest });
  if (filtered) Object.assign(question.query.plan, { condition: { kind: 'filter' } });
  return question;
}

/** The page of a record, which is the fifth. */
function pageOfRecord(): ListQuestion {
  const { query, relations } = questionOf();
  const template = { sql: 'before', parameters: [] };
  const records = {
    usualNulls: [false],
    find: () => ({ sql: 'find', parameters: [] }),
    countBefore: () => template,
    comparison: () => template,
  };
  Object.assign(query, { records });
  const record = {} as never;
  return { key: 'record', query, relations, record, size: 10 };
}

/** What happens between questions. */
type Event = 'write' | 'late';

/** What questions that come one after another cost, and which mechanisms had hits and misses. */
async function costsOf(isFollowed: boolean, questions: readonly (ListQuestion | Event)[]) {
  const lists = new ListSource(isFollowed);
  const settings = { ...ACCELERATION, pageIndexMinOffset: 20, leastCountMs: 0 };
  const store = new CacheStore(settings.memoryBytes);
  const reading = new Reading({ source: lists.source, settings, store });
  onTestFinished(() => reading.close());
  for (const question of questions) {
    if (question === 'write') lists.write();
    else if (question === 'late') lists.isLate = true;
    else await reading.pages.read(question, callBy('a'));
    // What is counted beside the question is known before the next one.
    await settled();
  }
  const used = reading.counters.statistics.filter(({ hits, misses }) => hits + misses > 0);
  const counters = used.map(({ mechanism, hits, misses }) => `${mechanism} ${hits}/${misses}`);
  return [lists.reads.join(), ...counters];
}

interface Case {
  readonly title: string;
  readonly questions: readonly (ListQuestion | Event)[];
  /** Of a database whose changes nobody follows: what it read, and `hits/misses`. */
  readonly unchanged: readonly string[];
  /** Of one whose changes are followed. */
  readonly followed: readonly string[];
}

const CASES: readonly Case[] = [
  {
    title: 'a repeated page',
    questions: [pageAt(0n), pageAt(0n)],
    unchanged: [
      'page',
      'total_cache 0/1',
      'count_batcher 0/1',
      'reply_cache 1/0',
      'single_flight 0/1',
    ],
    followed: [
      'count,page',
      'total_cache 0/1',
      'count_batcher 0/1',
      'followed_total 0/1',
      'reply_cache 1/0',
      'single_flight 0/1',
    ],
  },
  {
    title: 'other pages of a list',
    questions: [pageAt(0n), pageAt(10n), pageAt(90n)],
    unchanged: [
      'page,rows,rows',
      'total_cache 2/1',
      'count_batcher 0/1',
      'read_backwards 1/0',
      'single_flight 0/3',
    ],
    followed: [
      'count,page,rows,rows',
      'total_cache 0/1',
      'count_batcher 0/1',
      'followed_total 2/1',
      'single_flight 0/3',
    ],
  },
  {
    title: 'deep pages',
    questions: [pageAt(0n), pageAt(10n), pageAt(40n), pageAt(50n), pageAt(30n)],
    unchanged: [
      'page,rows,rows,rows,rows',
      'total_cache 4/1',
      'count_batcher 0/1',
      'read_backwards 1/0',
      'page_index 0/3',
      'single_flight 0/5',
    ],
    followed: [
      'count,page,rows,rows,rows,rows',
      'total_cache 3/1',
      'count_batcher 0/1',
      'read_backwards 1/0',
      'page_index 0/3',
      'followed_total 1/1',
      'followed_index 0/3',
      'single_flight 0/5',
    ],
  },
  {
    title: 'pages of a filtered list',
    questions: [0n, 10n, 20n, 30n].map((offset) => pageAt(offset, { filtered: true })),
    unchanged: [
      'page,rows,rows,rows',
      'total_cache 3/1',
      'count_batcher 0/1',
      'page_index 0/2',
      'single_flight 0/4',
    ],
    followed: [
      'count,rows,rows,rows,rows',
      'total_cache 1/1',
      'page_index 0/1',
      'followed_total 3/0',
      'followed_index 0/2',
      'single_flight 0/4',
    ],
  },
  {
    title: 'the page of a record',
    questions: [pageOfRecord(), pageAt(0n), pageAt(10n)],
    unchanged: ['record,rows,rows', 'total_cache 2/0', 'single_flight 0/3'],
    followed: ['count,record,rows,rows', 'followed_total 2/0', 'single_flight 0/3'],
  },
  {
    title: 'the page of a record whose list is known',
    questions: [pageAt(0n), pageAt(10n), pageOfRecord()],
    unchanged: [
      'page,rows,record',
      'total_cache 1/1',
      'count_batcher 0/1',
      'page_index 0/1',
      'single_flight 0/3',
    ],
    followed: [
      'count,page,rows,rows',
      'total_cache 0/1',
      'count_batcher 0/1',
      'followed_total 1/1',
      'followed_index 0/1',
      'single_flight 0/3',
    ],
  },
  {
    title: 'a page without a total',
    questions: [
      { ...pageAt(0n), countLimit: 0 },
      pageAt(10n),
      { ...pageAt(20n), key: 'bounded', countLimit: 0 },
    ],
    unchanged: [
      'bounded,page,rows',
      'total_cache 0/1',
      'count_batcher 0/1',
      'page_index 0/1',
      'single_flight 0/3',
    ],
    followed: [
      'bounded,count,page,rows',
      'total_cache 0/1',
      'count_batcher 0/1',
      'followed_total 0/1',
      'single_flight 0/3',
    ],
  },
  {
    title: 'pages beside a write',
    questions: [pageAt(0n), pageAt(10n), 'write', pageAt(10n), pageAt(20n)],
    unchanged: [
      'page,rows,page,rows',
      'total_cache 2/2',
      'count_batcher 0/1',
      'page_index 0/1',
      'reply_cache 0/1',
      'single_flight 0/4',
    ],
    followed: [
      'count,page,rows,rows,rows',
      'total_cache 0/2',
      'count_batcher 0/1',
      'followed_total 3/1',
      'followed_index 0/1',
      'reply_cache 0/1',
      'single_flight 0/4',
    ],
  },
  {
    title: 'deep pages beside a write',
    questions: [pageAt(0n), pageAt(10n), 'write', pageAt(40n), pageAt(50n), pageAt(30n)],
    unchanged: [
      'page,rows,rows,page,rows,rows',
      'total_cache 3/2',
      'count_batcher 0/1',
      'read_backwards 1/0',
      'page_index 0/3',
      'single_flight 0/5',
    ],
    followed: [
      'count,page,rows,rows,rows,rows,rows',
      'total_cache 2/2',
      'count_batcher 0/1',
      'read_backwards 1/0',
      'page_index 0/3',
      'followed_total 2/1',
      'followed_index 0/3',
      'single_flight 0/5',
    ],
  },
  {
    title: 'a deep page without a total',
    questions: [pageAt(0n), pageAt(10n), { ...pageAt(40n), key: 'bounded', countLimit: 0 }],
    unchanged: [
      'page,rows,rows',
      'total_cache 1/1',
      'count_batcher 0/1',
      'page_index 0/1',
      'single_flight 0/3',
    ],
    followed: [
      'count,page,rows,rows',
      'total_cache 0/1',
      'count_batcher 0/1',
      'followed_total 1/1',
      'single_flight 0/3',
    ],
  },
  {
    title: 'pages while the changes are late',
    questions: [pageAt(0n), pageAt(10n), 'late', pageAt(20n), 'write', pageAt(10n)],
    unchanged: [
      'page,rows,rows,page',
      'total_cache 2/2',
      'count_batcher 0/1',
      'page_index 0/1',
      'reply_cache 0/1',
      'single_flight 0/4',
    ],
    followed: [
      'count,page,rows,rows,rows,page',
      'total_cache 1/2',
      'count_batcher 0/1',
      'page_index 0/1',
      'followed_total 1/2',
      'followed_index 0/1',
      'reply_cache 0/1',
      'single_flight 0/4',
    ],
  },
  {
    title: 'pages of a relation without versions',
    questions: [0n, 10n].map((offset) => pageAt(offset, { versioned: false })),
    unchanged: ['page,page', 'count_batcher 0/1', 'single_flight 0/2'],
    followed: ['page,page', 'count_batcher 0/1', 'single_flight 0/2'],
  },
];

describe('what is read, and which mechanisms have hits and misses, when callers ask for', () => {
  it.each(CASES)('$title', async ({ questions, unchanged, followed }) => {
    expect(await costsOf(false, questions)).toEqual(unchanged);
    expect(await costsOf(true, questions)).toEqual(followed);
  });
});
