import { performance } from 'node:perf_hooks';

import { catalogueTag, type Engine } from '@proj/engine';

import type { Answer, Ask, Principal } from './ask.ts';
import { checkContentType } from './content-type.ts';
import { noteFailure, problemAnswer } from './problem-answer.ts';
import type { Route, Station } from './route.ts';
import { bodyReader } from './json-bytes.ts';

export interface PipelineParts {
  readonly engine: Pick<Engine, 'catalogue'>;
  /** @throws {HttpProblem} `unauthenticated` */
  readonly identify: (ask: Ask) => Principal | Promise<Principal>;
  /** In the order in which requests and replies pass them. */
  readonly stations?: readonly Station[];
  /** Runs the work of a route, such as in the context of a trace. Default: as it is. */
  readonly within?: ((ask: Ask, work: () => Promise<Answer>) => Promise<Answer>) | undefined;
  readonly publicUrl?: string | undefined;
}

const NOSNIFF = { 'x-content-type-options': 'nosniff' };

/** The way of a request to its endpoint, and of the reply back. */
export class Pipeline {
  readonly readBody = bodyReader();
  readonly #parts: PipelineParts;
  readonly #stations: readonly Station[];

  constructor(parts: PipelineParts) {
    this.#parts = parts;
    this.#stations = parts.stations ?? [];
  }

  /** @throws why a request may not pass, before its body is read */
  async open(route: Route, ask: Ask): Promise<void> {
    for (const station of this.#stations) station.arrive?.(ask, route);
    if (route.access === 'caller') {
      const started = performance.now();
      const found = this.#parts.identify(ask);
      ask.principal = found instanceof Promise ? await found : found;
      ask.accessMs = performance.now() - started;
    }
    for (const station of this.#stations) {
      const waiting = station.admit?.(ask, route);
      if (waiting !== undefined) await waiting;
    }
    route.check?.(ask);
    if (route.methods.includes('POST'))
      checkContentType(ask.header('content-type'), ask.header('content-encoding'));
  }

  /** @throws what {@link fail} answers */
  async answer(route: Route, ask: Ask): Promise<Answer> {
    const { within } = this.#parts;
    const answer = await (within?.(ask, async () => route.answer(ask)) ?? route.answer(ask));
    await this.#close(route, ask, answer);
    return answer;
  }

  async fail(route: Route, ask: Ask, error: unknown): Promise<Answer> {
    const problem = problemAnswer(ask, error, this.#parts.publicUrl);
    const send = this.#close(route, ask, problem);
    await send.catch((cause: unknown) => noteFailure(cause, ask, 'a problem was sent as it was'));
    return problem;
  }

  async #close(route: Route, ask: Ask, answer: Answer): Promise<void> {
    answer.headers = { 'x-request-id': ask.id, ...NOSNIFF, ...answer.headers };
    for (const station of this.#stations) {
      const waiting = station.leave?.(ask, answer);
      if (waiting !== undefined) await waiting;
    }
    if (answer.status === 200 && ask.principal !== undefined)
      answer.headers['catalogue-tag'] = catalogueTag(
        this.#parts.engine.catalogue,
        ask.principal.grant,
      );
    route.finish?.(ask, answer);
  }
}
