import { totalmem } from 'node:os';
import { getHeapStatistics } from 'node:v8';

import { afterEach, expect, it, vi } from 'vitest';

import { openReplyMemory } from './reply-memory.ts';

const MIB = 2 ** 20;

/** A reply and its copies are 1 MiB, unless it is said otherwise. */
const SMALL = { max_reply_bytes: MIB / 4 } as const;

/** How much replies take of the memory until one has to wait. */
function taken(limits: { max_reply_bytes: number; reply_memory_mb?: number }, workers?: number) {
  vi.useFakeTimers();
  const memory = openReplyMemory(limits as never, workers);
  for (let replies = 0; memory.waiting === 0 && replies < 1e5; replies++)
    void memory.hold(limits.max_reply_bytes).catch(() => undefined);
  return memory.used / MIB;
}

afterEach(() => void vi.useRealTimers());

it('is what the settings say, and processes share it', () => {
  expect(taken({ ...SMALL, reply_memory_mb: 64 })).toBe(64);
  expect(taken({ ...SMALL, reply_memory_mb: 64 }, 4)).toBe(16);
});

it('is 40 % of the memory where they say nothing, at least what one reply takes', () => {
  vi.spyOn(process, 'constrainedMemory').mockReturnValue(100 * MIB);
  expect(taken(SMALL)).toBe(40);
  expect(taken(SMALL, 4)).toBe(10);
  expect(taken({ max_reply_bytes: 64 * MIB })).toBe(256);
});

it('is at most half of the heap, in a container without a limit', () => {
  vi.spyOn(process, 'constrainedMemory').mockReturnValue(0);
  const half = getHeapStatistics().heap_size_limit / 2;
  expect(taken(SMALL)).toBe(Math.floor(Math.min(half, totalmem() * 0.4) / MIB));
});
