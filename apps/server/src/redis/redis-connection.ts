import { Redis } from 'ioredis';
import type { Logger } from 'pino';

export type RedisLog = Pick<Logger, 'info' | 'warn'>;

export interface OutageRules {
  readonly away: string;
  readonly back: string;
  /** Runs until it succeeds. It writes, because a read-only Redis is of no use. */
  readonly probe: ScriptRun;
}

/** In milliseconds. */
export interface RedisTimes {
  /** How long one request waits for Redis. */
  readonly request: number;
  /** How often an unavailable Redis is tried. */
  readonly probeEvery: number;
  /** After how long without an answer its address is dialled anew. */
  readonly silence: number;
}

const TIMES: RedisTimes = { request: 200, probeEvery: 500, silence: 5000 };

export interface RedisParts {
  readonly log: RedisLog;
  readonly times?: RedisTimes | undefined;
}

export interface ScriptRun {
  readonly text: string;
  readonly sha1: string;
  readonly keys: readonly string[];
  readonly parameters: readonly (string | number)[];
}

/** Runs scripts. A request without a timely answer stops all others until a probe succeeds. */
export class RedisConnection {
  readonly #redis: Redis;
  readonly #log: RedisLog;
  readonly #rules: OutageRules;
  readonly #times: RedisTimes;
  #probe: NodeJS.Timeout | undefined;
  #backAt = -Infinity;
  #closed = false;

  constructor(url: string, { log, times = TIMES, ...rules }: OutageRules & RedisParts) {
    this.#log = log;
    this.#rules = rules;
    this.#times = times;
    this.#redis = new Redis(url, {
      enableOfflineQueue: false,
      maxRetriesPerRequest: 1,
      commandTimeout: times.request,
      enableReadyCheck: false,
      // An abandoned command must neither count later nor stay in memory while Redis is silent.
      autoResendUnfulfilledCommands: false,
      socketTimeout: times.silence,
      connectTimeout: 2000,
      // After a failover its address may lead to the new primary.
      reconnectOnError: ({ message }) => message.includes('READONLY'),
      retryStrategy: (tries) => Math.min(tries * 100, 1000),
      // This version of the protocol needs no handshake before the first command.
      protocol: 2,
      disableClientInfo: true,
    });
    this.#redis.on('error', (error: Error) => this.#fail(error));
    this.#redis.on('close', () => this.#noteBreak());
  }

  /** End of the last outage, by `performance.now()`: earlier data may be lost. -Infinity: none. */
  get backAt(): number {
    return this.#backAt;
  }

  /** One round trip; undefined when Redis cannot be asked. */
  async run(run: ScriptRun): Promise<unknown> {
    if (this.#probe !== undefined || this.#redis.status !== 'ready') return undefined;
    try {
      return await this.#run(run);
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

  #run({ text, sha1, keys, parameters }: ScriptRun): Promise<unknown> {
    const given = [...keys, ...parameters];
    return this.#redis.evalsha(sha1, keys.length, ...given).catch((error: unknown) => {
      if (!(error instanceof Error && error.message.startsWith('NOSCRIPT'))) throw error;
      return this.#redis.eval(text, keys.length, ...given);
    });
  }

  /** A connection may break and return unnoticed between requests. */
  #noteBreak(): void {
    this.#redis.once('ready', () => void (this.#backAt = performance.now()));
  }

  /** Logs an outage once, without the error: it may carry the command that sent the password. */
  #fail(error: unknown): void {
    if (this.#probe !== undefined || this.#closed) return;
    this.#probe = setInterval(() => void this.#tryAgain(), this.#times.probeEvery).unref();
    const reason = error instanceof Error ? error.message : String(error);
    this.#log.warn({ reason }, this.#rules.away);
  }

  async #tryAgain(): Promise<void> {
    if (this.#redis.status !== 'ready') return;
    try {
      await this.#run(this.#rules.probe);
    } catch {
      return;
    }
    if (this.#probe === undefined || this.#closed) return;
    clearInterval(this.#probe);
    this.#probe = undefined;
    this.#backAt = performance.now();
    this.#log.info(this.#rules.back);
  }
}
