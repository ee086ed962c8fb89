import { totalmem } from 'node:os';
import { getHeapStatistics } from 'node:v8';

import { REPLY_COPIES, ReplyMemory } from '@proj/engine';

import type { Settings } from '../settings/schema.ts';

/** The rest is for the process itself, the caches, and garbage. */
const SHARE = 0.4;

/** The heap, which holds texts, is limited beside machine and container. */
const HEAP_SHARE = 0.5;

const MIB = 2 ** 20;

export function openReplyMemory(
  { reply_memory_mb: megabytes, max_reply_bytes: maxReplyBytes }: Settings['limits'],
  workers = 1,
): ReplyMemory {
  if (megabytes !== undefined)
    return new ReplyMemory({ bytes: (megabytes * MIB) / workers, maxReplyBytes });
  const memory = Math.min(totalmem(), process.constrainedMemory() || Infinity) / workers;
  const share = Math.min(memory * SHARE, getHeapStatistics().heap_size_limit * HEAP_SHARE);
  return new ReplyMemory({ bytes: Math.max(share, REPLY_COPIES * maxReplyBytes), maxReplyBytes });
}
