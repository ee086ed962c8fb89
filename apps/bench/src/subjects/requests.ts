import { type Entrant, loadInTurns, ratioText, type Share, type Terms } from '../load/in-turns.ts';
import { type Load, type Message, runLoad } from '../load/load.ts';
import { ask, type Asking, headersOf, type Reply, type Server, urlOf } from './server.ts';

/** A request that is sent again and again, or another one each time. */
export interface Repeated extends Omit<Asking, 'token'> {
  /** The one with this number, from 0 on. Those of one moment have numbers in a row. */
  readonly body: string | ((number: number) => string);
  /** Who sends the one with this number. Default: the token of the server. */
  readonly tokenAt?: (number: number) => string;
  /** Whether it names the entity tag of its own reply, so that it is answered with 304. */
  readonly holdsReply?: boolean;
}

/** So many requests all connections send in a turn before they begin anew. */
const DIFFERENT = 8000;

/** The load of a request, whose first reply has to be good. */
export async function repeatedLoad(
  server: Server,
  request: Repeated,
): Promise<(share: Share) => Load> {
  const { method = 'POST', path } = request;
  const url = urlOf(server, path);
  const headers = headersOf(server.token);
  const { headers: replied } = await askAt(server, request, 0);
  if (request.holdsReply === true) {
    headers['if-none-match'] = replied.get('etag') ?? '';
    const { status } = await fetch(url, { method, headers, body: bodyAt(request, 0) });
    if (status !== 304) throw new Error(`answered with ${status} in place of 304`);
  }
  return ({ turn, connections, seconds, amount }) => {
    const messages = messagesOf(request, turn.number, connections);
    return { url, method, headers, messages, seconds, amount };
  };
}

/** How requests compare in turns, each of a server. */
export async function comparedRequests(
  asked: readonly (readonly [Server, Repeated])[],
  terms: Terms,
): Promise<string> {
  const entrants: Entrant[] = [];
  for (const [server, request] of asked) entrants.push(await requestEntrant(server, request));
  return ratioText(await loadInTurns(entrants, terms));
}

async function requestEntrant(server: Server, request: Repeated): Promise<Entrant> {
  const load = await repeatedLoad(server, request);
  let probes = 0;
  return {
    pid: server.pid,
    worksOn: true,
    probe: () => askAt(server, request, ++probes),
    load: (share) => runLoad(load(share)),
  };
}

/** @throws {Error} when the reply to the request with this number is not good */
export async function askAt(server: Server, request: Repeated, number: number): Promise<Reply> {
  const { tokenAt = () => server.token } = request;
  return ask(server, bodyAt(request, number), { ...request, token: tokenAt(number) });
}

function bodyAt({ body }: Repeated, number: number): string {
  return typeof body === 'string' ? body : body(number);
}

/** For each connection what it sends in a turn. */
function messagesOf(request: Repeated, turn: number, connections: number): Message[][] {
  const { body, tokenAt } = request;
  const isSame = typeof body === 'string' && tokenAt === undefined;
  const different = isSame ? 1 : Math.ceil(DIFFERENT / connections);
  const messageAt = (number: number): Message => ({
    body: bodyAt(request, number),
    ...(tokenAt !== undefined && { headers: headersOf(tokenAt(number)) }),
  });
  return Array.from({ length: connections }, (_none, connection) =>
    Array.from({ length: different }, (_other, index) =>
      messageAt((turn * different + index) * connections + connection),
    ),
  );
}
