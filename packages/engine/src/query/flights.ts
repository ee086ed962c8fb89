import { QueryFailedError } from '../errors.ts';

/** How long somebody waits for a shared answer. */
interface Waiting {
  readonly signal: AbortSignal | undefined;
  readonly timeoutMs?: number;
}

/** Finds an answer. The signal aborts when nobody waits for it any longer. */
type Start<Value> = (signal: AbortSignal) => Promise<Value>;

/**
 * Lets equal questions share one answer: one is being answered, and those that come meanwhile share the next one, which begins when that
 * is done. So no answer began before its question was asked.
 */
export class Flights<Value> {
  readonly #running = new Map<string, Flight<Value>>();
  readonly #next = new Map<string, Flight<Value>>();

  /** Whether this question is being answered, so that who asks it now shares the next answer. */
  has(key: string): boolean {
    return this.#running.has(key);
  }

  /**
   * @throws {QueryFailedError} `cancelled` when the caller leaves and `query_timeout` when its time is over, whatever becomes of the answer
   */
  join(key: string, start: Start<Value>, waiting: Waiting): Promise<Value> {
    if (this.#running.has(key)) return this.#join(key, start, waiting);
    const flight = new Flight(start);
    // Whoever asks first waits as long as the answer itself may take.
    const joined = flight.join({ signal: waiting.signal });
    void this.#run(key, flight);
    return joined;
  }

  #join(key: string, start: Start<Value>, waiting: Waiting): Promise<Value> {
    const known = this.#next.get(key);
    const next = known === undefined || known.abandoned ? new Flight(start) : known;
    this.#next.set(key, next);
    return next.join(waiting);
  }

  async #run(key: string, flight: Flight<Value>): Promise<void> {
    this.#running.set(key, flight);
    await flight.run();
    this.#running.delete(key);
    const next = this.#next.get(key);
    this.#next.delete(key);
    if (next !== undefined && !next.abandoned) void this.#run(key, next);
  }
}

/** One answer and those who wait for it. */
class Flight<Value> {
  readonly #start: Start<Value>;
  readonly #answer = Promise.withResolvers<Value>();
  readonly #everybodyLeft = new AbortController();
  #passengers = 0;

  constructor(start: Start<Value>) {
    this.#start = start;
    // Passengers who left do not hear of a failure.
    this.#answer.promise.catch(() => undefined);
  }

  get abandoned(): boolean {
    return this.#everybodyLeft.signal.aborted;
  }

  /** Never rejects: the passengers hear of a failure. */
  async run(): Promise<void> {
    await this.#start(this.#everybodyLeft.signal).then(this.#answer.resolve, this.#answer.reject);
  }

  join({ signal, timeoutMs }: Waiting): Promise<Value> {
    const { promise, resolve, reject } = Promise.withResolvers<Value>();
    this.#passengers += 1;
    const getOff = (reason: QueryFailedError): void => {
      reject(reason);
      this.#passengers -= 1;
      if (this.#passengers === 0) this.#everybodyLeft.abort();
    };
    const leave = (): void => getOff(new QueryFailedError('cancelled', 'The caller left.'));
    const expire = (): void => getOff(new QueryFailedError('query_timeout', `The query took longer than ${timeoutMs} ms.`));
    const timer = timeoutMs === undefined ? undefined : setTimeout(expire, timeoutMs);
    signal?.addEventListener('abort', leave, { once: true });
    if (signal?.aborted === true) leave();
    this.#answer.promise.then(resolve, reject);
    const arrive = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', leave);
    };
    return promise.finally(arrive);
  }
}
