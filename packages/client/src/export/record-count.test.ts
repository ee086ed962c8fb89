import { csvWriter } from '@proj/contract';
import * as fc from 'fast-check';
import { expect, it } from 'vitest';

import { countCsvRecords, countJsonLines, countParquet, type RecordCount } from './record-count.ts';

const COLUMNS = [
  { name: 'a"b', type: 'text' },
  { name: 'c\nd', type: 'text' },
];

const anyText = fc.string({ unit: fc.constantFrom('"', '\n', '\r', ',', 'a', 'ü'), maxLength: 6 });
const anyRecords = fc.array(fc.tuple(fc.option(anyText), fc.option(anyText)), { maxLength: 20 });
const anyCuts = fc.array(fc.nat(400), { maxLength: 6 });

/** Counts a text that comes in pieces. */
function counted(count: RecordCount, text: string, cuts: readonly number[]): RecordCount {
  const bytes = new TextEncoder().encode(text);
  const places = [0, ...cuts.filter((cut) => cut < bytes.length), bytes.length];
  places.sort((left, right) => left - right);
  for (const [index, place] of places.entries())
    count.add(bytes.subarray(place, places[index + 1] ?? place));
  return count;
}

it('counts the records of CSV and JSON lines, whatever they hold and however they are cut', () => {
  fc.assert(
    fc.property(anyRecords, anyCuts, (records, cuts) => {
      const { head, line } = csvWriter(COLUMNS);
      const csv = counted(countCsvRecords(), head + records.map(line).join(''), cuts);
      expect([csv.records(), csv.isAtEnd()]).toEqual([BigInt(records.length), true]);
      const text = records.map((record) => `${JSON.stringify(record)}\n`).join('');
      const lines = counted(countJsonLines(), text, cuts);
      expect([lines.records(), lines.isAtEnd()]).toEqual([BigInt(records.length), true]);
    }),
  );
});

it('finds that a file does not end with a whole record', () => {
  expect(counted(countCsvRecords(), '', []).isAtEnd()).toBe(false);
  expect(counted(countCsvRecords(), 'a\r\n1\r\n"', []).isAtEnd()).toBe(false);
  expect(counted(countCsvRecords(), 'a\r\n1\r\n"x\r\n', []).isAtEnd()).toBe(false);
  expect(counted(countCsvRecords(), 'a\r\n1\r\n2', []).isAtEnd()).toBe(false);
  expect(counted(countJsonLines(), '{}\n{', []).isAtEnd()).toBe(false);
});

/** Bytes laid out as a Parquet file of one byte of data and a footer of so many. */
function parquetOf(footer: number): Uint8Array {
  const mark = [0x50, 0x41, 0x52, 0x31];
  return Uint8Array.from([...mark, 7, ...Array(footer).fill(1), footer, 0, 0, 0, ...mark]);
}

it('knows a Parquet file by its end, however it is cut', () => {
  fc.assert(
    fc.property(fc.nat(20), anyCuts, fc.nat(), (footer, cuts, shorter) => {
      const file = parquetOf(footer);
      const end = shorter % (file.length + 1);
      const places = [0, ...cuts.filter((cut) => cut < end), end].toSorted((a, b) => a - b);
      const count = countParquet(42n);
      for (const [index, place] of places.entries())
        count.add(file.subarray(place, places[index + 1] ?? place));
      const isWhole = end === file.length;
      expect([count.isAtEnd(), count.records()]).toEqual([isWhole, isWhole ? 42n : 0n]);
    }),
  );
});
