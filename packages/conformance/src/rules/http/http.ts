import { API_PATHS } from '@proj/contract';

import { demand, demandEqual, demandProblem } from '../../demand.ts';
import { rulesOf } from '../../rule.ts';
import { headerWords, type Reply } from '../../subject/send.ts';

/** The header in place of `Bearer <token>`. */
const WRONG_TOKENS = [
  'Bearer',
  'Bearer ',
  'Bearer not-a-token-0000000000',
  'Basic dXNlcjpwYXNz',
  'not-a-token-0000000000',
  'Bearer not a token',
];

const WRONG_TYPES = [
  'text/plain',
  'application/x-www-form-urlencoded',
  'application/jsonx',
  'application/json; charset=latin1',
  null,
];

function demandChallenge(reply: Reply, of: string): string {
  demandProblem(reply, of, 'unauthenticated');
  const challenge = reply.headers.get('www-authenticate') ?? 'none';
  const isBearer = /^Bearer\b/i.test(challenge);
  demand(isBearer, `${of}: expected WWW-Authenticate: Bearer …; got ${challenge}`);
  return challenge;
}

/** Tokens, media types, paths and methods. */
export const HTTP_RULES = [
  ...rulesOf('access', {
    'token-required': {
      sentence:
        'A request without a token is answered with 401 and WWW-Authenticate: Bearer, which ' +
        'says nothing of an error.',
      check: async (subject) => {
        const reply = await subject.ask({ authorization: null });
        const challenge = demandChallenge(reply, 'no token');
        demand(!/error=/.test(challenge), 'no token: expected a challenge without error=');
      },
    },
    'token-valid': {
      sentence:
        'A token that is malformed or unknown is answered with 401 and WWW-Authenticate: Bearer.',
      check: async (subject) => {
        for (const authorization of WRONG_TOKENS)
          demandChallenge(await subject.ask({ authorization }), `Authorization: ${authorization}`);
      },
    },
    'token-first': {
      sentence:
        'The token is looked at before the body: without one, a body that is not JSON is ' +
        'answered with 401.',
      check: async (subject) => {
        for (const body of ['{', JSON.stringify({ query_model: 'no such model' })]) {
          const reply = await subject.query(body, { headers: { authorization: null } });
          demandChallenge(reply, `no token and the body ${body}`);
        }
      },
    },
  }),
  ...rulesOf('the-catalogue', {
    'token-catalogue': {
      sentence: 'The catalogue needs a token too.',
      check: async ({ send }) => {
        const reply = await send({ path: API_PATHS.models, headers: { authorization: null } });
        demandChallenge(reply, 'the catalogue without a token');
      },
    },
  }),
  ...rulesOf('the-query', {
    'content-type': {
      sentence:
        'Bodies are application/json in UTF-8; other types, and none, are answered with 415.',
      check: async (subject) => {
        for (const type of WRONG_TYPES) {
          const reply = await subject.ask({ 'content-type': type });
          demandProblem(reply, `content type ${type ?? 'absent'}`, 'unsupported_media_type');
        }
        const type = 'Application/JSON; charset=UTF-8';
        const { status } = await subject.ask({ 'content-type': type });
        demandEqual(status, 200, `content type ${type}: the status`);
      },
    },
  }),
  ...rulesOf('the-reply', {
    'reply-type': {
      sentence: 'A reply is application/json.',
      check: async (subject) => {
        const { reply } = await subject.first(1);
        const type = reply.headers.get('content-type') ?? 'none';
        const isJson = /^application\/json\s*(?:;|$)/i.test(type);
        demand(isJson, `expected the content type application/json; got ${type}`);
      },
    },
  }),
  ...rulesOf('problems', {
    'not-found': {
      sentence: 'A path that is not there is answered with 404, whatever the body.',
      check: async ({ send }) => {
        const reply = await send({ path: 'api/v1/dynamic/no-such-path', body: '{' });
        demandProblem(reply, 'an unknown path', 'not_found');
      },
    },
    'method-not-allowed': {
      sentence: 'A method that a path does not take is answered with 405 and Allow.',
      check: async (subject) => {
        const calls = [
          ['GET', API_PATHS.query, 'post'],
          ['PUT', API_PATHS.query, 'post'],
          ['DELETE', API_PATHS.models, 'get'],
        ] as const;
        const hasCatalogue = await subject.has('the-catalogue');
        const tried = calls.filter(([, path]) => hasCatalogue || path !== API_PATHS.models);
        for (const [method, path, allowed] of tried) {
          const reply = await subject.send({ method, path });
          demandProblem(reply, `${method} ${path}`, 'method_not_allowed');
          const allow = headerWords(reply, 'allow');
          demand(
            allow.includes(allowed),
            `${method} ${path}: expected Allow with ${allowed}; got ${allow.join(', ')}`,
          );
        }
      },
    },
    'not-acceptable': {
      sentence: 'A caller that takes no JSON is answered with 406.',
      check: async (subject) => {
        const reply = await subject.ask({ accept: 'text/csv' });
        demandProblem(reply, 'Accept: text/csv', 'not_acceptable');
      },
    },
  }),
  ...rulesOf('health', {
    health: {
      sentence: '/livez and /readyz answer 200 without a token.',
      check: async ({ send }) => {
        for (const path of ['livez', 'readyz']) {
          const { status } = await send({ path, headers: { authorization: null } });
          demandEqual(status, 200, `/${path}: the status`);
        }
      },
    },
  }),
];
