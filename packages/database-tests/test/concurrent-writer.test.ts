import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';

import { type Engine, QueryFailedError } from '@proj/engine';
import { pageRange } from '@proj/paging';
import { beforeRelease } from '@proj/test-servers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { databaseFile } from '../../sqlite/test/database-file.ts';
import { exported } from './exported.ts';
import { ask, open, type Question, type Reply } from './open.ts';

/** How many replies are read of each kind. */
const ROUNDS = beforeRelease ? 80 : 20;

const WRITER = new URL('programs/writer.ts', import.meta.url);
const PAIRS = Array.from({ length: 100 }, (_, pair) => `(${pair}, 5), (${pair}, -5)`).join(', ');

const writers: ChildProcess[] = [];
afterAll(() => {
  for (const writer of writers) writer.kill('SIGKILL');
});

interface Ledger {
  readonly engine: Engine;
  readonly writer: ChildProcess;
}

/** An engine on a file that another process writes to. */
async function ledger(journalMode: string): Promise<Ledger> {
  const path = databaseFile(
    `pragma journal_mode = ${journalMode};
     create table ledger (id integer primary key, pair int not null, amount int not null);
     create index pairs on ledger (pair);
     insert into ledger (pair, amount) values ${PAIRS};
     create view entries as select id, amount, (select count(*) from ledger) as everyone from ledger`,
  );
  const engine = await open(`sqlite:${path}`, { models: { entries: { key: ['id'] } } });
  const writer = fork(WRITER, [path], { execArgv: ['--disable-warning=ExperimentalWarning'] });
  writers.push(writer);
  await once(writer, 'message');
  return { engine, writer };
}

/** The reply to a question. */
function reply({ engine, writer }: Ledger, question: Question): Promise<Reply> {
  return whileWriting(writer, () => ask(engine, question));
}

/**
 * Reads beside a writer until it succeeds. Without WAL a writer may lock a reader out for longer
 * than it waits; then it is asked again.
 */
async function whileWriting<Read>(writer: ChildProcess, read: () => Promise<Read>): Promise<Read> {
  writer.send('more');
  for (;;) {
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof QueryFailedError) || error.message !== 'database is locked')
        throw error;
    }
  }
}

describe.each(['wal', 'delete'])(
  'a file in journal mode %s that another process writes to',
  (journalMode) => {
    let written: Ledger;

    beforeAll(async () => {
      written = await ledger(journalMode);
    });

    it('has pages of as many records as their own totals say, each of one snapshot', async () => {
      const totals = new Set<string>();
      // Readers may hold the writer up for a while, too: go on until it was seen to write.
      for (let round = 0; round < ROUNDS || totals.size < 4; round++) {
        const page = 1 + ((round * 7) % 12);
        const size = 1 + ((round * 13) % 60);
        const answered = await reply(written, {
          model: 'entries',
          attributes: ['id', 'everyone'],
          page,
          size,
        });
        const { total } = answered.page;
        totals.add(total);
        expect(BigInt(answered.records.length)).toBe(
          pageRange({ page, size }, BigInt(total)).count,
        );
        expect(new Set(answered.records.map(({ everyone }) => String(everyone)))).toEqual(
          new Set(answered.records.length > 0 ? [total] : []),
        );
      }
    });

    it('has whole lists of one state each, as many records as were said before the first', async () => {
      const totals = new Set<bigint>();
      for (let round = 0; round < ROUNDS || totals.size < 4; round++) {
        const { records, total } = await whileWriting(written.writer, () =>
          exported(written.engine, { model: 'entries', attributes: ['amount', 'everyone'] }),
        );
        totals.add(total);
        expect(records.reduce((sum, { amount }) => sum + Number(amount), 0)).toBe(0);
        expect(new Set(records.map(({ everyone }) => String(everyone)))).toEqual(
          new Set(total > 0n ? [String(total)] : []),
        );
      }
    });
  },
);
