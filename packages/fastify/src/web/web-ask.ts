import { unescape } from 'node:querystring';

import { Ask, type AskLog, requestId } from '../endpoint/ask.ts';

export interface WebFacts {
  /** Identifies the principal. Default: the request. */
  readonly origin?: unknown;
  readonly id?: string;
  readonly log?: AskLog | undefined;
  /** Default: unknown. */
  readonly address?: string;
  readonly path: string;
  /** The path of its route, such as `/models/:name`; '' where there is none. */
  readonly place: string;
}

export class WebAsk extends Ask {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly origin: unknown;
  readonly log: AskLog;
  readonly address: string;
  readonly isHttp10 = false;
  readonly response = undefined;
  status = 0;
  isSent = false;
  isOver = false;
  readonly #request: Request;
  readonly #place: string;
  readonly #listeners: (() => void)[] = [];

  constructor(request: Request, { origin, id, log, address = '', path, place }: WebFacts) {
    super();
    this.#request = request;
    this.#place = place;
    this.id = id ?? requestId(request.headers.get('x-request-id'));
    this.method = request.method;
    this.path = path;
    this.address = address;
    this.origin = origin ?? request;
    this.log = log ?? console;
    const leave = (): void => this.end(false);
    if (request.signal.aborted) leave();
    else request.signal.addEventListener('abort', leave, { once: true });
  }

  get isWritten(): boolean {
    return this.isSent;
  }

  header(name: string): string | undefined {
    return this.#request.headers.get(name) ?? undefined;
  }

  parameter(name: string): string {
    const at = this.#place.split('/').indexOf(`:${name}`);
    // Broken escapes name nothing.
    return unescape(this.path.split('/')[at] ?? '');
  }

  onEnd(listener: () => void): void {
    this.#listeners.push(listener);
  }

  /** The reply is out, or nobody reads it any longer. */
  end(isSent: boolean): void {
    if (this.isOver) return;
    this.isSent = isSent;
    this.isOver = true;
    for (const listener of this.#listeners) listener();
  }
}
