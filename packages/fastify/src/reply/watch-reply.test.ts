import { setImmediate } from 'node:timers/promises';

import type { ListWatch, WatchedState } from '@proj/engine';
import { describe, expect, it } from 'vitest';

import { type Ask, SILENT } from '../endpoint/ask.ts';
import { HttpProblem } from '../endpoint/problems.ts';
import { OpenWatches, WatchReply } from './watch-reply.ts';

const FACTS = { model: 'cities', models: ['cities'], attributes: ['name'] };

function stateOf(total: number): WatchedState {
  return { id: `id-${total}`, list: { total: String(total) } };
}

/** A watch with these states, and how many of them were taken. */
function watchOf(count: number) {
  let taken = 0;
  const follow: ListWatch['follow'] = async (take) => {
    while (taken < count && (await take(stateOf(taken + 1)))) taken += 1;
  };
  const watch: ListWatch = { first: stateOf(1), follow, facts: FACTS, deprecations: [] };
  return { watch, taken: () => taken };
}

interface ReplySettings {
  readonly isSame?: () => Promise<boolean>;
  readonly lastId?: string;
}

function replyOf({ isSame = async () => true, lastId }: ReplySettings = {}) {
  const watches = new OpenWatches();
  const atEnd: (() => void)[] = [];
  const releaseAtEnd: Ask['releaseAtEnd'] = (release) => void atEnd.push(release);
  const ask = { id: 'a-request', header: () => lastId, log: SILENT, releaseAtEnd };
  const reply = new WatchReply({
    ask: ask as unknown as Ask,
    access: { isSame, forget: () => undefined },
    watches,
    publicUrl: undefined,
  });
  return {
    reply,
    events: () => watches.events,
    leave: () => atEnd.forEach((release) => release()),
  };
}

describe('the events of a watch', () => {
  it('begin with a comment, and have the id and the state of the list', async () => {
    const { reply } = replyOf();
    void reply.follow(watchOf(2).watch);
    expect((await reply.body.toArray()).join('')).toBe(
      ':\n\nid: id-1\nevent: list\ndata: {"total":"1"}\n\n' +
        'id: id-2\nevent: list\ndata: {"total":"2"}\n\n',
    );
  });

  it('leave out the first one where the caller has it, and no later one', async () => {
    const { reply, events } = replyOf({ lastId: 'id-1' });
    void reply.follow(watchOf(3).watch);
    expect((await reply.body.toArray()).join('')).not.toContain('id-1');
    expect(events()).toBe(2);
  });

  it('are taken no faster than the caller reads, and a few kilobytes wait', async () => {
    const { reply, events } = replyOf();
    const { watch, taken } = watchOf(10_000);
    void reply.follow(watch);
    for (let turns = 0; turns < 1000; turns++) await setImmediate();
    expect(taken()).toBeLessThan(100);
    expect(reply.body.readableLength).toBeLessThan(2048);
    const before = events();
    reply.body.read();
    for (let turns = 0; turns < 1000; turns++) await setImmediate();
    expect(events()).toBeGreaterThan(before);
  });

  it('end with a problem document', async () => {
    const { reply } = replyOf();
    reply.end(new HttpProblem('shutting_down', 'The service is stopping.'));
    const text = (await reply.body.toArray()).join('');
    expect(text).toMatch(/^:\n\nevent: problem\ndata: \{.*"code":"shutting_down".*\}\n\n$/);
  });

  it('end at once where the caller does not read', async () => {
    const { reply } = replyOf();
    const following = reply.follow(watchOf(10_000).watch);
    for (let turns = 0; turns < 1000; turns++) await setImmediate();
    reply.end(new HttpProblem('shutting_down', 'The service is stopping.'));
    await following;
    expect(reply.body.destroyed).toBe(true);
  });

  it('end the watch with them, whether the service ends them or the caller leaves', () => {
    const [ended, left] = [replyOf(), replyOf()];
    expect(ended.reply.signal.aborted).toBe(false);
    ended.reply.end();
    left.leave();
    expect([ended.reply.signal.aborted, left.reply.signal.aborted]).toEqual([true, true]);
  });

  it('stop when the caller may no longer see the same', async () => {
    const { reply, events } = replyOf({ isSame: async () => false });
    void reply.follow(watchOf(3).watch);
    expect((await reply.body.toArray()).join('')).toBe(':\n\n');
    expect(events()).toBe(0);
  });
});
