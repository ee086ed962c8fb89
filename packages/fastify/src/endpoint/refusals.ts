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

/** @param routes what is at the path */
export function notAllowed(routes: readonly Route[]): HttpProblem {
  const allow = allowedBy(routes).toSorted().join(', ');
  return new HttpProblem('method_not_allowed', `This path takes ${allow}.`, { headers: { allow } });
}
