import { API_PATHS, WATCH_EVENTS, WATCH_EVERY_MS, WATCH_TYPE } from '@proj/contract';

import { demand, demandEqual, demandError, demandProblem, NotTried } from '../demand.ts';
import { rulesOf } from '../rule.ts';
import { type JsonObject, membersOf, parseJson } from '../subject/json.ts';
import type { Call, Reply } from '../subject/send.ts';
import type { Subject } from '../subject/subject.ts';

/** What a server answers that watches no lists, or not this one. */
const NO_WATCHES = new Set([404, 405, 501]);

/** An event may be long in coming where the server is busy. */
const FIRST_EVENT_MS = 10_000;

/** A server that sends what it should not does it about as fast as it answers. */
const SILENCE_MS = 300;

/** An event up to the blank line behind it. */
const EVENT = /(?:^|\n)(?!:)[^\n]+\n(?:[^\n]+\n)*\n/;

async function watch(
  subject: Subject,
  more: JsonObject = {},
  call: Partial<Call> = {},
): Promise<Reply> {
  const reply = await subject.send({
    path: API_PATHS.watch,
    body: JSON.stringify(subject.body({ page: undefined, ...more })),
    headers: { accept: WATCH_TYPE },
    until: { shows: EVENT, ms: FIRST_EVENT_MS },
    ...call,
  });
  if (NO_WATCHES.has(reply.status)) throw new NotTried('the server watches no such list');
  return reply;
}

interface Event {
  readonly id: string;
  readonly state: JsonObject;
}

/** The first event, which has to be a state of the list. */
function firstEvent({ status, headers, text }: Reply): Event {
  demandEqual(status, 200, 'the status');
  const type = headers.get('content-type')?.split(';')[0];
  demandEqual(type, WATCH_TYPE, 'the content type');
  const [block = ''] = EVENT.exec(text) ?? [];
  const lines = block.split('\n').map((line) => /^(\w+): ?(.*)$/.exec(line)?.slice(1) ?? []);
  const { id, event, data = '' } = Object.fromEntries(lines) as Record<string, string>;
  demandEqual(event, WATCH_EVENTS.list, 'the name of the first event');
  demand(id !== undefined && id !== '', 'expected an id in the event; got none');
  return { id, state: membersOf(parseJson(data)) };
}

/** Lists that are watched. */
export const WATCH_RULES = rulesOf('lists-that-change', {
  'watch-first-event': {
    sentence:
      'A watched list has an event named list at once, with the total of its pages and the ' +
      'Data-Version of their replies.',
    check: async (subject) => {
      const { state } = firstEvent(await watch(subject));
      const { reply, page } = await subject.readUncounted({ page: 1, size: 1 });
      const total = page['total'];
      demandEqual(state['total'], typeof total === 'number' ? String(total) : total, 'the total');
      const version = reply.headers.get('data-version') ?? undefined;
      demandEqual(state['version'], version, 'the version');
    },
  },
  'watch-last-event': {
    sentence: 'A caller who sends the id of the event it has gets no other one of the same state.',
    check: async (subject) => {
      const { id } = firstEvent(await watch(subject));
      const headers = { accept: WATCH_TYPE, 'last-event-id': id };
      const until = { shows: EVENT, ms: SILENCE_MS };
      const reply = await watch(subject, {}, { headers, until });
      demandEqual(reply.status, 200, 'the status');
      demandEqual(EVENT.exec(reply.text)?.[0], undefined, 'the event that comes');
    },
  },
  'watch-types': {
    sentence: 'A caller who does not take text/event-stream is refused with 406.',
    check: async (subject) => {
      const reply = await watch(subject, {}, { headers: { accept: 'application/json' } });
      demandProblem(reply, 'a watch as application/json', 'not_acceptable');
    },
  },
  'watch-members': {
    sentence:
      'A watch has no page, which is an unknown member, and watch_every_ms is a whole number ' +
      'from 100 to 3600000.',
    check: async (subject) => {
      const paged = await watch(subject, { page: { page: 1, size: 1 } });
      demandError(paged, 'a watch with page', { code: 'unknown_member', pointer: '/page' });
      for (const every of [WATCH_EVERY_MS.least - 1, WATCH_EVERY_MS.most + 1]) {
        const reply = await watch(subject, { watch_every_ms: every });
        demandError(reply, `watch_every_ms ${every}`, {
          code: 'out_of_range',
          pointer: '/watch_every_ms',
        });
      }
    },
  },
});
