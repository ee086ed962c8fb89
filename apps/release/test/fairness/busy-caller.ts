import { until } from '@proj/test-servers';

/** A request that a caller repeats. */
export interface Repeated {
  readonly path: string;
  /** Its body; none for a request of `GET`. */
  readonly body?: (turn: number) => object;
  /** Whether it names the entity tag of its own reply, so that it is answered with 304. */
  readonly holdsReply?: boolean;
}

const CONNECTIONS = 64;

/** So many more replies show that it has asked at the same time. */
const SOME_REPLIES = 2 * CONNECTIONS;

const MOST_SHOWN = 10;

/** A caller that repeats a request over many connections until it is stopped. */
export class BusyCaller {
  /** Replies of another status than that of the first one that it was to have, in words. */
  readonly wrong: string[] = [];
  readonly #repeated: Repeated;
  readonly #url: string;
  readonly #headers: Record<string, string>;
  readonly #stopping = new AbortController();
  #turns = 0;
  #answers = 0;
  #asking: Promise<unknown> = Promise.resolve();

  private constructor(repeated: Repeated, origin: string, token: string) {
    this.#repeated = repeated;
    this.#url = `${origin}/${repeated.path}`;
    const type = repeated.body && { 'content-type': 'application/json' };
    this.#headers = { authorization: `Bearer ${token}`, ...type };
  }

  static async start(repeated: Repeated, origin: string, token: string): Promise<BusyCaller> {
    const caller = new BusyCaller(repeated, origin, token);
    if (repeated.holdsReply === true) {
      const first = await caller.#ask();
      caller.#headers['if-none-match'] = first.headers.get('etag') ?? '';
    }
    caller.#asking = Promise.all(Array.from({ length: CONNECTIONS }, () => caller.#askOnAndOn()));
    return caller;
  }

  /** Waits for more replies. */
  async answeredMore(): Promise<void> {
    const goal = this.#answers + SOME_REPLIES;
    await until(() => this.#answers >= goal);
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#asking;
  }

  async #askOnAndOn(): Promise<void> {
    const expected = this.#repeated.holdsReply === true ? 304 : 200;
    while (!this.#stopping.signal.aborted) {
      const reply = await this.#ask();
      this.#answers += 1;
      if (reply.status === expected || this.wrong.length === MOST_SHOWN) continue;
      this.wrong.push(`${reply.status}: ${reply.text.slice(0, 200)}`);
    }
  }

  async #ask(): Promise<{ status: number; headers: Headers; text: string }> {
    const { body, holdsReply } = this.#repeated;
    const reply = await fetch(this.#url, {
      // Only a method that is safe is answered with 304.
      method: body === undefined ? 'GET' : holdsReply === true ? 'QUERY' : 'POST',
      headers: this.#headers,
      ...(body && { body: JSON.stringify(body(this.#turns++)) }),
    });
    return { status: reply.status, headers: reply.headers, text: await reply.text() };
  }
}
