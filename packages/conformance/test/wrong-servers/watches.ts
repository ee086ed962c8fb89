import { problem, type Answer, type Received } from '../../../cli/test/service/answer.ts';
import { instead } from '../tampering.ts';
import type { Variant } from './variant.ts';

const isWatch = ({ path }: Received): boolean => path.endsWith('/watch');

/** Changes the pieces of text that a watch sends. */
function onPieces(change: (piece: string) => string) {
  async function* changed(body: AsyncIterable<string>): AsyncGenerator<string> {
    for await (const piece of body) yield change(piece);
  }
  return instead(isWatch, (answer: Answer) =>
    answer.status === 200
      ? { ...answer, body: changed(answer.body as AsyncIterable<string>) }
      : answer,
  );
}

/** Changes requests for watches. */
function onWatches(change: (request: Received) => Partial<Received>) {
  return (request: Received): Received =>
    isWatch(request) ? { ...request, ...change(request) } : request;
}

const withoutMembers = ({ body }: Received): Partial<Received> => {
  const {
    page: _page,
    watch_every_ms: _every,
    ...list
  } = JSON.parse(String(body)) as {
    page?: unknown;
    watch_every_ms?: unknown;
  };
  return { body: Buffer.from(JSON.stringify(list)) };
};

/** Servers whose watches are not as the contract says. */
export const WRONG_WATCHES: Readonly<Record<string, Variant>> = {
  'sends another total than the list has': {
    behaviour: { after: onPieces((piece) => piece.replace(/"total":"\d+"/, '"total":"7"')) },
    breaks: ['watch-first-event'],
  },
  'names its events otherwise, without ids': {
    behaviour: {
      after: onPieces((piece) => piece.replace(/^id: .*\n/, '').replace('event: list', 'event: x')),
    },
    breaks: ['watch-first-event', 'watch-last-event'],
  },
  'sends a caller what it has': {
    behaviour: {
      before: onWatches(({ headers }) => ({ headers: { ...headers, 'last-event-id': 'none' } })),
    },
    breaks: ['watch-last-event'],
  },
  'sends events to callers who take none': {
    behaviour: {
      before: onWatches(({ headers }) => ({
        headers: { ...headers, accept: 'text/event-stream' },
      })),
    },
    breaks: ['watch-types'],
  },
  'ignores what a watch does not take': {
    behaviour: { before: onWatches(withoutMembers) },
    breaks: ['watch-members'],
  },
  'refuses what a watch does not take with another code': {
    behaviour: {
      after: instead(
        (request, { status }) => isWatch(request) && status === 400,
        () => problem('malformed_json'),
      ),
    },
    breaks: ['watch-members'],
  },
};
