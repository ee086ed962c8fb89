import { API_PATHS } from '@proj/contract';

import { demand, demandEqual, demandProblem, NotTried } from '../../demand.ts';
import { rulesOf } from '../../rule.ts';
import { type Call, headerWords, type Reply } from '../../subject/send.ts';
import type { Subject } from '../../subject/subject.ts';

/** Every header that a reply to QUERY depends on. */
const VARY = ['accept', 'accept-encoding', 'authorization', 'origin'];

/** Asks by QUERY, where replies to POST say that the server takes it. */
async function askByQuery(
  subject: Subject,
  headers: Call['headers'] = {},
  page = 1,
): Promise<Reply> {
  const posted = await subject.ask();
  const types = (posted.headers.get('accept-query') ?? '').toLowerCase().split(/[\s,;"]+/);
  if (!types.includes('application/json'))
    throw new NotTried('the server does not say in Accept-Query that it takes QUERY');
  const body = subject.body({ page: { page, size: 1 } });
  return subject.query(body, { method: 'QUERY', headers });
}

async function tagOf(subject: Subject, page = 1): Promise<string> {
  const { status, headers } = await askByQuery(subject, {}, page);
  const tag = headers.get('etag');
  demand(status === 200 && tag !== null, `expected status 200 with an ETag; got ${status}, ${tag}`);
  return tag;
}

/** The method QUERY (RFC 10008), and what it saves. */
export const QUERY_METHOD_RULES = rulesOf('the-method-query', {
  'query-method-reply': {
    sentence: 'QUERY answers as POST does, byte for byte, with a strong ETag.',
    check: async (subject) => {
      const reply = await askByQuery(subject);
      demandEqual(reply.status, 200, 'the status');
      demandEqual(reply.text, (await subject.ask()).text, 'the reply to QUERY');
      const tag = reply.headers.get('etag') ?? 'none';
      demand(/^"[^"]+"$/.test(tag), `expected a strong ETag; got ${tag}`);
    },
  },
  'query-method-tag': {
    sentence: 'The ETag is the same for the same reply, and another one for another page.',
    check: async (subject) => {
      const tag = await tagOf(subject);
      demandEqual(await tagOf(subject), tag, 'the ETag of the same page');
      demand((await tagOf(subject, 2)) !== tag, 'expected another ETag for page 2; got the same');
    },
  },
  'query-method-not-modified': {
    sentence:
      'If-None-Match is answered with 304 and no body where it lists the current ETag, strong or ' +
      'weak; another tag and * are not.',
    check: async (subject) => {
      const tag = await tagOf(subject);
      for (const list of [tag, `"another", ${tag}`, `W/${tag.replace('W/', '')}`]) {
        const { status, text } = await askByQuery(subject, { 'if-none-match': list });
        demandEqual([status, text], [304, ''], `If-None-Match ${list}: the status and the body`);
      }
      for (const list of ['"another"', '*']) {
        const { status } = await askByQuery(subject, { 'if-none-match': list });
        demandEqual(status, 200, `the status for If-None-Match ${list}`);
      }
    },
  },
  'query-method-headers': {
    sentence: 'Replies to QUERY carry Cache-Control and Vary, a 304 also the ETag.',
    check: async (subject) => {
      const tag = await tagOf(subject);
      for (const list of ['"another"', tag]) {
        const reply = await askByQuery(subject, { 'if-none-match': list });
        const what = `of a ${reply.status}`;
        const control = headerWords(reply, 'cache-control');
        demandEqual(control, ['private', 'no-cache'], `Cache-Control ${what}`);
        const missing = VARY.filter((name) => !headerWords(reply, 'vary').includes(name));
        demandEqual(missing, [], `what Vary ${what} leaves out`);
        demandEqual(reply.headers.get('etag'), tag, `ETag ${what}`);
      }
    },
  },
  'query-method-refusals': {
    sentence:
      'QUERY needs a content type (415), a body (400) and a token (401), whatever tag is sent.',
    check: async (subject) => {
      const tag = await tagOf(subject);
      const untyped = { 'content-type': null, 'if-none-match': tag };
      const unknown = { authorization: null, 'if-none-match': tag };
      const headers = { 'content-type': 'application/json' };
      const empty = await subject.send({ method: 'QUERY', path: API_PATHS.query, headers });
      const type = 'unsupported_media_type';
      demandProblem(await askByQuery(subject, untyped), 'QUERY without a content type', type);
      demandProblem(empty, 'QUERY without a body', 'malformed_json');
      const token = 'unauthenticated';
      demandProblem(await askByQuery(subject, unknown), 'QUERY without a token', token);
    },
  },
});
