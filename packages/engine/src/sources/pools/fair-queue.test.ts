import { describe, expect, it } from 'vitest';

import { Callers } from '../read-call.ts';
import { FairQueue } from './fair-queue.ts';

function queueOf(
  ...items: readonly (readonly [item: string, ...callers: string[]])[]
): FairQueue<string> {
  const queue = new FairQueue<string>();
  for (const [item, ...callers] of items) queue.add(item, new Callers(...callers));
  return queue;
}

function takeAll(
  queue: FairQueue<string>,
  mayServe: (caller: string) => boolean = () => true,
): string[] {
  const taken: string[] = [];
  for (let next = queue.take(mayServe); next !== undefined; next = queue.take(mayServe))
    taken.push(next.item);
  return taken;
}

describe('items that wait for their turn', () => {
  it('of a caller that comes back at once are behind those of everybody who waits', () => {
    const queue = queueOf(['a1', 'a'], ['b1', 'b']);
    expect(queue.take(() => true)).toEqual({ item: 'a1', caller: 'a' });
    queue.add('a2', new Callers('a'));
    expect(takeAll(queue)).toEqual(['b1', 'a2']);
  });

  it('stay while their caller may not be served', () => {
    const queue = queueOf(['a1', 'a'], ['b1', 'b'], ['a2', 'a']);
    expect(takeAll(queue, (caller) => caller !== 'a')).toEqual(['b1']);
    expect(queue.size).toBe(2);
    expect(takeAll(queue)).toEqual(['a1', 'a2']);
  });

  it('of several callers are taken once, in the first turn of any of them', () => {
    const queue = queueOf(['a1', 'a'], ['a2', 'a'], ['both', 'a', 'b']);
    expect(takeAll(queue)).toEqual(['a1', 'both', 'a2']);
    expect(queue.size).toBe(0);
  });

  it('are taken in the turn of a caller that joins while they wait', () => {
    const queue = queueOf(['a1', 'a'], ['a2', 'a']);
    const shared = new Callers('a');
    queue.add('shared', shared);
    shared.join(new Callers('b'));
    expect(takeAll(queue)).toEqual(['a1', 'shared', 'a2']);
    shared.join(new Callers('c'));
    expect(queue.size).toBe(0);
    expect(takeAll(queue)).toEqual([]);
  });

  it('can be withdrawn', () => {
    const queue = queueOf(['a1', 'a'], ['both', 'a', 'b'], ['b1', 'b']);
    queue.delete('both');
    queue.delete('both');
    expect(takeAll(queue)).toEqual(['a1', 'b1']);
  });

  it('are counted for each caller, and the newest of the longest queue is known', () => {
    const queue = queueOf(['b1', 'b'], ['a1', 'a'], ['a2', 'a'], ['c1', 'c']);
    expect(['a', 'b', 'd'].map((caller) => queue.sizeOf(caller))).toEqual([2, 1, 0]);
    expect(queue.longest()).toEqual({ item: 'a2', caller: 'a' });
    expect(queueOf().longest()).toBeUndefined();
  });
});
