import { beforeEach, describe, expect, it, vi } from 'vitest';

import type { ClusterServers } from './cluster-servers.ts';
import { type FoundState, ValidatedCuts } from './common-state.ts';

const FIRST: FoundState = { cluster: 'of two', states: ['one 5:5:', 'other 7:7:'] };
const SECOND: FoundState = { cluster: 'of two', states: ['one 5:5:', 'other 8:8:'] };

describe('the state that was found last', () => {
  let known: ValidatedCuts;

  beforeEach(() => {
    vi.useFakeTimers();
    known = new ValidatedCuts({} as ClusterServers);
    known.learn(FIRST);
    return () => vi.useRealTimers();
  });

  it('is known until a server is seen in another one', () => {
    known.see(FIRST);
    expect(known.state).toBe(FIRST);
    known.see(SECOND);
    expect(known.state).toBeUndefined();
  });

  it.each([
    ['of other servers', { ...FIRST, cluster: 'of three' }],
    ['of more servers', { ...FIRST, states: [...FIRST.states, 'third 1:1:'] }],
  ])('is not that %s', (_which, seen) => {
    known.see(seen);
    expect(known.state).toBeUndefined();
  });

  it('is expected to last once it was seen for a second, until it was not looked at for one', () => {
    expect(known.lasts).toBe(false);
    vi.advanceTimersByTime(1000);
    expect(known.lasts).toBe(false);
    known.see(FIRST);
    expect(known.lasts).toBe(true);
    vi.advanceTimersByTime(1000);
    expect(known.lasts).toBe(false);
  });

  it('is seen anew where another one is found', () => {
    vi.advanceTimersByTime(1000);
    known.learn(SECOND);
    known.see(SECOND);
    expect([known.state, known.lasts]).toEqual([SECOND, false]);
  });
});
