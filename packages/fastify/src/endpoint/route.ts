import type { Answer, Ask } from './ask.ts';
import { HttpProblem } from './problems.ts';

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
  admit?(ask: Ask, route: Route): void | Promise<void>;
  /** Before the reply is sent, also a problem. */
  leave?(ask: Ask, answer: Answer): void | Promise<void>;
}

export interface Place<Of extends Route = Route> {
  readonly path: string;
  readonly routes: readonly Of[];
}

export class Places<Of extends Route = Route> {
  readonly #places: readonly (Place<Of> & { readonly parts: readonly string[] })[];

  /** @param prefix precedes the paths, such as `/data` */
  constructor(routes: readonly Of[], prefix = '') {
    const byPath = Map.groupBy(routes, ({ path }) => `${prefix}/${path}`);
    this.#places = Array.from(byPath, ([path, ofPath]) => {
      return { path, parts: path.split('/'), routes: ofPath };
    });
  }

  at(path: string): Place<Of> | undefined {
    const asked = path.split('/');
    return this.#places.find(
      ({ parts }) =>
        parts.length === asked.length &&
        parts.every((part, index) => (part.startsWith(':') ? asked[index] : asked[index] === part)),
    );
  }
}

/** For requests without a route, whose problems pass the stations too. */
export const NOWHERE: Route = {
  methods: [],
  path: '',
  access: 'public',
  answer: () => {
    throw nothingHere();
  },
};

export function nothingHere(): HttpProblem {
  return new HttpProblem('not_found', 'Nothing is at this path.');
}

/** Answers 405 to all other methods on the paths of some routes. */
export function refusals(routes: readonly Route[], methods: readonly string[]): Route[] {
  return [...Map.groupBy(routes, ({ path }) => path)].map(([path, ofPath]) => {
    const allowed = allowedBy(ofPath);
    const isOther = (method: string): boolean => !allowed.includes(method);
    return {
      methods: methods.filter(isOther),
      path,
      access: 'public',
      check: () => {
        throw notAllowed(ofPath);
      },
      answer: NOWHERE.answer.bind(NOWHERE),
    };
  });
}

/** Where GET is, HEAD is. */
function allowedBy(routes: readonly Route[]): string[] {
  return routes.flatMap(({ methods }) =>
    methods.includes('GET') ? [...methods, 'HEAD'] : methods,
  );
}

export function notAllowed(routes: readonly Route[]): HttpProblem {
  const allow = allowedBy(routes).toSorted().join(', ');
  return new HttpProblem('method_not_allowed', `This path takes ${allow}.`, { headers: { allow } });
}
