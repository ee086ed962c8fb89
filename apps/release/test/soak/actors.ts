import { connect } from 'node:net';
import { writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

import { until } from '@proj/test-servers';

import type { PageQuery } from '../support/ask.ts';
import type { FaultDatabase } from '../databases/fault-database.ts';
import { type Service, TOKEN } from '../support/service.ts';
import type { Findings } from './findings.ts';
import { GUEST, GUEST_PARTS, secretIn, settingsOf } from './guests.ts';
import { BATCH, ledgerChange, ledgerError, refilling } from './ledger.ts';
import { ROUTES } from './routes.ts';

/** What the actors of a soak work on. */
export interface Scene {
  readonly database: FaultDatabase;
  readonly service: Service;
  readonly findings: Findings;
  /** Settings that stay as they are. */
  readonly kept: object;
  /** Ends them. */
  readonly signal: AbortSignal;
}

type Actor = (scene: Scene, turn: number) => Promise<void>;

const ATTRIBUTES = ['id', 'batch', 'part', 'amount'];

/** What may be answered while the schema changes, the limits bite or the server is busy. */
const EXPECTED_FAILURES = new Set([408, 429, 503, 504]);

/** Everybody who acts, by name; the figure says how many of them there are. */
export const ACTORS: Readonly<Record<string, { readonly actor: Actor; readonly count: number }>> = {
  callers: { actor: readPage, count: 6 },
  'callers of other routes, of which some leave': { actor: askRoute, count: 10 },
  guests: { actor: askAsGuest, count: 8 },
  'aborted callers': { actor: leaveEarly, count: 2 },
  'slow readers': { actor: readNothing, count: 4 },
  attacker: { actor: attack, count: 1 },
  writers: { actor: write, count: 2 },
  'emptied tables': { actor: refill, count: 1 },
  reloads: { actor: reload, count: 1 },
  'schema changes': { actor: changeSchema, count: 1 },
  'broken connections': { actor: breakConnections, count: 1 },
};

/** The pace at which somebody acts is the load; nothing waits for it. */
async function pause(ms: number, { signal }: Scene): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => undefined);
}

/** Lets one actor act until the end. */
export async function act(actor: Actor, scene: Scene): Promise<void> {
  for (let turn = 0; !scene.signal.aborted; turn++) await actor(scene, turn);
}

function ledgerPage(turn: number, size: number): PageQuery {
  return {
    query_model: 'ledger',
    query_attributes: ATTRIBUTES,
    page: { page: 1 + ((turn * 37) % 600), size },
  };
}

async function readPage(scene: Scene, turn: number): Promise<void> {
  const { service, findings } = scene;
  const size = BATCH * (1 + (turn % 5));
  const { status, text } = await service.ask(ledgerPage(turn, size)).catch(resetConnection);
  if (status === 200) findings.reply(ledgerError(text, size));
  else if (EXPECTED_FAILURES.has(status)) findings.refused(status);
  else findings.reply(`status ${status}: ${text.slice(0, 200)}`);
  await pause(5, scene);
}

/** As a 408: what is sent too late on a busy machine ends the connection, at times unread. */
function resetConnection(error: unknown): { status: number; text: string } {
  const { cause } = error as Error;
  if (cause instanceof Error && 'code' in cause && cause.code === 'ECONNRESET')
    return { status: 408, text: '' };
  throw error;
}

/** Each third caller leaves at some moment; the others read to the end, a watch for some seconds. */
async function askRoute(scene: Scene, turn: number): Promise<void> {
  await askAs(scene, turn, { token: TOKEN, parts: BATCH });
}

/** A token that is taken out meanwhile is refused, and ends what is being read. */
async function askAsGuest(scene: Scene, turn: number): Promise<void> {
  const text = await askAs(scene, turn, { token: GUEST.token, parts: GUEST_PARTS });
  const secret = secretIn(text);
  if (secret !== undefined) scene.findings.reply(secret);
}

