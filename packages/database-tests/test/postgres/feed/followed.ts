import type { FeedWatch } from '@proj/engine';
import type { TestDatabase } from '@proj/test-servers';
import type { Client } from 'pg';
import { afterAll, beforeAll, expect, vi } from 'vitest';

import { openPostgres } from '../../../../postgres/src/source.ts';
import type { MomentWork, Source } from '../../../../engine/src/sources/source.ts';
import type { RelationPath } from '../../../../engine/src/catalogue/relation.ts';
import { callOf } from '../../../../engine/test/call.ts';
import {
  connect,
  openSource,
  type PostgresServer,
  readPage,
  urlOf,
  useOwnPostgres,
  usePostgres,
} from '../server.ts';

/** A source that follows the changes of a server, and the server. */
export interface Followed<Server extends TestDatabase = TestDatabase> {
  readonly server: Server;
  readonly source: Source;
  readonly sql: Client;
}

/**
 * Opens a source that follows the changes of a database at the server of the worker.
 *
 * @param login who reads. Default: the superuser, who follows in any case
 */
export function useFollowed(sql: string, login?: string): () => Followed {
  return useFollowing(usePostgres(sql), login);
}

/** The same at a server of its own, for tests that restart or reconfigure it. */
export function useOwnFollowed(sql: string): () => Followed<PostgresServer> {
  return useFollowing(useOwnPostgres({ settings: { wal_level: 'logical' }, sql }));
}

function useFollowing<Server extends TestDatabase>(
  serverOf: () => Server,
  login?: string,
): () => Followed<Server> {
  let followed: Followed<Server> | undefined;
  beforeAll(async () => {
    const server = serverOf();
    const client = await connect(server.url);
    const source = await openPostgres(login === undefined ? server.url : urlOf(server, login), {
      follow: login === undefined ? true : { url: server.url },
      limits: { connections: 4, maxWaiting: 1000, maxWaitMs: 5000 },
    });
    followed = { server, source, sql: client };
  });
  afterAll(() => followed?.source.close());
  return () => {
    if (followed === undefined) throw new Error('The server is not started yet.');
    return followed;
  };
}

/** Another source that follows what it reads, until the test is done. */
export function openFollowing(
  url: string,
  options: NonNullable<Parameters<typeof openPostgres>[1]> = {},
): Promise<Source> {
  return openSource(url, { follow: true, ...options });
}

/** The feed of a source that follows. */
export function feedOf({ changes }: Source): FeedWatch {
  const { followed } = changes ?? {};
  if (followed === undefined) throw new Error('The source follows nothing.');
  return followed.feed;
}

/** The states of a feed from now on, with their reasons. */
export function reportedOf(source: Source): string[] {
  const reported: string[] = [];
  feedOf(source).onChange(({ state, reason = '' }) => reported.push(`${state} ${reason}`.trim()));
  return reported;
}

/** The versions of relations say so. */
export const RELATION_VERSION = /^\d+\/feed /;

/** What a read of a relation shows, and its version. */
export interface Seen {
  readonly text: string;
  readonly version: string | undefined;
}

/**
 * Reads all of a relation with a version of its own. As long as it is not followed, or the log is
 * late, a read has that of the database.
 */
export async function readFollowed(source: Source, relation: RelationPath): Promise<Seen> {
  const read = async (): Promise<Seen> => {
    const seen = await readAll(source, relation);
    expect(seen.version).toMatch(RELATION_VERSION);
    return seen;
  };
  return until(read);
}

/** The version of a followed relation. */
export async function followedVersion(source: Source, relation: RelationPath): Promise<string> {
  return until(async () => {
    const { versions } = source;
    const version = await versions?.current(versions.scopeOf?.([relation]) ?? '');
    expect(version).toMatch(RELATION_VERSION);
    return version ?? '';
  });
}

/** What `read` gives as soon as it does not throw. */
export function until<Value>(read: () => Promise<Value>): Promise<Value> {
  return vi.waitFor(read, { interval: 20, timeout: 20_000 });
}

/** Reads all of a relation as one page with its total. */
export async function readAll(source: Source, relation: RelationPath): Promise<Seen> {
  const name = relation.map((part) => `"${part}"`).join('.');
  const count = `select count(*) from ${name}`;
  const rows =
    `select coalesce(string_agg(t::text, ';' order by t::text), ''), count(*), ` +
    `pg_current_snapshot()::text, count(*) from ${name} t`;
  const { json, version } = await readPage(source, { relations: [relation], rows, count });
  return { text: json ?? '', version };
}

/** Reads of a relation in one snapshot: what is known of its total, and what a count says. */
export interface Counted extends Seen {
  readonly known: bigint | undefined;
  readonly counted: bigint;
}

/** Counts a followed relation in a snapshot, and teaches the total; undefined as of a late log. */
export async function countFollowed(
  source: Source,
  relation: RelationPath,
): Promise<Counted | undefined> {
  const name = relation.map((part) => `"${part}"`).join('.');
  const work: MomentWork<Counted> = async (snapshot, moment) => {
    const known = await moment.total();
    const counted = await snapshot.count({ sql: `select count(*) from ${name}`, parameters: [] });
    await moment.countLists([undefined], { leastMs: 0 });
    return { known, counted, text: '', version: moment.version };
  };
  return source.changes?.followed?.during(relation, work, callOf({}));
}
