import { API_PATHS } from '@proj/contract';

import { demand, demandEqual, given } from '../../demand.ts';
import { rulesOf } from '../../rule.ts';
import { membersOf } from '../../subject/json.ts';
import type { Reply } from '../../subject/send.ts';
import type { Subject } from '../../subject/subject.ts';

/** Refusals of several kinds; a request that is answered breaks another rule. */
async function problemsToTry(subject: Subject): Promise<Reply[]> {
  const replies = await Promise.all([
    subject.query('{'),
    subject.query(subject.body({ page: { page: 0, size: 1 } })),
    subject.query(subject.body({ query_model: 'no such model' })),
    subject.ask({ authorization: null }),
    subject.ask({ 'content-type': 'text/plain' }),
    subject.send({ path: 'api/v1/dynamic/no-such-path' }),
    subject.send({ path: API_PATHS.query }),
  ]);
  const refusals = replies.filter(({ status }) => status >= 400);
  return given(refusals.length > 0 ? refusals : undefined, 'the server refuses nothing');
}

function isTypeOf(code: unknown, type: unknown): boolean {
  const end = `/problems/${String(code)}`;
  return (
    typeof type === 'string' && (type === end || (/^https?:/.test(type) && type.endsWith(end)))
  );
}

export const PROBLEM_RULES = rulesOf('problems', {
  'problem-type': {
    sentence: 'A refusal is a problem document: its content type is application/problem+json.',
    check: async (subject) => {
      for (const { status, headers } of await problemsToTry(subject)) {
        const type = headers.get('content-type') ?? 'none';
        demand(
          /^application\/problem\+json\s*(?:;|$)/i.test(type),
          `status ${status}: expected application/problem+json; got ${type}`,
        );
      }
    },
  },
  'problem-members': {
    sentence:
      'A problem document has type, title, status, detail, code and request_id; type is ' +
      '/problems/<code>, relative to the server or after its public URL.',
    check: async (subject) => {
      for (const { status, json, text } of await problemsToTry(subject)) {
        const problem = membersOf(json);
        for (const name of ['type', 'title', 'detail', 'code', 'request_id']) {
          demand(
            typeof problem[name] === 'string' && problem[name] !== '',
            `status ${status}: expected a string ${name}; got ${text.slice(0, 200)}`,
          );
        }
        demandEqual(problem['status'], status, 'the member status');
        const { code, type } = problem;
        const what = `the type /problems/${String(code)}`;
        demand(isTypeOf(code, type), `expected ${what}; got ${JSON.stringify(type)}`);
      }
    },
  },
  'problem-page': {
    sentence: "The server answers a problem's type with a page that explains it.",
    check: async (subject) => {
      for (const { json } of await problemsToTry(subject)) {
        const type = membersOf(json)['type'];
        demand(typeof type === 'string', 'expected a problem document with a type');
        const { status } = await subject.send({
          path: type.replace(/^.*\/(?=problems\/)/, ''),
          headers: { authorization: null, accept: '*/*' },
        });
        demandEqual(status, 200, `GET ${type}: the status`);
      }
    },
  },
  'problem-silence': {
    sentence: 'A problem reveals nothing internal: no SQL, no stack, no file names.',
    check: async (subject) => {
      for (const { text } of await problemsToTry(subject)) {
        const leak = /\bSELECT\b|\bFROM "|\n\s+at |node_modules|\.[jt]s:\d+|\.py"|Traceback/.exec(
          text,
        );
        demand(leak === null, `expected nothing of the inside; got ${JSON.stringify(leak?.[0])}`);
      }
    },
  },
});
