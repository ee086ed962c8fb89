import type { PageRequest } from '../databases/database.ts';
import type { Entrant, Share } from '../load/in-turns.ts';
import { type Load, runLoad } from '../load/load.ts';
import { pageRange, pageSequence } from '../load/page-sequence.ts';
import type { Scenario } from '../scenarios.ts';
import { ask, headersOf, queryBody, type Server, urlOf } from './server.ts';

/** Asks for one page of the table with so many rows. */
export async function askPage(server: Server, rows: number, page: PageRequest): Promise<string> {
  return (await ask(server, queryBody(rows, page))).text;
}

/**
 * Compares replies to the same request, of which some may leave out the total.
 *
 * @throws {Error} when they differ: the speed of a wrong one would mean nothing.
 */
export function checkAlike(replies: readonly string[]): void {
  const pages = new Set(replies.map((reply) => reply.replace(/(,"total":.*)?\}\}$/, '')));
  const counted = new Set(replies.filter((reply) => reply.includes(',"total":')));
  if (pages.size > 1 || counted.size > 1)
    throw new Error(`answered differently: ${replies.join(' and ')}`);
}

/** Who answers the pages of a scenario in turns with others. */
export function pagesEntrant(server: Server, scenario: Scenario): Entrant {
  const { rows, size } = scenario;
  return {
    pid: server.pid,
    probe: () => askPage(server, rows, { page: pageRange(scenario).to, size }),
    load: (share) => runLoad(pagesLoad(server, scenario, share)),
  };
}

/** Deals the pages of a scenario out to the connections, so that no two of them walk in step. */
function pagesLoad(server: Server, scenario: Scenario, share: Share): Load {
  const { turn, connections, seconds, amount } = share;
  const pages = pageSequence(scenario, turn).map((page) => ({
    body: queryBody(scenario.rows, { page, size: scenario.size }),
  }));
  const dealt = Array.from({ length: connections }, (_, own) =>
    pages.filter((_page, index) => index % connections === own),
  );
  return {
    url: urlOf(server),
    headers: headersOf(server.token),
    messages: dealt.map((own) => (own.length === 0 ? pages : own)),
    isOnce: scenario.pattern === 'distinct',
    seconds,
    amount,
  };
}
