import { API_PATHS } from '@proj/contract';

import { demand, demandEqual, demandProblem, given } from '../../demand.ts';
import { rulesOf } from '../../rule.ts';
import { membersOf } from '../../subject/json.ts';
import { headerWords, type Reply } from '../../subject/send.ts';

/** The headers of replies. */
export const HEADER_RULES = rulesOf('headers', {
  'request-id': {
    sentence:
      'X-Request-Id is echoed, or made where the caller sends none; a problem document names ' +
      'the same.',
    check: async (subject) => {
      const sent = `conformance-${process.pid}`;
      const { headers } = await subject.ask({ 'x-request-id': sent });
      demandEqual(headers.get('x-request-id'), sent, 'X-Request-Id');
      const [one, two] = [await subject.query('{'), await subject.query('{')];
      const id = one.headers.get('x-request-id');
      demand(Boolean(id), 'expected an X-Request-Id where none was sent; got none');
      demand(
        id !== two.headers.get('x-request-id'),
        'expected another X-Request-Id for another request; got the same',
      );
      demandEqual(membersOf(one.json)['request_id'], id, 'request_id');
    },
  },
  'cache-control': {
    sentence: 'Replies are Cache-Control: private, no-cache; no shared cache keeps them.',
    check: async (subject) => {
      const replies = [await subject.ask()];
      if (await subject.has('the-catalogue'))
        replies.push(await subject.send({ path: API_PATHS.models }));
      for (const reply of replies) {
        const words = headerWords(reply, 'cache-control');
        demand(
          words.includes('private') && words.includes('no-cache'),
          `expected Cache-Control private, no-cache; got ${words.join(', ')}`,
        );
      }
    },
  },
  'server-timing': {
    sentence: 'Server-Timing has auth, plan, rows and count.',
    check: async (subject) => {
      const { headers } = await subject.ask();
      const timing = given(headers.get('server-timing') ?? undefined, 'there is no Server-Timing');
      const names = timing.split(',').map((entry) => entry.trim().split(';')[0]);
      for (const name of ['auth', 'plan', 'rows', 'count'])
        demand(names.includes(name), `expected ${name} in Server-Timing; got ${timing}`);
    },
  },
  'data-position': {
    sentence:
      'Data-Age, in seconds, and Data-Position come together; Data-At-Least takes a position, ' +
      'and what is none is refused with invalid_position, or ignored where neither comes.',
    check: async (subject) => {
      const askFrom = (position: string): Promise<Reply> =>
        subject.ask({ 'data-at-least': position });
      const { headers } = await subject.ask();
      const [age, position] = [headers.get('data-age'), headers.get('data-position')];
      if (age === null && position === null) return demandAnswer(await askFrom('no position'));
      const isAge = age !== null && /^\d+(\.\d{1,3})?$/.test(age);
      demand(isAge, `expected a Data-Age in seconds; got ${age ?? 'none'}`);
      demand(Boolean(position), 'expected a Data-Position beside the Data-Age; got none');
      demandAnswer(await askFrom(position ?? ''));
      demandAnswer(await askFrom(`${position}, ${position}`));
      for (const wrong of ['no position', `${position};`])
        demandProblem(await askFrom(wrong), `Data-At-Least ${wrong}`, 'invalid_position');
    },
  },
});

function demandAnswer({ status }: Reply): void {
  demandEqual(status, 200, 'Data-At-Least: the status');
}
