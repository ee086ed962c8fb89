import { API_PATHS } from '@proj/contract';

import { demandProblem } from '../../demand-problem.ts';
import { type Rule } from '../../rule.ts';
import { demand } from '../../demand.ts';
import type { Subject } from '../../subject/subject.ts';

async function refusedType(subject: Subject, type: string | null): Promise<void> {
  const reply = await subject.query(subject.body(), { headers: { 'content-type': type } });
  demandProblem(reply, {
    of: `content type ${type ?? 'absent'}`,
    status: 415,
    code: 'unsupported_media_type',
  });
}

/** Media types, paths and methods. */
export const HTTP_RULES: readonly Rule[] = [
  {
    id: 'content-type',
    sentence: 'Bodies are application/json in UTF-8; other types, and none, are answered with 415.',
    section: 'the-query',
    check: async (subject) => {
      for (const type of [
        'text/plain',
        'application/x-www-form-urlencoded',
        'application/jsonx',
        'application/json; charset=latin1',
        null,
      ]) {
        await refusedType(subject, type);
      }
      const { status } = await subject.query(subject.body(), {
        headers: { 'content-type': 'Application/JSON; charset=UTF-8' },
      });
      demand(
        status === 200,
        `content type "Application/JSON; charset=UTF-8": expected status 200; got ${status}`,
      );
    },
  },
  {
    id: 'reply-type',
    sentence: 'A reply is application/json.',
    section: 'the-reply',
    check: async (subject) => {
      const { reply } = await subject.read({ page: 1, size: 1 });
      const type = reply.headers.get('content-type') ?? 'none';
      demand(
        /^application\/json\s*(?:;|$)/i.test(type),
        `expected the content type application/json; got ${type}`,
      );
    },
  },
  {
    id: 'not-found',
    sentence: 'A path that is not there is answered with 404, whatever the body.',
    section: 'problems',
    check: async (subject) => {
      const reply = await subject.send({ path: 'api/v1/dynamic/no-such-path', body: '{' });
      demandProblem(reply, { of: 'an unknown path', status: 404, code: 'not_found' });
    },
  },
  {
    id: 'method-not-allowed',
    sentence: 'A method that a path does not take is answered with 405 and Allow.',
    section: 'problems',
    check: async (subject) => {
      const calls = [
        ['GET', API_PATHS.query, 'POST'],
        ['PUT', API_PATHS.query, 'POST'],
        ['DELETE', API_PATHS.models, 'GET'],
      ] as const;
      const hasCatalogue = await subject.has('the-catalogue');
      const tried = calls.filter(([, path]) => hasCatalogue || path !== API_PATHS.models);
      for (const [method, path, allowed] of tried) {
        const reply = await subject.send({ method, path });
        demandProblem(reply, { of: `${method} ${path}`, status: 405, code: 'method_not_allowed' });
        const allow = reply.headers.get('allow') ?? 'none';
        demand(
          allow.split(/\s*,\s*/).includes(allowed),
          `${method} ${path}: expected Allow with ${allowed}; got ${allow}`,
        );
      }
    },
  },
  {
    id: 'not-acceptable',
    sentence: 'A caller that takes no JSON is answered with 406.',
    section: 'problems',
    check: async (subject) => {
      const reply = await subject.query(subject.body(), { headers: { accept: 'text/csv' } });
      demandProblem(reply, { of: 'Accept: text/csv', status: 406, code: 'not_acceptable' });
    },
  },
  {
    id: 'health',
    sentence: '/livez and /readyz answer 200 without a token.',
    section: 'health',
    check: async (subject) => {
      for (const path of ['livez', 'readyz']) {
        const { status } = await subject.send({ path, headers: { authorization: null } });
        demand(status === 200, `/${path}: expected status 200; got ${status}`);
      }
    },
  },
];
