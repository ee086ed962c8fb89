import { describe, expect, it } from 'vitest';

import { readsBy } from '../../test/reads-by.ts';
import { callBy, pageOf, type QuestionFacts, questionOf } from '../../test/page-questions.ts';
import { QueryFailedError } from '../errors.ts';
import type { PageRows } from '../sources/source.ts';
import { MechanismCounters } from './cache-stats.ts';
import { SnapshotReader } from './snapshot-reader.ts';

const TOO_LARGE = new QueryFailedError('reply_too_large', 'It is too large.');
const BROKEN = new QueryFailedError('data_error', 'It is broken.');

type PageResult = PageRows | Error;

/** A reader of a source with these pages, by their sizes; what it was asked, and for whom. */
function startReader(pages: Readonly<Record<number, PageResult>>, batch?: PageResult[] | Error) {
  const asked: unknown[] = [];
  const counters = new MechanismCounters();
  const source = readsBy<'page' | 'pages'>({
    page: async ({ query, range }, call) => {
      asked.push({ query, range, call });
      return orThrow(pages[range.size]);
    },
    pages: async (list, call) => {
      asked.push({ list, call });
      if (batch instanceof Error) throw batch;
      const read = (batch ?? []).map(orThrow);
      return { pages: read, version: read[0]?.version };
    },
  });
  const proofs = () =>
    counters.statistics.find(({ mechanism }) => mechanism === 'short_page_proof')?.hits;
  return { reader: new SnapshotReader(source, counters), asked, proofs };
}

function orThrow(result: PageResult | undefined): PageRows {
  if (result === undefined || result instanceof Error) throw result ?? new Error('No such page.');
  return result;
}

describe('a page', () => {
  it('is read by the statements of its query, for the call', async () => {
    const { reader, asked } = startReader({ 10: pageOf({ json: '[7]' }) });
    const [question, call] = [questionOf({ offset: 20n }), callBy('a')];
    expect(await reader.read(question, call)).toEqual(pageOf({ json: '[7]' }));
    expect(asked).toEqual([
      { query: question.query.statements, range: { size: 10, offset: 20n }, call },
    ]);
  });

  it('of a relation without versions has none, whatever the source reports', async () => {
    const { reader } = startReader({ 10: pageOf() }, [pageOf()]);
    const question = questionOf({ versioned: false });
    expect(await reader.read(question, callBy())).toEqual(pageOf({ version: undefined }));
    expect(await reader.readBatch([question], callBy())).toEqual([pageOf({ version: undefined })]);
  });

  it('that is too large for the database has no records, no total and no version', async () => {
    const { reader, proofs } = startReader({ 10: TOO_LARGE });
    expect(await reader.read(questionOf(), callBy())).toMatchObject({
      json: undefined,
      rows: 0,
      total: 0n,
      version: undefined,
      milliseconds: { rows: 0, count: 0 },
    });
    expect(proofs()).toBe(0);
  });

  it('that cannot be read fails as the source does', async () => {
    const { reader } = startReader({ 10: BROKEN }, BROKEN);
    await expect(reader.read(questionOf(), callBy())).rejects.toBe(BROKEN);
    await expect(reader.readBatch([questionOf()], callBy())).rejects.toBe(BROKEN);
  });

  it('is not read by itself where its batch fails for another reason than its size', async () => {
    const { reader } = startReader({ 10: pageOf() }, BROKEN);
    await expect(reader.readBatch([questionOf()], callBy())).rejects.toBe(BROKEN);
  });
});

describe('the proof of a total by a page that is not full', () => {
  it.each<{ when: string; rows: number; facts: QuestionFacts; proofs: number }>([
    { when: 'a page has fewer records than asked for', rows: 9, facts: { offset: 7n }, proofs: 1 },
    { when: 'a full page', rows: 10, facts: {}, proofs: 0 },
    { when: 'the first page is empty', rows: 0, facts: {}, proofs: 1 },
    { when: 'a later page is empty', rows: 0, facts: { offset: 7n }, proofs: 0 },
    { when: 'the proof is switched off', rows: 9, facts: { shortPageProof: false }, proofs: 0 },
  ])('is counted $proofs times when $when', async ({ rows, facts, proofs: expected }) => {
    const { reader, proofs } = startReader({ 10: pageOf({ rows }) });
    await reader.read(questionOf(facts), callBy());
    expect(proofs()).toBe(expected);
  });
});

describe('a batch', () => {
  it('is read from one snapshot, for the call', async () => {
    const [one, other] = [pageOf({ json: '[1]' }), pageOf({ json: '[2]' })];
    const { reader, asked } = startReader({}, [one, other]);
    const [questions, call] = [[questionOf(), questionOf({ offset: 10n })], callBy('a')];
    expect(await reader.readBatch(questions, call)).toEqual([one, other]);
    const list = questions.map(({ query, range }) => ({ query: query.statements, range }));
    expect(asked).toEqual([{ list, call }]);
  });

  it('with a page that is too large is read page by page, so that the others are answered', async () => {
    const { reader } = startReader({ 1: pageOf({ rows: 1 }), 2: TOO_LARGE }, TOO_LARGE);
    const questions = [questionOf({ size: 1 }), questionOf({ size: 2 })];
    expect(await reader.readBatch(questions, callBy())).toMatchObject([
      { rows: 1, total: 100n },
      { json: undefined },
    ]);
  });
});
