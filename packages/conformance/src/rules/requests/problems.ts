import { API_PATHS } from '@proj/contract';

import { membersOf } from '../../subject/json-object.ts';
import { type Rule } from '../../rule.ts';
import { demand, given } from '../../demand.ts';
import type { Reply } from '../../subject/send.ts';
import type { Subject } from '../../subject/subject.ts';

/** Refusals of several kinds; a request that is answered breaks another rule. */
async function problemsToTry(subject: Subject): Promise<Reply[]> {
  const replies = await Promise.all([
    subject.query('{'),
    subject.query(subject.body({ page: { page: 0, size: 1 } })),
    subject.query(subject.body({ query_model: 'no such model' })),
    subject.query(subject.body(), { headers: { authorization: null } }),
    subject.query(subject.body(), { headers: { 'content-type': 'text/plain' } }),
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

export const PROBLEM_RULES: readonly Rule[] = [
  {
    id: 'problem-type',
    sentence: 'A refusal is a problem document: its content type is application/problem+json.',
    section: 'problems',
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
  {
    id: 'problem-members',
    sentence:
      'A problem document has type, title, status, detail, code and request_id; type is ' +
      '/problems/<code>, relative to the server or after its public URL.',
    section: 'problems',
    check: async (subject) => {
      for (const { status, json, text } of await problemsToTry(subject)) {
        const problem = membersOf(json);
        for (const name of ['type', 'title', 'detail', 'code', 'request_id']) {
          demand(
            typeof problem[name] === 'string' && problem[name] !== '',
            `status ${status}: expected a string ${name}; got ${text.slice(0, 200)}`,
          );
        }
        demand(
          problem['status'] === status,
          `expected the member status ${status}; got ${JSON.stringify(problem['status'])}`,
        );
        demand(
          isTypeOf(problem['code'], problem['type']),
          `expected the type /problems/${String(problem['code'])}; got ` +
            JSON.stringify(problem['type']),
        );
      }
    },
  },
  {
    id: 'problem-page',
    sentence: "The server answers a problem's type with a page that explains it.",
    section: 'problems',
    check: async (subject) => {
      for (const { json } of await problemsToTry(subject)) {
        const type = membersOf(json)['type'];
        demand(typeof type === 'string', 'expected a problem document with a type');
        const { status } = await subject.send({
          path: type.replace(/^.*\/(?=problems\/)/, ''),
          headers: { authorization: null, accept: '*/*' },
        });
        demand(status === 200, `GET ${type}: expected status 200; got ${status}`);
      }
    },
  },
  {
    id: 'problem-silence',
    sentence: 'A problem reveals nothing internal: no SQL, no stack, no file names.',
    section: 'problems',
    check: async (subject) => {
      for (const { text } of await problemsToTry(subject)) {
        const leak = /\bSELECT\b|\bFROM "|\n\s+at |node_modules|\.[jt]s:\d+|\.py"|Traceback/.exec(
          text,
        );
        demand(leak === null, `expected nothing of the inside; got ${JSON.stringify(leak?.[0])}`);
      }
    },
  },
];
