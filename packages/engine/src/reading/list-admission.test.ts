import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { ListAdmission } from './list-admission.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => void vi.useRealTimers());

const TOTAL = 10_000n;

/** No pause of a test is longer. */
const LONGEST_MS = 1_000_000;

/** How long from now on no index of the list is admitted, in milliseconds. */
function pauseOf(admission: ListAdmission): number {
  for (let ms = 0; ms < LONGEST_MS; ms += 1000) {
    if (admission.admits('list', TOTAL)) return ms;
    vi.advanceTimersByTime(1000);
  }
  return Infinity;
}

describe('a list', () => {
  it('is asked for again from the second time on, each list by itself', () => {
    const admission = new ListAdmission();
    expect(['a', 'b', 'a', 'a'].map((list) => admission.noteAsked(list))).toEqual([
      false,
      false,
      true,
      true,
    ]);
  });

  it('is forgotten when a thousand others were asked for since', () => {
    const admission = new ListAdmission();
    for (let list = 0; list <= 1000; list++) admission.noteAsked(String(list));
    expect([admission.noteAsked('1000'), admission.noteAsked('0')]).toEqual([true, false]);
  });

  it('that nothing is known of is admitted', () => {
    expect(new ListAdmission().admits('list', TOTAL)).toBe(true);
  });
});

describe('a list whose index was in vain', () => {
  it('gets none for four times as long as building it took, however long that is', () => {
    const admission = new ListAdmission();
    admission.noteInVain('list', 60_000);
    expect(admission.admits('other', TOTAL)).toBe(true);
    expect(pauseOf(admission)).toBe(240_000);
  });

  it('waits twice as long after each further one, up to a minute', () => {
    const admission = new ListAdmission();
    const pauses = Array.from({ length: 6 }, () => {
      admission.noteInVain('list', 1000);
      return pauseOf(admission);
    });
    expect(pauses).toEqual([4000, 8000, 16_000, 32_000, 60_000, 60_000]);
  });

  it('is admitted at once when its index proved useful', () => {
    const admission = new ListAdmission();
    admission.noteInVain('list', 1000);
    admission.noteKept('list', 1000);
    for (let use = 0; use < 10; use++) admission.noteUse('list');
    admission.noteGone('list');
    expect(pauseOf(admission)).toBe(0);
    admission.noteInVain('list', 1000);
    expect(pauseOf(admission)).toBe(4000);
  });
});

describe('a list whose index did not fit', () => {
  it.each([
    { total: 10_000n, admitted: false },
    { total: 12_000n, admitted: false },
    { total: 8000n, admitted: false },
    { total: 12_001n, admitted: true },
    { total: 7999n, admitted: true },
  ])('of 10000 records: with $total records its admission is $admitted', ({ total, admitted }) => {
    const admission = new ListAdmission();
    admission.noteTooLong('list', TOTAL);
    expect(admission.admits('list', total)).toBe(admitted);
    expect(admission.admits('other', TOTAL)).toBe(true);
  });
});
