import { beforeEach, describe, expect, it } from 'vitest';

import { History } from './history.ts';
import { Oracle, type Reply } from './oracle.ts';
import { EVERYBODY, type Request } from './requests.ts';
import type { Edit } from './world.ts';

const REQUEST: Request = {
  question: {
    audience: EVERYBODY,
    model: 'owners',
    attributes: ['title'],
    filter: undefined,
    sort: [],
  },
  page: 1,
  size: 7,
  total: 'exact',
};

/** What an engine gives whose owners have these titles. */
function reply(...titles: string[]): Reply {
  const result = JSON.stringify(titles.map((title) => ({ title })));
  return { result, page: { page: '1', size: '7', total: String(titles.length), has_next: false } };
}

describe('a reply', () => {
  let history: History;
  let oracle: Oracle;

  /** The next owner comes. */
  function begin(title: string): void {
    history.begin([come(history.rows('owners').size + 1, title)]);
  }

  function commit(title: string): void {
    begin(title);
    history.acknowledge();
  }

  /** Asks, lets something happen meanwhile, and gets this. */
  function ask(
    titles: readonly string[],
    meanwhile: () => void = () => undefined,
  ): 'true' | 'wrong' {
    const close = history.open();
    meanwhile();
    return oracle.check(REQUEST, reply(...titles), close()) === undefined ? 'true' : 'wrong';
  }

  beforeEach(() => {
    history = new History();
    oracle = new Oracle(history);
    commit('ash');
  });

  it('is true when it shows what was committed before the request', () => {
    expect(ask(['ash'])).toBe('true');
  });

  it('is wrong when it does not show what was committed before the request', () => {
    commit('birch');
    expect(ask(['ash'])).toBe('wrong');
  });

  it('may show what is committed while the request is under way, or not yet', () => {
    expect(ask(['ash'], () => commit('birch'))).toBe('true');
    expect(ask(['ash', 'birch'])).toBe('true');
    expect(ask(['ash', 'birch', 'cedar'], () => begin('cedar'))).toBe('true');
  });

  it('may show a commit that is under way, but none that begins later', () => {
    begin('birch');
    expect(ask(['ash', 'birch'])).toBe('true');
    expect(ask(['ash', 'birch', 'cedar'])).toBe('wrong');
  });

  it('must not go back behind what another reply has shown before the request', () => {
    begin('birch');
    expect(ask(['ash'])).toBe('true');
    expect(ask(['ash', 'birch'])).toBe('true');
    expect(ask(['ash'])).toBe('wrong');
  });

  it('may show less than another reply that came while it was under way', () => {
    begin('birch');
    expect(ask(['ash'], () => expect(ask(['ash', 'birch'])).toBe('true'))).toBe('true');
  });

  it('must show one state: neither parts of two nor the rows of one with the total of the other', () => {
    const close = history.open();
    begin('birch');
    const { page } = reply('ash');
    expect(oracle.check(REQUEST, { ...reply('ash', 'birch'), page }, close())).toMatchObject({
      totals: ['1', '2'],
      shows: undefined,
    });
    expect(ask(['birch'])).toBe('wrong');
  });

  it('that is stale is reported with the state that it shows', () => {
    commit('birch');
    commit('cedar');
    const mismatch = oracle.check(REQUEST, reply('ash', 'birch'), history.open()());
    expect(mismatch).toMatchObject({
      window: { oldest: 3, newest: 3 },
      shows: 2,
      expected: reply('ash', 'birch', 'cedar'),
    });
  });

  it('can be compared after thousands of commits, which are not all kept', () => {
    const ash = come(1, 'ash');
    for (let count = 0; count < 5000; count++) {
      for (const edit of [{ table: 'owners', before: ash.after, after: undefined } as const, ash]) {
        history.begin([edit]);
        history.acknowledge();
      }
    }
    expect(ask(['ash'])).toBe('true');
    expect(history.oldest).toBeGreaterThan(0);
  });
});

function come(id: number, title: string): Edit {
  return { table: 'owners', before: undefined, after: { id, title } };
}
