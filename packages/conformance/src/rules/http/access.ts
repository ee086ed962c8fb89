import { API_PATHS } from '@proj/contract';

import { demandProblem } from '../../demand-problem.ts';
import { type Rule } from '../../rule.ts';
import { demand } from '../../demand.ts';
import type { Reply } from '../../subject/send.ts';

/** The header in place of `Bearer <token>`. */
const WRONG = [
  'Bearer',
  'Bearer ',
  'Bearer not-a-token-0000000000',
  'Basic dXNlcjpwYXNz',
  'not-a-token-0000000000',
  'Bearer not a token',
];

function demandChallenge(reply: Reply, of: string): void {
  demandProblem(reply, { of, status: 401, code: 'unauthenticated' });
  const challenge = reply.headers.get('www-authenticate') ?? 'none';
  demand(
    /^Bearer\b/i.test(challenge),
    `${of}: expected WWW-Authenticate: Bearer …; got ${challenge}`,
  );
}

export const ACCESS_RULES: readonly Rule[] = [
  {
    id: 'token-required',
    sentence:
      'A request without a token is answered with 401 and WWW-Authenticate: Bearer, which ' +
      'says nothing of an error.',
    section: 'access',
    check: async (subject) => {
      const reply = await subject.query(subject.body(), { headers: { authorization: null } });
      demandChallenge(reply, 'no token');
      demand(
        !/error=/.test(reply.headers.get('www-authenticate') ?? ''),
        'no token: expected a challenge without error=',
      );
    },
  },
  {
    id: 'token-valid',
    sentence:
      'A token that is malformed or unknown is answered with 401 and WWW-Authenticate: Bearer.',
    section: 'access',
    check: async (subject) => {
      for (const authorization of WRONG) {
        demandChallenge(
          await subject.query(subject.body(), { headers: { authorization } }),
          `Authorization: ${authorization}`,
        );
      }
    },
  },
  {
    id: 'token-first',
    sentence:
      'The token is looked at before the body: without one, a body that is not JSON is ' +
      'answered with 401.',
    section: 'access',
    check: async (subject) => {
      for (const body of ['{', JSON.stringify({ query_model: 'no such model' })]) {
        demandChallenge(
          await subject.query(body, { headers: { authorization: null } }),
          `no token and the body ${body}`,
        );
      }
    },
  },
  {
    id: 'token-catalogue',
    sentence: 'The catalogue needs a token too.',
    section: 'the-catalogue',
    check: async (subject) => {
      demandChallenge(
        await subject.send({ path: API_PATHS.models, headers: { authorization: null } }),
        'the catalogue without a token',
      );
    },
  },
];
