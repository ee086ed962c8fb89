import { describe, expect, it } from 'vitest';

import type { Attribute } from '../../../../catalogue/model.ts';
import type { RelationChange } from './changes.ts';
import { type ListChange, ListLog } from './list-log.ts';
import { type ChangeMessage, RowValues } from '../protocol/pgoutput.ts';
import { type ListChanges, RelationLog } from './relation-log.ts';
import { RowCondition } from './row-condition.ts';
import { MOST_ROWS, TransactionReader } from './transactions.ts';

type Row = readonly (string | null | undefined)[];

/** A relation that keeps what it gets. */
class Recorder {
  readonly key: readonly string[];
  lists: readonly ListLog[] = [];
  readonly ofLists: ListChange[] = [];
  readonly changes: RelationChange[] = [];

  constructor(...key: string[]) {
    this.key = key;
  }

  append(change: RelationChange, ofLists: ListChanges): void {
    this.changes.push(change);
    for (const { rows, delta, truncated } of ofLists.values())
      this.ofLists.push({ rows, delta, truncated });
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

const update = (old: Row | undefined, row: Row, isOldWhole = false): ChangeMessage => ({
  kind: 'update',
  oid: TABLE,
  old: old && values(old),
  isOldWhole,
  row: values(row),
});

const remove = (...old: Row): ChangeMessage => ({
  kind: 'delete',
  oid: TABLE,
  old: values(old),
  isOldWhole: false,
});

/** What the changes of one transaction are to relations that a table belongs to. */
function read(relations: readonly Recorder[], ...messages: ChangeMessage[]): RelationChange[] {
  const reader = new TransactionReader((oid) => (oid === TABLE ? relations : []), 2n ** 33n);
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
    const reader = new TransactionReader(() => [relation], 7n);
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

  it('are of the relations that a table belongs to, which are asked for when they change', () => {
    const relations = [new Recorder('a'), new Recorder('a')];
    let wanted: readonly Recorder[] = relations.slice(0, 1);
    let asked = 0;
    const reader = new TransactionReader(() => {
      asked += 1;
      return wanted;
    }, 1n);
    const write = (): void => {
      reader.read({ kind: 'begin', xid: 5 });
      for (const key of ['1', '2']) reader.read(insert(key));
      reader.read({ kind: 'commit', endLsn: 1n });
    };
    reader.read(table('a*'));
    write();
    write();
    wanted = relations;
    reader.relationsChanged();
    write();
    expect(asked).toBe(2);
    expect(relations.map(({ changes }) => changes.length)).toEqual([3, 1]);
  });

  it('are none of a table that the log has not described', () => {
    const reader = new TransactionReader(() => [new Recorder('a')], 1n);
    expect(() => reader.read(insert('1'))).toThrow(
      new RangeError('The change log wrote to an unknown table.'),
    );
  });

  it('are none where it wrote to other tables alone', () => {
    expect(read([new Recorder('a')], table('a*'), { kind: 'other' })).toEqual([]);
  });
});

/** The list of the rows whose `size` is 7, where the columns are in another order. */
function sevens(key?: readonly string[]): ListLog {
  const attribute = { column: 'size', type: 'int32', databaseType: 'integer' } as Attribute;
  const columns = [{ name: 'size', type: 'integer', isEnum: false }];
  const condition = RowCondition.of(
    { attribute, op: 'eq', values: [7n] },
    { columns, isUnicode: true },
  );
  if (condition === undefined) throw new Error('The condition is one that can be decided.');
  return new ListLog(new RelationLog(1n), { condition, key });
}

const whole = (old: Row, row: Row): ChangeMessage => update(old, row, true);

const removeWhole = (...old: Row): ChangeMessage =>
  ({ ...remove(...old), isOldWhole: true }) as ChangeMessage;

function deltaOf(...messages: ChangeMessage[]): ListChange | undefined {
  const relation = new Recorder('id');
  relation.lists = [sevens()];
  read([relation], table('id*', 'note*', 'size*'), ...messages);
  return relation.ofLists[0];
}

describe('what a transaction did to a list', () => {
  it.each([
    ['comes', 1, [insert('1', 'x', '7')]],
    ['comes elsewhere', 0, [insert('1', 'x', '8'), insert('2', 'x', null)]],
    ['goes', -1, [removeWhole('1', 'x', '7')]],
    ['goes elsewhere', 0, [removeWhole('1', 'x', '8')]],
    ['moves in', 1, [whole(['1', 'x', null], ['1', 'x', '7'])]],
    ['moves out', -1, [whole(['1', 'x', '7'], ['1', 'x', '6'])]],
    ['stays', 0, [whole(['1', 'x', '7'], ['2', 'y', '7'])]],
    [
      'stays, though the update leaves the value out',
      0,
      [whole(['1', 'x', '7'], ['1', 'y', undefined])],
    ],
    [
      'moves out and is put back',
      0,
      [whole(['1', 'x', '7'], ['1', 'x', '6']), whole(['1', 'x', '6'], ['1', 'x', '7'])],
    ],
  ])('is counted where a row %s', (_, delta, messages) => {
    expect(deltaOf(...messages)).toEqual({ rows: [], delta, truncated: false });
  });

  it.each([
    ['an update does not say what the row was', [update(undefined, ['1', 'x', '7'])]],
    [
      'an update has the key alone of what the row was',
      [update(['1', null, null], ['2', 'x', '7'])],
    ],
    ['a delete has the key alone of what the row was', [remove('1', null, null)]],
    ['a value is out of the ordinary', [insert('1', 'x', 'seven')]],
    ['a value was out of the ordinary', [whole(['1', 'x', 'seven'], ['1', 'x', '8'])]],
    [
      'the value is neither in the old row nor in the new one',
      [whole(['1', 'x', undefined], ['1', 'x', undefined])],
    ],
    ['the relation is emptied', [{ kind: 'truncate' as const, oids: [TABLE] }]],
  ])('is not known where %s', (_, messages) => {
    expect(deltaOf(insert('0', 'x', '7'), ...messages, insert('9', 'x', '7'))).toEqual({
      rows: [],
      delta: 0,
      truncated: true,
    });
  });

  it('is which keys came and went, where the list is ordered', () => {
    const relation = new Recorder('id');
    relation.lists = [sevens(['size', 'note', 'id'])];
    const messages = [
      insert('1', null, '7'),
      insert('2', 'x', '8'),
      whole(['1', null, '7'], ['1', 'y', undefined]),
      whole(['1', 'y', '7'], ['1', 'y', '7']),
      removeWhole('3', 'z', '7'),
    ];
    read([relation], table('id*', 'note*', 'size*'), ...messages);
    const rows = [
      { came: ['7', null, '1'] },
      { came: ['7', 'y', '1'], went: ['7', null, '1'] },
      { went: ['7', 'z', '3'] },
    ];
    expect(relation.ofLists).toEqual([{ rows, delta: 0, truncated: false }]);
  });

  it('is which keys came and went of all rows, where the list has no filter', () => {
    const relation = new Recorder('id');
    relation.lists = [new ListLog(new RelationLog(1n), { condition: undefined, key: ['note'] })];
    const messages = [insert('1', 'x', '7'), whole(['1', 'x', '7'], ['1', 'y', '7'])];
    read([relation], table('id*', 'note*', 'size*'), ...messages);
    const rows = [{ came: ['x'] }, { came: ['y'], went: ['x'] }];
    expect(relation.ofLists).toEqual([{ rows, delta: 1, truncated: false }]);
  });

  it('is not known where the log has not all of a key', () => {
    const relation = new Recorder('id');
    relation.lists = [sevens(['size', 'note'])];
    read([relation], table('id*', 'note*', 'size*'), insert('1', undefined, '7'));
    expect(relation.ofLists).toEqual([{ rows: [], delta: 0, truncated: true }]);
  });

  it('is read anew when one of the relations of a table has another list', () => {
    const relations = [new Recorder('id'), new Recorder('id')];
    const reader = new TransactionReader(() => relations, 1n);
    reader.read(table('id*', 'note*', 'size*'));
    for (const xid of [5, 6]) {
      reader.read({ kind: 'begin', xid });
      reader.read(insert('1', 'x', '7'));
      reader.read({ kind: 'commit', endLsn: 1n });
      if (relations[1] !== undefined) relations[1].lists = [sevens()];
    }
    const changes = relations.map(({ ofLists }) => ofLists);
    expect(changes).toEqual([[], [{ rows: [], delta: 1, truncated: false }]]);
  });

  it('is not said of a list that began while the transaction was being read', () => {
    const relation = new Recorder('id');
    const reader = new TransactionReader(() => [relation], 1n);
    reader.read({ kind: 'begin', xid: 5 });
    reader.read(table('id*', 'note*', 'size*'));
    reader.read(insert('1', 'x', '7'));
    relation.lists = [sevens()];
    reader.read(insert('2', 'x', '7'));
    reader.read({ kind: 'commit', endLsn: 1n });
    expect(relation.ofLists).toEqual([]);
    reader.read({ kind: 'begin', xid: 6 });
    reader.read(insert('3', 'x', '7'));
    reader.read({ kind: 'commit', endLsn: 1n });
    expect(relation.ofLists).toEqual([{ rows: [], delta: 1, truncated: false }]);
  });
});
