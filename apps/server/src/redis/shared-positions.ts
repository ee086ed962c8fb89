import { createHash, randomUUID } from 'node:crypto';

import type { SeenElsewhere } from '@proj/engine';
import { LRUCache } from 'lru-cache';
import * as z from 'zod';

import { RedisConnection, type RedisParts, type ScriptRun } from './redis-connection.ts';
import { redisKeyOf } from './redis-key.ts';

/** Hash by process: position shown to a caller, and when. Without a position it only reads. */
const SCRIPT = `
local process, position, ttl = ARGV[1], ARGV[2], tonumber(ARGV[3])
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local fields = redis.call('HGETALL', KEYS[1])
local positions = {}
for f = 1, #fields, 2 do
  local at, seen = string.match(fields[f + 1], '^(%d+) (.*)$')
  if tonumber(at) < now - ttl then
    redis.call('HDEL', KEYS[1], fields[f])
  elseif fields[f] ~= process then
    table.insert(positions, seen)
  end
end
if position ~= '' then
  redis.call('HSET', KEYS[1], process, string.format('%d %s', now, position))
  redis.call('PEXPIRE', KEYS[1], ttl)
end
return positions
`;

const SCRIPT_SHA1 = createHash('sha1').update(SCRIPT).digest('hex');

/** How long positions outlive their use, in milliseconds. */
const MARGIN_MS = 60_000;

/** Callers whose last sent position is remembered. */
const MOST_CALLERS = 10_000;

const positionsSchema = z.array(z.string());

interface Sent {
  readonly position: string;
  readonly done: Promise<unknown>;
}

/** Positions shown to callers, in Redis, for all services over a database. */
export class SharedPositions implements SeenElsewhere {
  readonly #redis: RedisConnection;
  readonly #maxLagMs: number;
  readonly #process = randomUUID();
  readonly #sent = new LRUCache<string, Sent>({ max: MOST_CALLERS });

  /** @param maxLagMs what was shown longer ago may be forgotten, in milliseconds */
  constructor(url: string, { maxLagMs, ...parts }: RedisParts & { readonly maxLagMs: number }) {
    this.#maxLagMs = maxLagMs;
    this.#redis = new RedisConnection(url, {
      ...parts,
      away: 'Redis does not answer; until it does, replicas are not read from',
      back: 'Redis answers again; replicas are read from in a moment',
      probe: this.#run('probe', 'none'),
    });
  }

  async of(caller: string): Promise<readonly string[] | undefined> {
    const asked = performance.now();
    const reply = await this.#redis.run(this.#run(caller, ''));
    // After an outage Redis may lack positions that are still of use.
    if (reply === undefined || asked - this.#redis.backAt <= this.#maxLagMs) return undefined;
    return positionsSchema.parse(reply);
  }

  async note(caller: string, position: string): Promise<void> {
    const sent = this.#sent.get(caller);
    if (sent?.position === position) return void (await sent.done);
    const done = this.#redis.run(this.#run(caller, position));
    this.#sent.set(caller, { position, done });
    // The next reply tries again.
    if ((await done) === undefined) this.#sent.delete(caller);
  }

  close(): void {
    this.#redis.close();
  }

  #run(caller: string, position: string): ScriptRun {
    return {
      text: SCRIPT,
      sha1: SCRIPT_SHA1,
      keys: [redisKeyOf(caller, 'seen')],
      parameters: [this.#process, position, this.#maxLagMs + MARGIN_MS],
    };
  }
}
