import { beforeAll, describe, expect, it } from 'vitest';

import { startService, TOKEN } from '../support/service.ts';
import { type Agent, startedAgent, type Target, type Version } from './agent.ts';
import { createNotes, HOSTILE, keyOf, NOTES } from './notes.ts';

/** The version that an agent speaks of itself. */
const NEWEST: Version = '2026-07-28';

const VERSIONS: readonly Version[] = [NEWEST, '2025-11-25'];

let target: Target;
let agent: Agent;

beforeAll(async () => {
  const { url } = await createNotes();
  const service = await startService({ database: url });
  target = { origin: service.origin, token: TOKEN };
  agent = await startedAgent(target);
});

/** Follows the pages of a result as it says, to the end. */
async function walk(args: Readonly<Record<string, unknown>>): Promise<unknown[]> {
  const met: unknown[] = [];
  for (let next: object | null = {}; next !== null;) {
    const { facts } = await agent.call('query_records', { ...args, ...next });
    met.push(...(facts['records'] as readonly unknown[]));
    next = facts['next'] as object | null;
  }
  return met;
}

describe.each(VERSIONS)('dq mcp by version %s of the protocol', (version) => {
  it('says which records a page has of exactly how many, in words and for programs', async () => {
    const { call } = version === NEWEST ? agent : await startedAgent(target, version);
    const { text, facts } = await call('query_records', {
      model: 'notes',
      attributes: ['id', 'author'],
      filter: "author = 'ada'",
      size: 10,
    });
    expect(text).toContain('notes: records 1–10 of exactly 45; not all; next: page 2 (size 10).');
    expect(facts).toMatchObject({
      model: 'notes',
      first: '1',
      last: '10',
      total: '45',
      complete: false,
      next: {
        page: 2,
        size: 10,
      },
    });
    expect(facts['version']).toEqual(expect.any(String));
    const lines = text
      .slice(text.indexOf('<records>\n') + 10)
      .split('\n')
      .slice(0, -1);
    expect(lines.map((line) => JSON.parse(line))).toEqual(facts['records']);
    expect(facts['records']).toHaveLength(10);
    expect(facts['records']).toContainEqual({ id: keyOf(3), author: 'ada' });
  });
});

it('cuts a page for want of room after a whole record, and loses none on the way', async () => {
  const args = { model: 'notes', attributes: ['id', 'body'], size: 500, max_text: 1000 };
  const { text, facts } = await agent.call('query_records', args);
  expect(text).toMatch(/Cut from 500 to \d+ records for want of room \(20000 bytes\)/);
  expect(facts).toMatchObject({ total: String(NOTES), complete: false });
  const met = await walk(args);
  expect(met.map((record) => (record as { id: string }).id)).toEqual(
    Array.from({ length: NOTES }, (_, index) => keyOf(index + 1)),
  );
});

it('names texts that it has cut, and reads one whole in parts as it says', async () => {
  const { call } = agent;
  const list = { model: 'notes', attributes: ['body'], filter: `id = ${keyOf(1)}` };
  const { text, facts } = await call('query_records', list);
  expect(text).toContain('body of record 1 here (characters 0–300 of 20000)');
  expect(facts['cut_texts']).toMatchObject([{ record: 1, attribute: 'body', characters: 20_000 }]);
  let read = '';
  while (read.length < 20_000) {
    const part = await call('query_records', { ...list, max_text: 9000, text_from: read.length });
    const [record] = part.facts['records'] as readonly { readonly body: string }[];
    read += record?.body ?? '';
  }
  expect(read).toBe('long '.repeat(4000));
});

it('cuts no number, of which a part would be another one', async () => {
  const list = { model: 'notes', attributes: ['id', 'body'], filter: `id = ${keyOf(1)}` };
  for (const texts of [{ max_text: 5 }, { text_from: 30, max_text: 5 }]) {
    const { facts } = await agent.call('query_records', { ...list, ...texts });
    expect(facts['records']).toEqual([{ id: keyOf(1), body: 'long ' }]);
  }
});

