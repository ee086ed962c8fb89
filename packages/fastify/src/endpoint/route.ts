import type { Answer, Ask } from './ask.ts';

export interface Route<Asked extends Ask = Ask> {
  readonly methods: readonly string[];
  /** Relative to the base URL, such as `models/:name`. */
  readonly path: string;
  /** Whether the caller is identified. */
  readonly access: 'public' | 'caller';
  /** Whether it reads records, which is counted and audited. */
  readonly reads?: true;
  /** Refuses invalid requests before the body is read. */
  check?(ask: Asked): void;
  answer(ask: Asked): Answer | Promise<Answer>;
  /** Adds to a reply, also to a problem. */
  finish?(ask: Asked, answer: Answer): void;
}

/** Requests pass it on the way to an endpoint and back; it refuses by throwing. */
export interface Station {
  /** Before the caller is identified. */
  arrive?(ask: Ask, route: Route): void;
  /** After that, before the body is read. */
  admit?(ask: Ask, route: Route): Promise<void> | undefined;
  /** Before the reply is sent, also a problem. */
  leave?(ask: Ask, answer: Answer): Promise<void> | undefined;
}
