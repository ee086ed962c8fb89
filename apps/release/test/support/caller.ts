import { Agent, type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';

/** A request and how it ended: with a status, or with the code of an error. */
export interface Asked {
  /** Its `X-Request-Id`. */
  readonly id: string;
  readonly outcome: number | string;
}

const PAUSE_MS = 5;

/**
 * A client that asks over and over, on one connection for as long as the server keeps it. It ends
 * when the server says that it closes the connection.
 */
export class Caller {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 });
  readonly #url: string;
  readonly #token: string;
  readonly #name = crypto.randomUUID();
  readonly asked: Asked[] = [];
  /** The body of its next requests. */
  body: object;
  readonly ended: Promise<void>;
  #isEnding = false;

  constructor(url: string, token: string, body: object) {
    this.#url = url;
    this.#token = token;
    this.body = body;
    this.ended = this.#askOnAndOn();
  }

  /** How its failed requests ended. */
  get failures(): readonly Asked['outcome'][] {
    return this.asked.map(({ outcome }) => outcome).filter((outcome) => outcome !== 200);
  }

  async end(): Promise<void> {
    this.#isEnding = true;
    await this.ended;
  }

  async #askOnAndOn(): Promise<void> {
    while (!this.#isEnding) {
      const id = `${this.#name}:${this.asked.length}`;
      this.asked.push({ id, outcome: await this.#ask(id).catch(codeOf) });
      // The pace of a caller is the load.
      await setTimeout(PAUSE_MS);
    }
    this.#agent.destroy();
  }

  async #ask(id: string): Promise<number> {
    const headers = {
      authorization: `Bearer ${this.#token}`,
      'content-type': 'application/json',
      'x-request-id': id,
    };
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
    request(this.#url, { agent: this.#agent, method: 'POST', headers })
      .on('response', resolve)
      .on('error', reject)
      .end(JSON.stringify(this.body));
    const reply = await promise;
    await text(reply);
    this.#isEnding ||= reply.headers.connection === 'close';
    return reply.statusCode ?? 0;
  }
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? String(error);
}
