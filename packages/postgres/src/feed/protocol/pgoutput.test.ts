import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { type ChangeMessage, readChangeMessage, type RowValues } from './pgoutput.ts';

type Text = string | null | undefined;

/** A message with the texts of its rows. */
function read(hex: string): Record<string, unknown> {
  return shown(readChangeMessage(Buffer.from(hex, 'hex')));
}

function shown(message: ChangeMessage): Record<string, unknown> {
  const { row, old } = message as { row?: RowValues; old?: RowValues };
  return { ...message, ...(row && { row: texts(row) }), ...(old && { old: texts(old) }) };
}

function texts(row: RowValues): Text[] {
  return Array.from({ length: row.count }, (_, column) => row.text(column));
}

/** As PostgreSQL 15 sent them, for `one (id int primary key, note text, m mood)`. */
/** A message with the prefix `dynamic_query.following` and the content `name`. */
const NAMED = '000000000150a59064796e616d69635f71756572792e666f6c6c6f77696e6700000000046e616d65';
const [IN_TRANSACTION, NOT_IN_TRANSACTION] = [`4d01${NAMED}`, `4d00${NAMED}`];

describe('a message of pgoutput', () => {
  it('says of which transaction the changes are that follow', () => {
    const begin = '42000000000150a590000303cfa7cc5738000002da';
    expect(read(begin)).toEqual({ kind: 'begin', xid: 730 });
  });

  it('says where the record behind a commit begins', () => {
    const commit = '4300000000000150a590000000000150a5c0000303cfa7cc5738';
    expect(read(commit)).toEqual({ kind: 'commit', endLsn: 0x150a5c0n });
  });

  it('names the columns of a relation, and those that identify its rows', () => {
    const relation =
      '52000040037075626c6963006f6e65006400030169640000000017ffffffff' +
      '006e6f74650000000019ffffffff006d0000004001ffffffff';
    expect(read(relation)).toEqual({
      kind: 'relation',
      oid: 16387,
      columns: [
        { name: 'id', isIdentity: true },
        { name: 'note', isIdentity: false },
        { name: 'm', isIdentity: false },
      ],
    });
  });

  it('has the values of a row that was written', () => {
    const insert = '49000040034e0003740000000131740000000461c3a96274000000026f6b';
    expect(read(insert)).toEqual({ kind: 'insert', oid: 16387, row: ['1', 'aéb', 'ok'] });
  });

  it('lacks a value that is stored apart from its row and was not changed', () => {
    const update = '55000040034e00037400000001327574000000026f6b';
    const row = ['2', undefined, 'ok'];
    expect(read(update)).toEqual({
      kind: 'update',
      oid: 16387,
      old: undefined,
      row,
    });
  });

  it('has the key that a row had when the key changes', () => {
    const update =
      '55000040034b00037400000001316e6e4e0003740000000137740000000461c3a96274000000026f6b';
    const [old, row] = [
      ['1', null, null],
      ['7', 'aéb', 'ok'],
    ];
    expect(read(update)).toEqual({ kind: 'update', oid: 16387, old, row });
  });

  it('has the key of a row that was deleted', () => {
    const old = ['7', null, null];
    expect(read('44000040034b00037400000001376e6e')).toEqual({
      kind: 'delete',
      oid: 16387,
      old,
    });
  });

  it('has the whole old row under REPLICA IDENTITY FULL', () => {
    const update = '550000400a4f00017400000001314e0001740000000132';
    expect(read(update)).toEqual({
      kind: 'update',
      oid: 16394,
      old: ['1'],
      row: ['2'],
    });
    expect(read('440000400a4f0001740000000132')).toMatchObject({
      kind: 'delete',
      old: ['2'],
    });
  });

  it('names the relations that a truncate emptied, whatever its options', () => {
    const truncate = '540000000203000040030000400a';
    expect(read(truncate)).toEqual({ kind: 'truncate', oids: [16387, 16394] });
  });

  it('says which relation a process begins to follow', () => {
    expect(read(IN_TRANSACTION)).toEqual({ kind: 'following', relation: 'name' });
  });

  it.each([
    ['a type', '59000040017075626c6963006d6f6f6400'],
    ['a message of an application', '4d01000000000150a59064796e616d69635f71756572790000000000'],
    ['a message outside of transactions', NOT_IN_TRANSACTION],
    ['an origin', '4f00000000000150a5906e6f646500'],
  ])('changes no row where it is %s', (_, hex) => {
    expect(read(hex)).toEqual({ kind: 'other' });
  });

  it('is refused where its kind is not known, or where it ends too early', () => {
    expect(() => read('5a00')).toThrow(RangeError);
    expect(() => read('4400004003')).toThrow(RangeError);
    expect(() => read('520000400370')).toThrow(RangeError);
  });

  it('is read as it was written, whatever the values', () => {
    fc.assert(
      fc.property(fc.nat(2 ** 31), ROW, fc.option(ROW), (oid, row, old) => {
        const head = concat('U', uint32(oid));
        const before = old === null ? '' : concat('O', tuple(old));
        const message = readChangeMessage(concat(head, before, 'N', tuple(row)));
        expect(shown(message)).toMatchObject({ kind: 'update', oid, row, old: old ?? undefined });
      }),
    );
  });
});

const VALUE = fc.option(fc.string({ unit: 'binary' }), { freq: 4 });

/** Rows with NULL, and with values that the message leaves out. */
const ROW = fc.array(fc.oneof(VALUE, fc.constant(undefined)), { maxLength: 20 });

function tuple(row: readonly Text[]): Buffer {
  const count = Buffer.alloc(2);
  count.writeInt16BE(row.length);
  return concat(count, ...row.map(value));
}

function value(text: Text): Buffer {
  if (text === undefined) return Buffer.from('u');
  if (text === null) return Buffer.from('n');
  return concat('t', uint32(Buffer.byteLength(text)), text);
}

function uint32(number: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(number);
  return bytes;
}

function concat(...parts: readonly (Buffer | string)[]): Buffer {
  return Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : part)));
}
