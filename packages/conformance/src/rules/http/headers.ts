import { API_PATHS } from '@proj/contract';

import { membersOf } from '../../subject/json-object.ts';
import { type Rule } from '../../rule.ts';
import { demand, given } from '../../demand.ts';
import { demandProblem } from '../../demand-problem.ts';
import type { Reply } from '../../subject/send.ts';

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
      const replies = [await subject.query(subject.body())];
      if (await subject.has('the-catalogue'))
        replies.push(await subject.send({ path: API_PATHS.models }));
      for (const reply of replies) {
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
      const { headers } = await subject.query(subject.body());
      const timing = given(headers.get('server-timing') ?? undefined, 'there is no Server-Timing');
      const names = timing.split(',').map((entry) => entry.trim().split(';')[0]);
      for (const name of ['auth', 'plan', 'rows', 'count'])
        demand(names.includes(name), `expected ${name} in Server-Timing; got ${timing}`);
    },
  },
  {
    id: 'data-position',
    sentence:
      'Data-Age, in seconds, and Data-Position come together; Data-At-Least takes a position, ' +
      'and what is none is refused with invalid_position, or ignored where neither comes.',
    section: 'headers',
    check: async (subject) => {
      const ask = (position: string): Promise<Reply> =>
        subject.query(subject.body(), { headers: { 'data-at-least': position } });
      const { headers } = await subject.query(subject.body());
      const [age, position] = [headers.get('data-age'), headers.get('data-position')];
      if (age === null && position === null) return demandAnswer(await ask('no position'));
      demand(
        age !== null && /^\d+(\.\d{1,3})?$/.test(age),
        `expected a Data-Age in seconds; got ${age ?? 'none'}`,
      );
      demand(Boolean(position), `expected a Data-Position beside the Data-Age; got none`);
      demandAnswer(await ask(position ?? ''));
      demandAnswer(await ask(`${position}, ${position}`));
      for (const wrong of ['no position', `${position};`])
        demandProblem(await ask(wrong), { of: `Data-At-Least ${wrong}`, code: 'invalid_position' });
    },
  },
];

function demandAnswer({ status }: Reply): void {
  demand(status === 200, `Data-At-Least: expected status 200; got ${status}`);
}
