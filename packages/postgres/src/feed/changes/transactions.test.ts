import { describe, expect, it } from 'vitest';

import {
  MOST_ROWS,
  type RelationChange,
  TransactionReader,
  type WantedRelations,
} from './transactions.ts';
import { type ChangeMessage, RowValues } from '../protocol/pgoutput.ts';

type Row = readonly (string | null | undefined)[];

/** A relation that keeps what it gets. */
class Recorder {
  readonly key: readonly string[];
  readonly changes: RelationChange[] = [];

  readonly log = { append: (change: RelationChange) => void this.changes.push(change) };

  constructor(...key: string[]) {
    this.key = key;
  }
}

const TABLE = 7;

function table(...names: string[]): ChangeMessage {
  const columns = names.map((name) => ({
    name: name.replace('*', ''),
    isIdentity: name.endsWith('*'),
  }));
  return { kind: 'relation', oid: TABLE, columns };
}

function values(row: Row): RowValues {
  const parts = row.map((text) => {
    if (typeof text !== 'string') return Buffer.from(text === null ? 'n' : 'u');
    const head = Buffer.alloc(5, 't');
    head.writeInt32BE(Buffer.byteLength(text), 1);
    return Buffer.concat([head, Buffer.from(text)]);
  });
  const starts = parts.map((_, index) => Buffer.concat(parts.slice(0, index)).length);
  return new RowValues(Buffer.concat(parts), starts);
}

const insert = (...row: Row): ChangeMessage => ({ kind: 'insert', oid: TABLE, row: values(row) });

const update = (old: Row | undefined, row: Row): ChangeMessage => ({
  kind: 'update',
  oid: TABLE,
  old: old && values(old),
  row: values(row),
});

const remove = (...old: Row): ChangeMessage => ({
  kind: 'delete',
  oid: TABLE,
  old: values(old),
});

/** Each recorder is named by its key. */
function wanted(ofTable: (oid: number) => readonly Recorder[]): WantedRelations {
  return { ofTable, named: (name) => ofTable(TABLE).filter(({ key }) => key.join() === name) };
}

/** What the changes of one transaction are to relations that a table belongs to. */
function read(relations: readonly Recorder[], ...messages: ChangeMessage[]): RelationChange[] {
  const reader = new TransactionReader(
    wanted((oid) => (oid === TABLE ? relations : [])),
    2n ** 33n,
  );
  reader.read({ kind: 'begin', xid: 5 });
  for (const message of messages) reader.read(message);
  reader.read({ kind: 'commit', endLsn: 1n });
  expect(reader.transactions).toBe(1);
  return relations.flatMap(({ changes }) => changes);
}

const XID = 2n ** 33n + 5n;

