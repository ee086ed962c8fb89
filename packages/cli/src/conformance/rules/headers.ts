import { API_PATHS } from '@proj/contract';

import { membersOf } from '../json-object.ts';
import { type Rule } from '../rule.ts';
import { demand } from '../demand.ts';

/** The headers of replies. */
export const HEADER_RULES: readonly Rule[] = [
  {
    id: 'request-id',
    sentence:
      'X-Request-Id is echoed, or made where the caller sends none; a problem document names ' +
      'the same.',
    section: 'headers',
    check: async (subject) => {
      const sent = `conformance-${process.pid}`;
      const echoed = (
        await subject.query(subject.body(), { headers: { 'x-request-id': sent } })
      ).headers.get('x-request-id');
      demand(echoed === sent, `expected X-Request-Id ${sent}; got ${echoed ?? 'none'}`);
      const [one, two] = [await subject.query('{'), await subject.query('{')];
      const id = one.headers.get('x-request-id');
      demand(Boolean(id), 'expected an X-Request-Id where none was sent; got none');
      demand(
        id !== two.headers.get('x-request-id'),
        'expected another X-Request-Id for another request; got the same',
      );
      demand(
        membersOf(one.json)['request_id'] === id,
        `expected request_id ${id}; got ${JSON.stringify(membersOf(one.json)['request_id'])}`,
      );
    },
  },
  {
    id: 'cache-control',
    sentence: 'Replies are Cache-Control: private, no-cache; no shared cache keeps them.',
    section: 'headers',
    check: async (subject) => {
      for (const reply of [
        await subject.query(subject.body()),
        await subject.send({ path: API_PATHS.models }),
      ]) {
        const control = reply.headers.get('cache-control') ?? 'none';
        const words = control.toLowerCase().split(/\s*,\s*/);
        demand(
          words.includes('private') && words.includes('no-cache'),
          `expected Cache-Control private, no-cache; got ${control}`,
        );
      }
    },
  },
  {
    id: 'server-timing',
    sentence: 'Server-Timing has auth, plan, rows and count.',
    section: 'headers',
    check: async (subject) => {
      const timing = (await subject.query(subject.body())).headers.get('server-timing') ?? '';
      const names = timing.split(',').map((entry) => entry.trim().split(';')[0]);
      for (const name of ['auth', 'plan', 'rows', 'count'])
        demand(names.includes(name), `expected ${name} in Server-Timing; got ${timing || 'none'}`);
    },
  },
];
