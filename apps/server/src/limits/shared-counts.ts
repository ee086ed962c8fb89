import { Redis } from 'ioredis';
import type { Logger } from 'pino';

import { REQUESTS } from './policies.ts';
import { readReply, SCRIPT, SCRIPT_SHA1, scriptArguments, scriptKeys } from './redis-script.ts';
import type { Consumption, Usage } from './rate-limit-state.ts';

/** What logs outages. */
export type LimitsLog = Pick<Logger, 'info' | 'warn'>;

/** How long one request waits for Redis, in milliseconds. */
const TIMEOUT_MS = 200;

/** How often Redis is tried while it cannot be asked, in milliseconds. */
const PROBE_EVERY_MS = 500;

const PROBE: Consumption = {
  policy: REQUESTS,
  owner: 'probe',
  limit: 1,
  amount: 1,
  unconditional: true,
};

/**
 * Counts that several processes share in Redis. The first request that Redis fails waits for
 * {@link TIMEOUT_MS}; from then on nobody asks but a probe, until it is answered. The probe
 * writes, as a Redis that only reads is of no use either.
 */
export class SharedCounts {
  readonly #redis: Redis;
  readonly #log: LimitsLog;
  #probe: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(url: string, log: LimitsLog) {
    this.#log = log;
    this.#redis = new Redis(url, {
      enableOfflineQueue: false,
      maxRetriesPerRequest: 1,
      commandTimeout: TIMEOUT_MS,
      enableReadyCheck: false,
      // A command that nobody waits for any more must not count later, nor stay in memory while
      // Redis is silent.
      autoResendUnfulfilledCommands: false,
      socketTimeout: 5000,
      connectTimeout: 2000,
      retryStrategy: (times) => Math.min(times * 100, 1000),
      // Nothing then has to be answered before the connection is of use.
      protocol: 2,
      disableClientInfo: true,
    });
    this.#redis.on('error', (error: Error) => this.#fail(error));
  }

  /** Counts in one round trip; undefined when Redis cannot be asked. */
  async consume(consumptions: readonly Consumption[]): Promise<Usage[] | undefined> {
    if (this.#probe !== undefined || this.#redis.status !== 'ready') return undefined;
    try {
      return await this.#run(consumptions);
    } catch (error) {
      this.#fail(error);
      return undefined;
    }
  }

  close(): void {
    this.#closed = true;
    clearInterval(this.#probe);
    this.#redis.disconnect();
  }

  async #run(consumptions: readonly Consumption[]): Promise<Usage[]> {
    const keys = scriptKeys(consumptions);
    const parameters = [...keys, ...scriptArguments(consumptions)];
    const reply = await this.#redis
      .evalsha(SCRIPT_SHA1, keys.length, ...parameters)
      .catch((error: unknown) => {
        if (!(error instanceof Error && error.message.startsWith('NOSCRIPT'))) throw error;
        return this.#redis.eval(SCRIPT, keys.length, ...parameters);
      });
    return readReply(reply);
  }

  /**
   * Only the first failure of an outage is logged. The error itself is not: it may carry the
   * command that sent the password.
   */
  #fail(error: unknown): void {
    if (this.#probe !== undefined || this.#closed) return;
    this.#probe = setInterval(() => void this.#tryAgain(), PROBE_EVERY_MS).unref();
    const reason = error instanceof Error ? error.message : String(error);
    this.#log.warn(
      { reason },
      'Redis does not answer; until it does, this process counts for itself',
    );
  }

  async #tryAgain(): Promise<void> {
    if (this.#redis.status !== 'ready') return;
    try {
      await this.#run([PROBE]);
    } catch {
      return;
    }
    if (this.#probe === undefined || this.#closed) return;
    clearInterval(this.#probe);
    this.#probe = undefined;
    this.#log.info('Redis answers again; the limits are shared');
  }
}