async function askAs(
  { service, findings, signal }: Scene,
  turn: number,
  { token, parts }: { readonly token: string; readonly parts: number },
): Promise<string> {
  const route = ROUTES[turn % ROUTES.length];
  if (route === undefined) return '';
  const leaves = AbortSignal.timeout(turn % 3 === 0 ? (turn * 7) % 100 : 3000);
  let text = '';
  try {
    const response = await fetch(`${service.origin}/${route.path}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        accept: route.accept,
      },
      body: JSON.stringify(route.body),
      signal: AbortSignal.any([leaves, signal]),
    });
    for await (const bytes of response.body ?? []) text += Buffer.from(bytes).toString();
    if (response.status === 200) findings.reply(route.errorOf(text, parts));
    else if (response.status === 401 && token !== TOKEN) findings.refused(401);
    else if (EXPECTED_FAILURES.has(response.status)) findings.refused(response.status);
    else findings.reply(`${route.path}: status ${response.status}: ${text.slice(0, 200)}`);
  } catch {
    // They left, or the reply was cut, which shows that it is not whole.
  }
  return text;
}

async function leaveEarly({ service }: Scene, turn: number): Promise<void> {
  const signal = AbortSignal.timeout(turn % 20);
  await service.ask(ledgerPage(turn, 1000), { signal }).catch(() => undefined);
}

/** Sends requests for large pages and takes nothing of the replies. */
async function readNothing(scene: Scene, turn: number): Promise<void> {
  const { service } = scene;
  const body = JSON.stringify({
    ...ledgerPage(turn, 1000),
    query_attributes: [...ATTRIBUTES, 'note'],
  });
  const head = [
    'POST /api/v1/dynamic/query HTTP/1.1',
    'Host: 127.0.0.1',
    `Authorization: Bearer ${TOKEN}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
  ];
  const socket = connect(service.port, '127.0.0.1').pause();
  socket.on('error', () => undefined);
  for (let times = 0; times < 20; times++) socket.write(`${head.join('\r\n')}\r\n\r\n${body}`);
  await pause(3000, scene);
  socket.destroy();
}

/** Invalid tokens, filters as large as they may be, bodies that are none, and deep pages. */
async function attack(scene: Scene, turn: number): Promise<void> {
  const { service } = scene;
  const leaf = { attribute: 'note', op: 'icontains', value: `${turn}`.padEnd(100, 'y') };
  const large = {
    ...ledgerPage(turn, 1000),
    query_filter: { or: Array.from({ length: 50 }, () => leaf) },
  };
  await Promise.all([
    service.ask(ledgerPage(turn, 1), { token: `dq_${turn}` }),
    service.ask(large),
    service.ask({ ...ledgerPage(turn, 1000), page: { page: 2 ** 40 + turn, size: 1000 } }),
    service.send('['.repeat(20_000)),
    service.send(new Uint8Array(1000).fill(255)),
  ]).catch(() => undefined);
  await pause(10, scene);
}

async function write(scene: Scene, turn: number): Promise<void> {
  // A batch that is there already, or a table that is away, is left alone.
  await scene.database.run(ledgerChange(turn)).catch(() => undefined);
  await pause(20, scene);
}

/** In one transaction, where the database can. */
async function refill(scene: Scene, turn: number): Promise<void> {
  await pause(5000, scene);
  await scene.database.run(refilling(scene.database.name, turn)).catch(() => undefined);
}

/** Settings that change, and every third time some that cannot be applied. */
async function reload(scene: Scene, turn: number): Promise<void> {
  const { service } = scene;
  const settings = {
    ...settingsOf(turn),
    ...scene.kept,
    ...(turn % 3 === 2 && { roles: { broken: { models: { nothing: {} } } } }),
  };
  await writeFile(service.file, JSON.stringify(settings));
  if (turn % 2 === 0) process.kill(service.pid, 'SIGHUP');
  await pause(2000, scene);
}

/**
 * A table goes away and comes back, others come and go, and columns are added that nobody has
 * exposed.
 */
async function changeSchema(scene: Scene, turn: number): Promise<void> {
  const { database } = scene;
  // Another actor ends connections.
  const attempt = async (sql: string): Promise<boolean> =>
    database.run(sql).then(
      () => true,
      () => false,
    );
  await attempt('alter table ledger rename to ledger_away');
  await pause(50, scene);
  // A connection that ends may have renamed the table, and not said so.
  const isBack = (): Promise<boolean> => attempt('select id from ledger where id is null');
  await until(
    async () => (await attempt('alter table ledger_away rename to ledger')) || isBack(),
    Infinity,
  );
  await attempt(`create table passing_${turn} (id integer primary key)`);
  await attempt(`alter table others add column extra_${turn} integer`);
  await pause(1000, scene);
  await attempt(`drop table passing_${turn}`);
  await attempt(`alter table others drop column extra_${turn}`);
  await pause(3000, scene);
}

/** Ends the connections of the service: its readers, sessions and the stream of changes. */
async function breakConnections(scene: Scene): Promise<void> {
  await pause(2500, scene);
  const { database, service } = scene;
  await database.breakConnections(service.pid).catch(() => undefined);
}
