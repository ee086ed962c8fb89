import { Ask, type AskLog, requestId, SILENT } from '../endpoint/ask.ts';

export interface WebFacts {
  /** Identifies the principal. Default: the request. */
  readonly origin?: unknown;
  readonly id?: string;
  readonly log?: AskLog | undefined;
  /** Default: unknown. */
  readonly address?: string;
  readonly path: string;
  readonly parameters: Readonly<Record<string, string>>;
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
  body: unknown;
  status = 0;
  readonly #request: Request;
  readonly #parameters: WebFacts['parameters'];
  readonly #listeners: (() => void)[] = [];
  #isSent = false;
  #isOver = false;

  constructor(request: Request, { origin, id, log, address = '', path, parameters }: WebFacts) {
    super();
    this.#request = request;
    this.#parameters = parameters;
    this.id = id ?? requestId(request.headers.get('x-request-id'));
    this.method = request.method;
    this.path = path;
    this.address = address;
    this.origin = origin ?? request;
    this.log = log ?? SILENT;
    const leave = (): void => this.end(false);
    if (request.signal.aborted) leave();
    else request.signal.addEventListener('abort', leave, { once: true });
  }

  get isWritten(): boolean {
    return this.#isSent;
  }

  get isSent(): boolean {
    return this.#isSent;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  header(name: string): string | undefined {
    return this.#request.headers.get(name) ?? undefined;
  }

  parameter(name: string): string {
    return String(this.#parameters[name]);
  }

  onEnd(listener: () => void): void {
    this.#listeners.push(listener);
  }

  /** The reply is out, or nobody reads it any longer. */
  end(isSent: boolean): void {
    if (this.#isOver) return;
    this.#isSent = isSent;
    this.#isOver = true;
    for (const listener of this.#listeners) listener();
  }
}
