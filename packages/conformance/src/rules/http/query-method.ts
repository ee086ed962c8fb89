import { API_PATHS } from '@proj/contract';

import { demand, demandEqual, NotTried } from '../../demand.ts';
import { demandProblem } from '../../demand-problem.ts';
import type { JsonObject } from '../../subject/json-object.ts';
import type { Rule } from '../../rule.ts';
import type { Call, Reply } from '../../subject/send.ts';
import type { Subject } from '../../subject/subject.ts';

/** Every header that a reply to QUERY depends on. */
const VARY = ['accept', 'accept-encoding', 'authorization', 'origin'];

/** Asks by QUERY, where replies to POST say that the server takes it. */
async function askByQuery(
  subject: Subject,
  body: JsonObject,
  headers: Call['headers'] = {},
): Promise<Reply> {
  const posted = await subject.query(subject.body());
  const types = (posted.headers.get('accept-query') ?? '').toLowerCase().split(/[\s,;"]+/);
  if (!types.includes('application/json'))
    throw new NotTried('the server does not say in Accept-Query that it takes QUERY');
  return subject.query(body, { method: 'QUERY', headers });
}

async function tagOf(subject: Subject, body: JsonObject): Promise<string> {
  const { status, headers } = await askByQuery(subject, body);
  const tag = headers.get('etag');
  demand(status === 200 && tag !== null, `expected status 200 with an ETag; got ${status}, ${tag}`);
  return tag;
}

function words(headers: Headers, name: string): readonly string[] {
  return (headers.get(name) ?? '').toLowerCase().split(/\s*,\s*/);
}

/** The method QUERY (RFC 10008), and what it saves. */
export const QUERY_METHOD_RULES: readonly Rule[] = [
  {
    id: 'query-method-reply',
    sentence: 'QUERY answers as POST does, byte for byte, with a strong ETag.',
    section: 'the-method-query',
    check: async (subject) => {
      const reply = await askByQuery(subject, subject.body());
      demandEqual(reply.status, 200, 'the status');
      demandEqual(reply.text, (await subject.query(subject.body())).text, 'the reply to QUERY');
      const tag = reply.headers.get('etag') ?? 'none';
      demand(/^"[^"]+"$/.test(tag), `expected a strong ETag; got ${tag}`);
    },
  },
  {
    id: 'query-method-tag',
    sentence: 'The ETag is the same for the same reply, and another one for another page.',
    section: 'the-method-query',
    check: async (subject) => {
      const tag = await tagOf(subject, subject.body());
      demandEqual(await tagOf(subject, subject.body()), tag, 'the ETag of the same page');
      const other = await tagOf(subject, subject.body({ page: { page: 2, size: 1 } }));
      demand(other !== tag, 'expected another ETag for page 2; got the same');
    },
  },
  {
    id: 'query-method-not-modified',
    sentence:
      'If-None-Match is answered with 304 and no body where it lists the current ETag, strong or ' +
      'weak; another tag and * are not.',
    section: 'the-method-query',
    check: async (subject) => {
      const tag = await tagOf(subject, subject.body());
      const ask = async (list: string): Promise<Reply> =>
        askByQuery(subject, subject.body(), { 'if-none-match': list });
      for (const list of [tag, `"another", ${tag}`, `W/${tag.replace('W/', '')}`]) {
        const { status, text } = await ask(list);
        demand(
          status === 304 && text === '',
          `If-None-Match ${list}: expected status 304 without a body; got ${status}`,
        );
      }
      for (const list of ['"another"', '*'])
        demandEqual((await ask(list)).status, 200, `the status for If-None-Match ${list}`);
    },
  },
  {
    id: 'query-method-headers',
    sentence: 'Replies to QUERY carry Cache-Control and Vary, a 304 also the ETag.',
    section: 'the-method-query',
    check: async (subject) => {
      const tag = await tagOf(subject, subject.body());
      for (const list of ['"another"', tag]) {
        const headers = { 'if-none-match': list };
        const reply = await askByQuery(subject, subject.body(), headers);
        const what = `of a ${reply.status}`;
        demandEqual(
          words(reply.headers, 'cache-control'),
          ['private', 'no-cache'],
          `Cache-Control ${what}`,
        );
        const missing = VARY.filter((name) => !words(reply.headers, 'vary').includes(name));
        demand(missing.length === 0, `Vary ${what}: expected ${missing.join(', ')} in it`);
        demandEqual(reply.headers.get('etag'), tag, `ETag ${what}`);
      }
    },
  },
  {
    id: 'query-method-refusals',
    sentence:
      'QUERY needs a content type (415), a body (400) and a token (401), whatever tag is sent.',
    section: 'the-method-query',
    check: async (subject) => {
      const tag = await tagOf(subject, subject.body());
      const untyped = { 'content-type': null, 'if-none-match': tag };
      demandProblem(await askByQuery(subject, subject.body(), untyped), {
        of: 'QUERY without a content type',
        status: 415,
        code: 'unsupported_media_type',
      });
      const headers = { 'content-type': 'application/json' };
      demandProblem(await subject.send({ method: 'QUERY', path: API_PATHS.query, headers }), {
        of: 'QUERY without a body',
        code: 'malformed_json',
      });
      const unknown = { authorization: null, 'if-none-match': tag };
      demandProblem(await askByQuery(subject, subject.body(), unknown), {
        of: 'QUERY without a token',
        status: 401,
        code: 'unauthenticated',
      });
    },
  },
];
