import { HttpProblem } from './problems.ts';
import type { Route } from './route.ts';

/** Where there is no route: a problem passes one too. */
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

/** Methods that are answered where GET is, or by what shares resources with other origins. */
const BESIDES: ReadonlySet<string> = new Set(['HEAD', 'OPTIONS']);

/** Routes that answer 405 to all other of these methods, on the paths of some routes. */
export function refusals(routes: readonly Route[], methods: readonly string[]): Route[] {
  return [...Map.groupBy(routes, ({ path }) => path)].map(([path, ofPath]) => {
    const allowed = ofPath.flatMap((route) => route.methods);
    const isOther = (method: string): boolean =>
      !BESIDES.has(method) && !allowed.some((one) => one === method);
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