describe('the changes of a transaction', () => {
  it('are the keys that came and went, in the order of the key', () => {
    const changes = read(
      [new Recorder('b', 'a')],
      table('a*', 'note', 'b*'),
      insert('1', 'x', '2'),
      update(undefined, ['1', 'y', '2']),
      update(['1', null, '2'], ['1', undefined, '3']),
      remove('4', null, '5'),
    );
    const rows = [
      { came: ['2', '1'] },
      { stays: ['2', '1'] },
      { came: ['3', '1'], went: ['2', '1'] },
      { went: ['5', '4'] },
    ];
    expect(changes).toEqual([{ xid: XID, rows, truncated: false }]);
  });

  it('are one change of each relation that a table belongs to', () => {
    const [root, leaf] = [new Recorder('id'), new Recorder('id')];
    expect(read([root, leaf], table('id*'), insert('1'))).toHaveLength(2);
    expect(leaf.changes).toEqual(root.changes);
  });

  it('keep a key whose update is sent though none of its values has changed', () => {
    const [change] = read([new Recorder('a')], table('a*'), update(['1'], [undefined]));
    expect(change?.rows).toEqual([{ stays: ['1'] }]);
  });

  it('count rows of a relation without a key', () => {
    const [change] = read([new Recorder()], table('a'), insert('1'), update(['1'], ['2']));
    expect(change?.rows).toEqual([{ came: [] }, { stays: [] }]);
  });

  it.each([
    ['the log has no such column', [table('other*'), insert('1')]],
    [
      'an update may have changed a key that is not the identity',
      [table('a'), update(['1'], ['2'])],
    ],
    ['a delete does not say the key', [table('a'), remove('1')]],
    ['an update does not say what the key was', [table('a*'), update([undefined], ['1'])]],
    ['an update takes a part of the key away', [table('a*'), update(['1'], [null])]],
    ['a key has bytes that are no text', [table('a*'), insert('b\u{FFFD}')]],
    ['the relation is emptied', [table('a*'), { kind: 'truncate' as const, oids: [TABLE] }]],
    [
      'there are more than are kept',
      [table('a*'), ...Array.from({ length: MOST_ROWS }, (_, id) => insert(String(id)))],
    ],
  ])('are not listed where %s', (_, messages) => {
    const changes = read([new Recorder('a')], ...messages, insert('9'));
    expect(changes).toEqual([{ xid: XID, rows: [], truncated: true }]);
  });

  it('are all listed as long as they are no more than are kept', () => {
    const inserts = Array.from({ length: MOST_ROWS }, (_, id) => insert(String(id)));
    const [change] = read([new Recorder('a')], table('a*'), ...inserts);
    expect([change?.rows.length, change?.truncated]).toEqual([MOST_ROWS, false]);
  });

  it('are read by the columns that the table has by then', () => {
    const messages = [table('a*', 'b'), insert('1', '2'), table('b', 'a*'), insert('1', '2')];
    const [change] = read([new Recorder('a')], ...messages);
    expect(change?.rows).toEqual([{ came: ['1'] }, { came: ['2'] }]);
  });

  it('have the whole id of the transaction, however far later ids are from the first', () => {
    const relation = new Recorder('a');
    const reader = new TransactionReader(
      wanted(() => [relation]),
      7n,
    );
    reader.read(table('a*'));
    const steps = [2n ** 31n - 9n, -(2n ** 30n), 2n ** 31n + 2n ** 30n - 9n, 2n ** 31n - 9n];
    const xids = steps.map((_, index) => 7n + steps.slice(0, index + 1).reduce((a, c) => a + c));
    for (const xid of xids) {
      reader.read({ kind: 'begin', xid: Number(BigInt.asUintN(32, xid)) });
      reader.read(insert('1'));
      reader.read({ kind: 'commit', endLsn: 1n });
    }
    expect(relation.changes.map(({ xid }) => xid)).toEqual(xids);
  });

  it('have no rows where a process began to follow the relation', () => {
    const [one, other] = [new Recorder('a'), new Recorder('b')];
    const changes = read([one, other], { kind: 'following', relation: 'a' });
    expect(changes).toEqual([{ xid: XID, rows: [], truncated: false }]);
    expect(other.changes).toEqual([]);
  });

  it('are of the relations that a table belongs to, which are asked for when they change', () => {
    const relations = [new Recorder('a'), new Recorder('a')];
    let known: readonly Recorder[] = relations.slice(0, 1);
    let asked = 0;
    const ofTable = (): readonly Recorder[] => {
      asked += 1;
      return known;
    };
    const reader = new TransactionReader(wanted(ofTable), 1n);
    const write = (): void => {
      reader.read({ kind: 'begin', xid: 5 });
      for (const key of ['1', '2']) reader.read(insert(key));
      reader.read({ kind: 'commit', endLsn: 1n });
    };
    reader.read(table('a*'));
    write();
    write();
    known = relations;
    reader.relationsChanged();
    write();
    expect(asked).toBe(2);
    expect(relations.map(({ changes }) => changes.length)).toEqual([3, 1]);
  });

  it('are none of a table that the log has not described', () => {
    const reader = new TransactionReader(
      wanted(() => [new Recorder('a')]),
      1n,
    );
    expect(() => reader.read(insert('1'))).toThrow(
      new RangeError('The change log wrote to an unknown table.'),
    );
  });

  it('are none where it wrote to other tables alone', () => {
    expect(read([new Recorder('a')], table('a*'), { kind: 'other' })).toEqual([]);
  });
});

it('a transaction brings its own changes alone', () => {
  const relation = new Recorder('id');
  const reader = new TransactionReader(
    wanted(() => [relation]),
    0n,
  );
  for (const [xid, id] of ['1', '2', undefined].entries()) {
    reader.read({ kind: 'begin', xid: 5 + xid });
    if (xid === 0) reader.read(table('id*'));
    if (id !== undefined) reader.read(insert(id));
    reader.read({ kind: 'commit', endLsn: 1n });
  }
  expect(relation.changes).toMatchObject([
    { xid: 5n, rows: [{ came: ['1'] }] },
    { xid: 6n, rows: [{ came: ['2'] }] },
  ]);
});
