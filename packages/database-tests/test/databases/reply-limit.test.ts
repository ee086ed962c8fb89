import { type Engine, EVERYTHING, InvalidQueryError } from '@proj/engine';
import { afterEach, describe, expect, it } from 'vitest';

import { fixturesOf } from '../fixtures/index.ts';
import { open } from '../open.ts';
import { bodyOf } from './everywhere.ts';
import { createTable, modelSettings, type Table } from './tables.ts';

const FIXTURES = fixturesOf(import.meta.filename);

/** Row 7 is much longer than the others. */
const NOTES: Table = {
  name: 'notes',
  columns: { n: 'int64', note: 'text' },
  rows: Array.from({ length: 60 }, (_, index) => [
    index + 1,
    index === 6 ? 'ü'.repeat(3900) : `Zürich ${index}`,
  ]),
};

/** What one page of this table takes as JSON. */
function bytesOf(rows: number): number {
  const records = NOTES.rows.slice(0, rows).map(([, note]) => ({ note }));
  return Buffer.byteLength(JSON.stringify(records));
}

const pageOf = (size: number, page = 1): unknown =>
  bodyOf({ model: NOTES.name, attributes: ['note'], size, page });

async function answer(engine: Engine, body: unknown): Promise<string> {
  try {
    return `${(await engine.query(body, EVERYTHING)).facts.rows} records`;
  } catch (error) {
    if (!(error instanceof InvalidQueryError)) throw error;
    return error.errors.map(({ pointer, code, maximum }) => `${pointer} ${code} ${maximum}`).join();
  }
}

describe.each(FIXTURES)('a page on $name', (fixture) => {
  const opened: Engine[] = [];
  afterEach(() => Promise.all(opened.splice(0).map((engine) => engine.close())));

  async function withLimit(maxReplyBytes: number): Promise<Engine> {
    const database = await fixture.create();
    await createTable(fixture, database, NOTES);
    const engine = await open(database.url, {
      models: modelSettings(fixture, [NOTES]),
      maxReplyBytes,
    });
    opened.push(engine);
    return engine;
  }

  it('is answered while its records take exactly as many bytes as a reply may, and refused for one byte more', async () => {
    const bytes = bytesOf(5);
    const engine = await withLimit(bytes);
    expect(await answer(engine, pageOf(5))).toBe('5 records');
    expect(await answer(engine, pageOf(6))).toBe(`/page/size reply_too_large ${bytes}`);
    expect(await answer(engine, pageOf(6))).toBe(`/page/size reply_too_large ${bytes}`);
    expect(await answer(engine, pageOf(5))).toBe('5 records');
  });

  it('is refused from the end of the list and behind a page index as well', async () => {
    const engine = await withLimit(1000);
    for (let time = 0; time < 3; time++) {
      expect(await answer(engine, pageOf(2, 4))).toBe('/page/size reply_too_large 1000');
      expect(await answer(engine, pageOf(2, 30))).toBe('2 records');
      expect(await answer(engine, pageOf(55, 1))).toBe('/page/size reply_too_large 1000');
    }
  });

  it('that is too large costs other callers of the list nothing', async () => {
    const engine = await withLimit(5000);
    const sizes = Array.from({ length: 40 }, (_, index): [number, number] =>
      index % 4 === 0 ? [1, 7] : [3, 10 + (index % 6)],
    );
    const answers = await Promise.all(
      sizes.map(([size, page]) => answer(engine, pageOf(size, page))),
    );
    expect(answers).toEqual(
      sizes.map(([size]) => (size === 1 ? '/page/size reply_too_large 5000' : '3 records')),
    );
  });

  it('whose values are many times the limit is refused, and the next page is answered', async () => {
    const engine = await withLimit(300);
    const pages = Array.from({ length: 8 }, () => answer(engine, pageOf(1, 7)));
    expect(new Set(await Promise.all(pages))).toEqual(new Set(['/page/size reply_too_large 300']));
    expect(await answer(engine, pageOf(1, 8))).toBe('1 records');
  });
});
