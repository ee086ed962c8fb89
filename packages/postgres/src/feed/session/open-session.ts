import { randomBytes } from 'node:crypto';

import { Deadlines } from '@proj/engine/database';

import type { CommandConnection } from '../protocol/commands.ts';
import { measurementOf, measurementStatement } from './feed-server.ts';
import { FeedSession, type FeedTerms } from './feed-session.ts';
import type { FeedConnections } from '../protocol/replication.ts';
import { FeedStoppedError, refusalOf } from '../setup/server-obstacles.ts';
import { publicationState } from '../relations/stamp.ts';
import { proveServer } from '../../connection/server-proof.ts';
import { feedFactsOf, feedRequirements, type ServerFacts } from '../setup/requirements.ts';

/**
 * Waits for all transactions that write now.
 *
 * @throws {FeedStoppedError} where changes cannot be followed
 */
export async function openSession(
  connections: FeedConnections,
  terms: FeedTerms,
): Promise<FeedSession> {
  const { commands, replication } = connections;
  await commands.connect();
  const server = await checkServer(commands, terms.publication);
  const [state] = await commands.ask(publicationState(terms.publication, server.version));
  await replication.connect();
  const slot = `dynamic_query_${randomBytes(8).toString('hex')}`;
  await createSlot(connections, terms, slot);
  const { sender } = measurementOf(await commands.ask(measurementStatement(slot)));
  if (sender !== replication.processId)
    throw new FeedStoppedError('two_servers', 'its connections led to different servers');
  return new FeedSession(connections, terms, { server, slot, publicationState: state ?? '' });
}

async function createSlot(
  { replication }: FeedConnections,
  { bounds: { startMs } }: FeedTerms,
  slot: string,
): Promise<void> {
  const timeoutError = (): Error =>
    new FeedStoppedError(
      'open_transactions',
      `transactions that write were open for longer than ${startMs} ms, which a slot waits for`,
    );
  await Deadlines.withDeadline({ timeoutMs: startMs, timeoutError }, ({ signal }) =>
    Deadlines.waitOrAbort(replication.createSlot(slot), signal),
  );
}

async function checkServer(commands: CommandConnection, publication: string): Promise<ServerFacts> {
  const { gap } = await proveServer((statement) => commands.ask(statement));
  if (gap !== undefined) throw new FeedStoppedError('unproven_server', gap);
  const facts = feedFactsOf(await commands.ask(feedRequirements(publication, [])));
  const refusal = refusalOf(facts);
  if (refusal !== undefined) throw new FeedStoppedError(refusal.reason, refusal.text);
  if (facts.server.backend !== commands.processId)
    throw new FeedStoppedError('pooler', 'a pooler is before the server; set follow.url');
  return facts.server;
}