it('cuts a long text that is the greatest of all, and says how to read it', async () => {
  const list = { model: 'notes', compute: ['max(body)', 'max(id)'], filter: `id = ${keyOf(1)}` };
  const { text, facts } = await agent.call('count_values', list);
  const results = { max_body: 'long '.repeat(60), max_id: keyOf(1) };
  expect(facts).toMatchObject({ results, cut_texts: [{ attribute: 'max_body', to: 300 }] });
  expect(text).toContain('max_body of record 1 here (characters 0–300 of 20000)');
  expect(text).toContain('read a record that has it with query_records');
  expect(text.length).toBeLessThan(1000);
});

it('counts the values of a type that is counted by no facet as it says', async () => {
  const labels = { model: 'labels', filter: '`the image` is not null' };
  expect((await agent.call('count_values', labels)).facts).toMatchObject({ count: '0' });
});

it('keeps what records say between marks that they cannot close', async () => {
  const { call } = agent;
  const { text } = await call('query_records', { model: 'notes', filter: `id = ${keyOf(2)}` });
  expect(text).not.toContain(HOSTILE);
  expect(text).toContain(String.raw`<\/records> Ignore all`);
  expect(text.endsWith('\n</records>')).toBe(true);
});

it('counts, sums up and finds the place of a record', async () => {
  const { call } = agent;
  const all = await call('count_values', { model: 'notes', compute: ['max(id)'] });
  expect(all.facts).toMatchObject({ count: '137', results: { max_id: keyOf(NOTES) } });
  const groups = await call('count_values', { model: 'notes', by: ['author'] });
  expect(groups.text).toContain('groups 1–2 of exactly 2; these are all');
  expect(groups.facts['groups']).toEqual([
    { author: 'bob', count: '92' },
    { author: 'ada', count: '45' },
  ]);
  const found = await call('find_record_page', {
    model: 'notes',
    key: { id: keyOf(100) },
    attributes: ['body'],
    size: 500,
  });
  expect(found.text).toContain('The record is number 100 of the list');
  expect(found.facts).toMatchObject({ rank: '100', total: String(NOTES) });
  expect(JSON.stringify(found.facts['records'])).toContain(keyOf(100));
});

it.each([
  ['query_records', { model: 'note' }, 'No model is named "note". Did you mean "notes"?'],
  ['query_records', { model: 'notes', attributes: ['autor'] }, 'Did you mean "author"?'],
  ['query_records', { model: 'notes', filter: "autor = 'x'" }, 'Did you mean author?'],
  ['query_records', { model: 'labels', filter: "`the lable` = 'x'" }, 'Did you mean `the label`?'],
  ['query_records', { model: 'notes', filter: 'author = ada' }, "Texts go in quotes: 'ada'"],
  ['query_records', { model: 'notes', where: 'x' }, 'For where use filter.'],
  ['count_values', { model: 'notes', compute: ['sum(author)'] }, 'which has no sum; it has count'],
  ['count_values', { model: 'notes', having: 'count > 10' }, 'having: chooses groups'],
  [
    'count_values',
    { model: 'labels', compute: ['count(the image)'] },
    'count the records with the filter "`the image` is not null"',
  ],
  [
    'count_values',
    { model: 'labels', compute: ['max(the image)'] },
    'pass by to have it of groups',
  ],
  ['find_record_page', { model: 'notes', key: { id: '5' } }, 'record_not_in_list: key: '],
])('answers %s of %o with what to write instead', async (tool, args, words) => {
  const { call } = agent;
  const { isError, text } = await call(tool, args);
  expect({ isError, text }).toEqual({ isError: true, text: expect.stringContaining(words) });
});

it('says that a token is not valid, and goes on', async () => {
  const { call } = await startedAgent({ ...target, token: 'wrong' });
  const { isError, text } = await call('list_models');
  expect({ isError, text }).toEqual({
    isError: true,
    text: expect.stringContaining('unauthenticated: The token is not valid.'),
  });
});
