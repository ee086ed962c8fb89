import type { TestDatabase } from '@proj/test-servers';
import { afterEach, describe, expect, it, vi } from 'vitest';

import { RelationLog } from '../../../../postgres/src/feed/changes/relation-log.ts';
import {
  FollowedRelation,
  FollowedRelations,
} from '../../../../postgres/src/feed/relations/followed-relations.ts';
import { changeMethod } from '../../changed-method.ts';
import { connect } from '../server.ts';
import {
  countFollowed,
  type Followed,
  followedVersion,
  openFollowing,
  readFollowed,
  until,
  useOwnFollowed,
} from './followed.ts';
import { holdCommits } from './held-commits.ts';

const SQL = `
  create table altered (id int primary key, amount int);
  insert into altered values (1, 10);
  create table waiting (id int primary key);
  create table top (id int primary key);
  create table middle () inherits (top);
  create table bottom () inherits (middle);
  create publication dynamic_query for all tables`;

/** What a feed may get wrong that ordinary writes do not show, and whether it did. */
interface Mistake {
  readonly is: string;
  readonly commit: () => void;
  readonly happens: (followed: Followed) => Promise<boolean>;
}

const MISTAKES: readonly Mistake[] = [
  {
    is: 'a change of the schema goes unnoticed',
    commit: () => void vi.spyOn(FollowedRelation.prototype, 'describes').mockReturnValue(true),
    async happens({ source, sql }) {
      const before = await readFollowed(source, ['public', 'altered']);
      await sql.query('alter table altered alter amount type bigint using amount * 1000');
      const after = await readFollowed(source, ['public', 'altered']);
      return after.version === before.version && after.text !== before.text;
    },
  },
  {
    is: 'a change of a child counts for its oldest parent alone',
    commit: () =>
      changeMethod(FollowedRelations, 'ofTable', (ofTable, oid) =>
        ofTable(oid)
          .toSorted((a, b) => b.schema.relation.members.length - a.schema.relation.members.length)
          .slice(0, 1),
      ),
    async happens({ server, sql }) {
      const source = await openFollowing(server.url);
      await followedVersion(source, ['public', 'top']);
      const before = await readFollowed(source, ['public', 'middle']);
      await sql.query('insert into bottom select max(id) + 1 from (select 0 id union table top) x');
      const after = await readFollowed(source, ['public', 'middle']);
      return after.version === before.version && after.text !== before.text;
    },
  },
  {
    is: 'the first snapshot is the base, though an earlier commit may still be unseen',
    commit: () => changeMethod(RelationLog, 'begin', (begin) => begin(0n)),
    happens: ({ server }) => countsAroundUnseenCommit(server),
  },
];

describe('a change feed', () => {
  const followed = useOwnFollowed(SQL);
  afterEach(() => {
    vi.restoreAllMocks();
  });

  describe.each(MISTAKES)('with a test of whether $is', ({ commit, happens }) => {
    it('makes no such mistake', async () => {
      expect(await happens(followed())).toBe(false);
    });

    it('is found out when it makes it', async () => {
      commit();
      expect(await happens(followed())).toBe(true);
    });
  });

  it('informs the server of what was received, though nothing of that is followed', async () => {
    const { source, sql } = followed();
    await followedVersion(source, ['public', 'altered']);
    const { rows } = await sql.query<{ at: string }>('select pg_current_wal_lsn() as at');
    await sql.query('create table unfollowed (id int primary key)');
    const confirmed = `select from pg_replication_slots where confirmed_flush_lsn > '${rows[0]?.at}'`;
    await until(async () => expect((await sql.query(confirmed)).rowCount).toBe(1));
  });
});

/** Whether a total differs from a count once a commit is seen that waited for a standby. */
async function countsAroundUnseenCommit(server: TestDatabase): Promise<boolean> {
  const relation = ['public', 'waiting'];
  const source = await openFollowing(server.url);
  await followedVersion(source, ['public', 'top']);
  const commits = await holdCommits(server);
  const writer = await connect(server.url);
  const hanging = writer.query(
    'insert into waiting select max(id) + 1 from (select 0 id union table waiting) x',
  );
  await commits.untilOneWaits();
  try {
    // The feed has had the commit by now, of a relation that is not followed yet.
    await followedVersion(source, ['public', 'top']);
    await until(async () => {
      await countFollowed(source, relation);
      expect(source.changes?.followed?.feed.status.relations).toBe(2);
    });
    // The feed knows nothing yet, or it counts what is seen: without the commit that waits.
    for (let tries = 0; tries < 20; tries++) {
      await followedVersion(source, ['public', 'top']);
      if ((await countFollowed(source, relation)) !== undefined) break;
    }
    await commits.letGo();
    await hanging;
    const counted = await until(async () => {
      const seen = await countFollowed(source, relation);
      if (seen?.known === undefined) throw new Error('The total is not known yet.');
      return seen;
    });
    return counted.known !== counted.counted;
  } finally {
    await commits.end();
  }
}
