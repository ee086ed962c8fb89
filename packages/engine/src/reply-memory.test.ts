import { assert, asyncProperty, array, boolean, double, integer, nat, record } from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { REPLY_COPIES, ReplyMemory, SMALL_REPLY_BYTES } from './reply-memory.ts';

const MIB = 2 ** 20;
const LARGEST = 8 * MIB;

function memoryFor(replies: number): ReplyMemory {
  return new ReplyMemory({ bytes: replies * LARGEST * REPLY_COPIES, maxReplyBytes: LARGEST });
}

/** Everything that does not wait for time or for others. */
const settled = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

/** Whether a reply gets memory at once; it keeps it. */
async function isHeld(memory: ReplyMemory, bytes: number): Promise<boolean> {
  let held = false;
  memory.hold(bytes).then(
    () => (held = true),
    () => undefined,
  );
  await settled();
  return held;
}

describe('the memory of replies', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
  afterEach(() => void vi.useRealTimers());

  it('is not asked for by small replies', () => {
    const memory = memoryFor(1);
    const read = memory.begin();
    expect(read.add(SMALL_REPLY_BYTES)).toBeUndefined();
    read.end();
    expect(memory.used).toBe(0);
  });

  it('refuses a reply that has found none for two seconds as overloaded', async () => {
    const memory = memoryFor(1);
    await memory.hold(LARGEST);
    const read = memory.begin();
    const [refused] = await Promise.all([
      read.add(2 * MIB)?.catch((error: unknown) => error),
      vi.advanceTimersByTimeAsync(2000),
    ]);
    expect(refused).toMatchObject({ code: 'overloaded' });
    expect(memory.waiting).toBe(0);
  });

  it('is enough for one reply in any case, however little there is', async () => {
    const memory = new ReplyMemory({ bytes: 1 });
    const read = memory.begin();
    await read.add(64 * MIB);
    expect(await isHeld(memory, 2 * MIB)).toBe(false);
    read.end();
    await settled();
  });

  it('stays with a reply that was read until it is sent, though others wait for it', async () => {
    const memory = memoryFor(1);
    const read = memory.begin();
    await read.add(LARGEST);
    const other = memory.begin();
    const waiting = other.add(2 * MIB);
    read.end();
    const release = await memory.hold(LARGEST);
    await settled();
    expect(memory.waiting).toBe(1);
    release();
    await waiting;
    other.end();
    await settled();
    expect(memory.used).toBe(0);
  });

  it('comes back from a read that ended while it waited for more', async () => {
    const memory = memoryFor(1);
    const release = await memory.hold(LARGEST);
    const read = memory.begin();
    const waiting = read.add(2 * MIB);
    read.end();
    release();
    await waiting;
    await settled();
    expect(memory.used).toBe(0);
  });

  it('comes back once from a reply, however often that is said to be sent', async () => {
    const memory = memoryFor(2);
    const release = await memory.hold(LARGEST);
    await memory.hold(LARGEST);
    release();
    release();
    expect(memory.used).toBe(LARGEST * REPLY_COPIES);
  });

  it('stays with a reply just read though a kept one waits, which would fit with it', async () => {
    const memory = memoryFor(2);
    await memory.hold(LARGEST);
    const read = memory.begin();
    await read.add(2 * MIB);
    expect(await isHeld(memory, LARGEST)).toBe(false);
    read.end();
    expect(await isHeld(memory, 2 * MIB)).toBe(true);
    expect(memory).toMatchObject({ waiting: 1, used: (LARGEST + 2 * MIB) * REPLY_COPIES });
  });

  it('never lets replies wait for each other, nor take more than there is', async () => {
    const reply = record({
      bytes: integer({ min: 1, max: LARGEST }),
      pause: nat(3),
      /** Whether the database answers; else the reply is kept from before. */
      isRead: boolean(),
      /** Whether it is sent; else its caller has disconnected. */
      isSent: boolean(),
    });
    const replies = array(reply, { minLength: 1, maxLength: 12 });
    const room = double({ min: 1, max: 3, noNaN: true });
    const property = asyncProperty(replies, room, async (all, largest) => {
      const memory = memoryFor(largest);
      let most = 0;
      await Promise.all(
        all.map(async ({ bytes, pause, isRead, isSent }) => {
          const read = memory.begin();
          for (let left = bytes; left > 0; left -= MIB) {
            for (let turn = 0; turn < pause; turn += 1) await settled();
            if (isRead) await read.add(Math.min(MIB, left));
            most = Math.max(most, memory.used);
          }
          read.end();
          if (!isSent || bytes <= SMALL_REPLY_BYTES) return;
          const release = await memory.hold(bytes);
          most = Math.max(most, memory.used);
          await settled();
          release();
        }),
      );
      await settled();
      expect({ used: memory.used, waiting: memory.waiting }).toEqual({ used: 0, waiting: 0 });
      expect(most).toBeLessThanOrEqual(largest * LARGEST * REPLY_COPIES);
    });
    await assert(property);
  });
});
