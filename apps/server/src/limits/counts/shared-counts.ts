import { RedisConnection, type RedisParts, type ScriptRun } from '../../redis/redis-connection.ts';
import { REQUESTS } from './policies.ts';
import type { Consumption, Usage } from './rate-limit-state.ts';
import { readReply, SCRIPT, SCRIPT_SHA1, scriptArguments, scriptKeys } from './redis-script.ts';

const PROBE: Consumption = {
  policy: REQUESTS,
  owner: 'probe',
  limit: 1,
  amount: 1,
  unconditional: true,
};

const OUTAGES = {
  away: 'Redis does not answer; until it does, this process counts for itself',
  back: 'Redis answers again; the limits are shared',
  probe: runOf([PROBE]),
};

/** Shared by several processes in Redis. */
export class SharedCounts {
  readonly #redis: RedisConnection;

  constructor(url: string, parts: RedisParts) {
    this.#redis = new RedisConnection(url, { ...OUTAGES, ...parts });
  }

  /** One round trip; undefined when Redis cannot be asked. */
  async consume(consumptions: readonly Consumption[]): Promise<Usage[] | undefined> {
    const reply = await this.#redis.run(runOf(consumptions));
    return reply === undefined ? undefined : readReply(reply);
  }

  close(): void {
    this.#redis.close();
  }
}

function runOf(consumptions: readonly Consumption[]): ScriptRun {
  return {
    text: SCRIPT,
    sha1: SCRIPT_SHA1,
    keys: scriptKeys(consumptions),
    parameters: scriptArguments(consumptions),
  };
}
