import type { FeedStatus, FeedWatch } from '@proj/engine';
import pino from 'pino';
import { expect, it } from 'vitest';

import { STARTING } from '../../test/feed-status.ts';
import { logFeedChanges } from './database-log.ts';

const FOLLOWING: FeedStatus = { ...STARTING, state: 'following' };

function stopped(reason: string, message: string): FeedStatus {
  return { ...STARTING, state: 'stopped', reason, message };
}

/** What is logged while the feed goes through states. */
function linesOf(status: FeedStatus, changes: readonly FeedStatus[]): unknown[] {
  const lines: unknown[] = [];
  const listeners: ((changed: FeedStatus) => void)[] = [];
  const feed: FeedWatch = { status, onChange: (listener) => void listeners.push(listener) };
  const formatters = { level: (level: string) => ({ level }) };
  const write = (line: string): void => void lines.push(JSON.parse(line));
  logFeedChanges(feed, pino({ base: null, timestamp: false, formatters }, { write }));
  for (const changed of changes) for (const listener of listeners) listener(changed);
  return lines;
}

it('logs when the change feed follows the server, is dropped, and is back', () => {
  const dropped = stopped('behind', 'it was 600000000 bytes of the log behind');
  expect(linesOf(STARTING, [FOLLOWING, dropped, FOLLOWING])).toEqual([
    { level: 'info', msg: 'the change feed follows the server' },
    {
      level: 'warn',
      reason: 'behind',
      detail: 'it was 600000000 bytes of the log behind',
      msg: 'the change feed was dropped: everything is read as without it, and it is tried again',
    },
    { level: 'info', msg: 'the change feed follows the server again' },
  ]);
});

it('logs once why the change feed cannot follow, for each reason', () => {
  const refused = stopped('wal_level', 'wal_level is not logical');
  const msg =
    'the change feed cannot follow the server: everything is read as without it, ' +
    'and it is tried again';
  expect(linesOf(refused, [stopped('connection', 'refused'), FOLLOWING])).toEqual([
    { level: 'warn', reason: 'wal_level', detail: 'wal_level is not logical', msg },
    { level: 'warn', reason: 'connection', detail: 'refused', msg },
    { level: 'info', msg: 'the change feed follows the server' },
  ]);
});

it('logs nothing while the change feed has not been tried', () => {
  expect(linesOf(STARTING, [])).toEqual([]);
});
