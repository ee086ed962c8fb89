import { Agent, type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';

import { onTestFinished } from 'vitest';

import { Ledger } from './ledger.ts';

const SIZE = 10;

/** A request that was refused while the database was away, by its moments. */
export interface Refusal {
  readonly from: number;
  readonly until: number;
}

/** How callers ask. */
export interface CallerOptions {
  /** `http://127.0.0.1:<port>` */
  readonly origin: string;
  readonly token: string;
  /** Each keeps one connection. */
  readonly count: number;
}

/** A page of the ledger, from its end or from its beginning. */
interface Page {
  readonly number: number;
  readonly fromEnd: boolean;
}

interface Reply {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

let lists = 0;

/**
 * Callers who ask for pages of the ledger again and again, send back the position that they were
 * shown last, and look whether each reply can be true.
 */
export class Callers {
  right = 0;
  fromReplica = 0;
  readonly refused: Refusal[] = [];
  /** Replies that no state of the ledger explains, in words. */
  readonly wrong: string[] = [];
  /** Replies that are older than what their caller had seen, or than they may be, in words. */
  readonly older: string[] = [];
  /** Requests without a reply, and replies of other errors. */
  readonly failed: string[] = [];
  readonly #ledger: Ledger;
  readonly #options: CallerOptions;
  readonly #stopping = new AbortController();
  #asking: Promise<unknown> = Promise.resolve();

  constructor(ledger: Ledger, options: CallerOptions) {
    this.#ledger = ledger;
    this.#options = options;
  }

  /** How many replies there were. */
  get replies(): number {
    return this.right + this.refused.length;
  }

  /** What is not as it has to be, in words. */
  get faults(): readonly string[] {
    return [...this.wrong, ...this.older, ...this.failed];
  }

  /** Asks until the test ends at the latest: others should not wait for callers that nobody needs. */
  start(): this {
    onTestFinished(() => this.stop());
    const callers = Array.from({ length: this.#options.count }, () => this.#askOnAndOn());
    this.#asking = Promise.all(callers);
    return this;
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#asking;
  }

  async #askOnAndOn(): Promise<void> {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const caller = { seen: 0, position: undefined as string | undefined };
    while (!this.#stopping.signal.aborted) {
      const page = somePage(this.#ledger.length);
      const from = performance.now();
      const reply = await this.#ask(agent, page, caller.position).catch(String);
      if (typeof reply === 'string') this.failed.push(reply);
      else if (reply.status === 200) this.#judge(reply, { page, caller, from });
      else if (isRefusal(reply)) this.refused.push({ from, until: performance.now() });
      else this.failed.push(`${reply.status} ${reply.body}`);
    }
    agent.destroy();
  }

  #ask(agent: Agent, page: Page, position: string | undefined): Promise<Reply> {
    const { promise, resolve, reject } = Promise.withResolvers<Reply>();
    const { origin, token } = this.#options;
    const headers = {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      ...(position !== undefined && { 'data-at-least': position }),
    };
    request(`${origin}/api/v1/dynamic/query`, { agent, method: 'POST', headers })
      .on('response', (response) => void readReply(response).then(resolve, reject))
      .on('error', reject)
      .end(JSON.stringify(bodyOf(page)));
    return promise;
  }

  #judge({ headers, body }: Reply, { page, caller, from }: Asked): void {
    const reply = JSON.parse(body) as { result: { id: number }[]; page: { total: string } };
    const total = Number(reply.page.total);
    const ageMs = Number(headers['data-age'] ?? 0) * 1000;
    const shown = reply.result.map(({ id }) => id).join();
    const promised = this.#ledger.lengthAt(from - ageMs);
    const isTrue = shown === idsOf(page, total) && total <= this.#ledger.length + 1;
    const words = `page ${page.number} of ${total} records, where ${caller.seen} were shown and`;
    if (!isTrue) this.wrong.push(`${words} ${promised} were there: ${shown}`);
    else if (total < Math.max(caller.seen, promised))
      this.older.push(`${words} ${promised} were there`);
    else this.right += 1;
    if (ageMs > 0) this.fromReplica += 1;
    caller.seen = Math.max(caller.seen, total);
    caller.position = headers['data-position'] as string | undefined;
  }
}

/** What was asked, by whom and when. */
interface Asked {
  readonly page: Page;
  readonly caller: { seen: number; position: string | undefined };
  readonly from: number;
}

async function readReply(response: IncomingMessage): Promise<Reply> {
  const { statusCode: status = 0, headers } = response;
  return { status, headers, body: await text(response) };
}

/** One of the first pages, the last one, or any. */
function somePage(length: number): Page {
  const pages = Math.ceil(length / SIZE);
  const number = Math.random() < 0.5 ? 1 : 1 + Math.floor(Math.random() * pages);
  return { number, fromEnd: Math.random() < 0.5 };
}

/** Every fourth list is one that nobody has asked for, so that it has to be counted. */
function bodyOf({ number, fromEnd }: Page): object {
  lists += 1;
  const filter = { attribute: 'id', op: 'gt', value: -lists };
  return {
    query_model: 'ledger',
    query_attributes: ['id'],
    query_sort: [{ attribute: 'id', direction: fromEnd ? 'desc' : 'asc' }],
    ...(lists % 4 === 0 && { query_filter: filter }),
    page: { page: number, size: SIZE },
  };
}

/** What a page shows while there are so many records. */
function idsOf({ number, fromEnd }: Page, total: number): string {
  const places = Array.from({ length: SIZE }, (_, index) => (number - 1) * SIZE + index + 1);
  const there = places.filter((place) => place <= total);
  return there.map((place) => (fromEnd ? total + 1 - place : place)).join();
}

/** Queries that wait for a database which is away may be as many as the service lets wait. */
const REFUSALS = new Set(['database_unavailable', 'overloaded']);

function isRefusal({ status, headers, body }: Reply): boolean {
  return (
    status === 503 &&
    headers['content-type']?.startsWith('application/problem+json') === true &&
    headers['retry-after'] !== undefined &&
    REFUSALS.has((JSON.parse(body) as { code: string }).code)
  );
}
