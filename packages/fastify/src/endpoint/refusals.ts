import { HttpProblem } from './problems.ts';
import type { Route } from './route.ts';

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
    const allowed = ofPath.flatMap((route) => route.methods);
    // Where GET is, HEAD is.
    const isOther = (method: string): boolean =>
      !allowed.includes(method === 'HEAD' ? 'GET' : method);
    return {
      methods: methods.filter(isOther),
      path,
      access: 'public',
      check: () => {
        throw notAllowed(allowed);
      },
      answer: NOWHERE.answer.bind(NOWHERE),
    };
  });
}

export function notAllowed(allowed: readonly string[]): HttpProblem {
  const methods = [...allowed, ...(allowed.includes('GET') ? ['HEAD'] : [])];
  const allow = methods.toSorted().join(', ');
  return new HttpProblem('method_not_allowed', `This path takes ${allow}.`, { headers: { allow } });
}
