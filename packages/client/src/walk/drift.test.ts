import { afterEach, describe, expect, it, vi } from 'vitest';

import { DriftError, type DriftReport } from '../errors/errors.ts';
import type { OnDrift } from '../options/walk-options.ts';
import { watchDrift } from './drift.ts';

type State = readonly [total: bigint | null, dataVersion: string | null, dataAge?: number];

/** What the watch says after each page. */
function follow(onDrift: OnDrift, ...pages: State[]): unknown[] {
  const watch = watchDrift(onDrift);
  return pages.map(([total, dataVersion, dataAge = null], index) =>
    watch({ number: index + 4, total, dataVersion, dataAge }),
  );
}

afterEach(() => {
  vi.restoreAllMocks();
});

describe('the drift of a walk', () => {
  it.each<[string, State[], unknown[]]>([
    ['nothing can have changed within one page', [[9n, null]], [null]],
    [
      'equal versions prove that nothing did',
      [
        [9n, 'a'],
        [9n, 'a'],
        [9n, 'a'],
      ],
      [null, null, null],
    ],
    [
      'no totals prove nothing, and versions do',
      [
        [null, 'a'],
        [null, 'a'],
        [null, 'b'],
      ],
      [null, null, 'version_changed'],
    ],
    [
      'a total that becomes known is no change',
      [
        [null, 'a'],
        [9n, 'a'],
      ],
      [null, null],
    ],
    [
      'without a version nothing can be excluded',
      [
        [9n, null],
        [9n, null],
      ],
      [null, 'unverifiable'],
    ],
    [
      'nor without the version of one page',
      [
        [9n, 'a'],
        [9n, null],
        [9n, 'a'],
      ],
      [null, 'unverifiable', 'unverifiable'],
    ],
    [
      'nor where a replica answers, which names the same data differently',
      [
        [9n, 'a', 0],
        [9n, 'b', 0.2],
        [9n, 'a', 0],
      ],
      [null, 'unverifiable', 'unverifiable'],
    ],
    [
      'another version is a change, for good',
      [
        [9n, 'a'],
        [9n, 'b'],
        [9n, 'a'],
      ],
      [null, 'version_changed', 'version_changed'],
    ],
    [
      'another total is one, with a version or without',
      [
        [9n, null],
        [8n, null],
        [9n, null],
      ],
      [null, 'total_changed', 'total_changed'],
    ],
    [
      'a change counts more than a doubt',
      [
        [9n, 'a'],
        [9n, null],
        [9n, 'b'],
      ],
      [null, 'unverifiable', 'version_changed'],
    ],
    [
      'another total shows first',
      [
        [9n, 'a'],
        [8n, 'b'],
      ],
      [null, 'total_changed'],
    ],
  ])('%s', (_what, pages, known) => {
    expect(follow('ignore', ...pages)).toEqual(known);
  });
});

describe('what is done about it', () => {
  it('a function is called once for the doubt and once for the change, with both pages', () => {
    const reports: DriftReport[] = [];
    follow((report) => reports.push(report), [9n, null], [9n, null], [8n, null], [7n, null]);
    expect(reports).toEqual([
      {
        reason: 'unverifiable',
        page: 5,
        total: 9n,
        dataVersion: null,
        start: { page: 4, total: 9n, dataVersion: null },
      },
      {
        reason: 'total_changed',
        page: 6,
        total: 8n,
        dataVersion: null,
        start: { page: 4, total: 9n, dataVersion: null },
      },
    ]);
  });

  it('a warning is printed once, and none for a doubt', () => {
    const warn = vi.spyOn(console, 'warn').mockReturnValue();
    follow('warn', [9n, null], [9n, null]);
    expect(warn).not.toHaveBeenCalled();
    follow('warn', [9n, 'a'], [9n, 'b'], [9n, 'c']);
    expect(warn.mock.calls).toEqual([
      [
        'Between page 4 and page 5 the version of the data changed (page 5 is of 9 records, ' +
          'page 4 was of 9); pages may miss records or repeat them',
      ],
    ]);
  });

  it('an error carries the report, and a doubt is no error', () => {
    expect(follow('error', [9n, null], [9n, null])).toEqual([null, 'unverifiable']);
    const fail = () => follow('error', [9n, 'a'], [9n, 'b']);
    expect(fail).toThrow(DriftError);
    expect(fail).toThrow(
      expect.objectContaining({
        report: expect.objectContaining({ reason: 'version_changed', page: 5 }),
      }),
    );
  });
});
