import type { Statement } from '@proj/engine/database';
import { describe, expect, it, vi } from 'vitest';

import type { Row } from '../../connection/connection.ts';
import { RelationLog } from '../changes/relation-log.ts';
import { TransactionSnapshot } from '../../log/snapshot.ts';
import { Base, type BaseSnapshot, type SnapshotHolder } from './base.ts';

/** A base over connections that do what the test says, and what became of it. */
function startBase() {
  const state = { reaches: [true], fails: false, opened: 0 };
  const [asked, moved]: [string[], (BaseSnapshot | undefined)[]] = [[], []];
  const log = new RelationLog(0n);
  const open = async (): Promise<SnapshotHolder> => {
    state.opened += 1;
    const name = state.opened;
    const ask = async ({ sql, parameters }: Statement): Promise<Row> => {
      asked.push([name, sql.split(' ')[0], ...parameters].join(' '));
      if (state.fails) throw new Error('lost');
      return [`snapshot-${name}`, '12:12:', '0/7'];
    };
    const ended = new Promise<never>(() => undefined);
    return { ask, ended, destroy: () => void asked.push(`${name} destroyed`) };
  };
  const base = new Base({
    open,
    reach: async () =>
      (state.reaches.length > 1 ? state.reaches.shift() : state.reaches[0]) ?? true,
    logs: () => [log],
    move: async (next) => void moved.push(next),
  });
  return { base, state, asked, moved, log };
}

describe('the base snapshot', () => {
  it('is of use once the changes were followed up to it', async () => {
    const { base, state, moved } = startBase();
    state.reaches = [false, false, true];
    expect([await base.renew(), moved.length]).toEqual([true, 1]);
    expect(base.current).toMatchObject({ exported: 'snapshot-1', insertLsn: 7n });
  });

  it('stays what it was where the changes are late', async () => {
    const { base, state, moved } = startBase();
    await base.renew();
    const before = base.current;
    state.reaches = [false];
    expect([await base.renew(), moved.length, base.current === before]).toEqual([false, 1, true]);
  });

  it('lets the logs go where it cannot be taken', async () => {
    const { base, state, log } = startBase();
    const end = vi.fn<() => void>();
    vi.spyOn(log, 'beginRead').mockReturnValue(end);
    state.fails = true;
    await expect(base.renew()).rejects.toThrow('lost');
    expect(end).toHaveBeenCalledOnce();
  });

  it('is let go when what it knows has moved on to the next, and is held by two connections in turns', async () => {
    const { base, asked, state } = startBase();
    for (let turn = 0; turn < 3; turn++) await base.renew();
    expect(state.opened).toBe(2);
    expect(asked).toEqual([
      '1 begin',
      '1 select',
      '2 begin',
      '2 select',
      '1 commit',
      '1 begin',
      '1 select',
      '2 commit',
    ]);
  });

  it('is not let go while somebody asks in it', async () => {
    const { base, asked, log } = startBase();
    await base.renew();
    const first = base.current;
    const answer = Promise.withResolvers<string>();
    const using = first?.use(() => answer.promise);
    const renewed = base.renew();
    await expect.poll(() => base.current === first).toBe(false);
    expect(asked).not.toContain('1 commit');
    log.append({ xid: 12n, rows: [], truncated: false });
    answer.resolve('done');
    expect([await using, await renewed]).toEqual(['done', true]);
    expect(asked).toContain('1 commit');
  });

  it('is taken on another connection after one that failed', async () => {
    const { base, asked, state } = startBase();
    state.fails = true;
    await expect(base.renew()).rejects.toThrow('lost');
    expect(asked).toContain('1 destroyed');
    state.fails = false;
    expect(await base.renew()).toBe(true);
    expect(base.current?.exported).toBe('snapshot-2');
  });

  it('keeps the changes that it does not see, until it is dropped', async () => {
    const { base, log } = startBase();
    await base.renew();
    log.append({ xid: 12n, rows: [{ stays: ['1'] }], truncated: false });
    const readLater = (): void => {
      const end = log.beginRead();
      log.noteSnapshot(TransactionSnapshot.parse('13:13:'));
      end();
    };
    readLater();
    expect([log.size, base.current?.covers(log)]).toEqual([1, true]);
    base.drop();
    readLater();
    expect(base.current).toBeUndefined();
    expect(log.size).toBe(0);
  });

  it('lets go of the changes before it with the next one, though nothing else is read', async () => {
    const { base, log } = startBase();
    log.append({ xid: 11n, rows: [{ stays: ['1'] }], truncated: false });
    await base.renew();
    expect(log.size).toBe(1);
    await base.renew();
    expect(log.size).toBe(0);
  });
});
