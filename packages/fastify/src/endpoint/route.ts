import type { Answer, Ask } from './ask.ts';

/** A path, and what answers there. */
export interface Route<Asked extends Ask = Ask> {
  readonly methods: readonly string[];
  /** Relative to the base URL, such as `models/:name`. */
  readonly path: string;
  /** Whether it asks who calls. */
  readonly access: 'public' | 'caller';
  /** Whether it reads records: that is counted and written down. */
  readonly reads?: true;
  /** Refuses by an error what is no request for the path, before the body is read. */
  check?(ask: Asked): void;
  answer(ask: Asked): Answer | Promise<Answer>;
  /** Adds to a reply, a problem too. */
  finish?(ask: Asked, answer: Answer): void;
}

/** What a request passes on its way to an endpoint and back; it refuses by an error. */
export interface Station {
  /** Before it is known who asks. */
  arrive?(ask: Ask, route: Route): void;
  /** When that is known, before the body is read. */
  admit?(ask: Ask, route: Route): Promise<void> | undefined;
  /** Before the reply is sent, a problem too. */
  leave?(ask: Ask, answer: Answer): Promise<void> | undefined;
}
