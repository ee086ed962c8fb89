import { afterEach, describe, expect, it, vi } from 'vitest';

import { DriftError, type DriftReport } from '../errors/errors.ts';
import type { OnDrift } from '../options/walk-options.ts';
import { watchDrift } from './drift.ts';

/** `9` records of the version `a`, said by a replica that is 0.2 seconds behind: `9a@0.2`. */
const PAGE = /^(\d+)?([a-z])?(?:@(.+))?$/;

/** What the watch says after each of the pages, which begin with page 4. */
function follow(onDrift: OnDrift, pages: string): unknown[] {
  const watch = watchDrift(onDrift);
  return pages.split(', ').map((page, index) => {
    const [, total, version, age] = PAGE.exec(page) ?? [];
    return watch({
      number: index + 4,
      total: total === undefined ? null : BigInt(total),
      dataVersion: version ?? null,
      dataAge: age === undefined ? null : Number(age),
    });
  });
}

afterEach(() => {
  vi.restoreAllMocks();
});

describe('the drift of a walk', () => {
  it.each([
    ['nothing can have changed within one page', '9', [null]],
    ['equal versions prove that nothing did', '9a, 9a, 9a', [null, null, null]],
    ['no totals prove nothing, and versions do', 'a, a, b', [null, null, 'version_changed']],
    ['a total that becomes known is no change', 'a, 9a', [null, null]],
    ['without a version nothing can be excluded', '9, 9', [null, 'unverifiable']],
    ['nor without the version of one page', '9a, 9, 9a', [null, 'unverifiable', 'unverifiable']],
    [
      'nor where a replica answers, which names the same data differently',
      '9a@0, 9b@0.2, 9a@0',
      [null, 'unverifiable', 'unverifiable'],
    ],
    [
      'another version is a change, for good',
      '9a, 9b, 9a',
      [null, 'version_changed', 'version_changed'],
    ],
    [
      'another total is one, with a version or without',
      '9, 8, 9',
      [null, 'total_changed', 'total_changed'],
    ],
    ['a change counts more than a doubt', '9a, 9, 9b', [null, 'unverifiable', 'version_changed']],
    ['another total shows first', '9a, 8b', [null, 'total_changed']],
  ])('%s', (_what, pages, known) => {
    expect(follow('ignore', pages)).toEqual(known);
  });
});

describe('what is done about it', () => {
  it('a function is called once for the doubt and once for the change, with both pages', () => {
    const reports: DriftReport[] = [];
    follow((report) => reports.push(report), '9, 9, 8, 7');
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
    follow('warn', '9, 9');
    expect(warn).not.toHaveBeenCalled();
    follow('warn', '9a, 9b, 9c');
    expect(warn.mock.calls).toEqual([
      [
        'Between page 4 and page 5 the version of the data changed (page 5 is of 9 records, ' +
          'page 4 was of 9); pages may miss records or repeat them',
      ],
    ]);
  });

  it('an error carries the report, and a doubt is no error', () => {
    expect(follow('error', '9, 9')).toEqual([null, 'unverifiable']);
    const fail = () => follow('error', '9a, 9b');
    expect(fail).toThrow(DriftError);
    expect(fail).toThrow(
      expect.objectContaining({
        report: expect.objectContaining({ reason: 'version_changed', page: 5 }),
      }),
    );
  });
});
