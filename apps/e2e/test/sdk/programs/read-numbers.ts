/**
 * Reads the model `numbers`, whose ids count from 1, and prints what it met:
 * `read-numbers.ts <url> <token> <rows>`.
 */
import { createClient, type Progress } from '@proj/client';

/** What the program prints, as JSON. */
export interface Report {
  readonly records: number;
  /** How many records had another id than their place. */
  readonly outOfPlace: number;
  /** The last progress that was reported; its bigints as texts. */
  readonly last: Record<keyof Progress, unknown>;
  /** The heap after a collection, at a fifth of the records and at the last. */
  readonly heapBytes: { readonly atAFifth: number; readonly atTheEnd: number };
}

const [, , baseUrl = '', token = '', rows = ''] = process.argv;
const client = createClient({ baseUrl, token });

let last: Progress | undefined;
let [records, outOfPlace, atAFifth, atTheEnd] = [0, 0, 0, 0];
const list = { model: 'numbers', attributes: ['id', 'half', 'note'], size: 1000 } as const;
const onProgress = (progress: Progress): void => void (last = progress);
for await (const { id } of client.records(list, { concurrency: 8, onProgress })) {
  records += 1;
  if (id !== String(records)) outOfPlace += 1;
  if (records === Number(rows) / 5) atAFifth = heapBytes();
  // Not after the walk, which would have let go of whatever it kept.
  if (records === Number(rows)) atTheEnd = heapBytes();
}
const report = { records, outOfPlace, last, heapBytes: { atAFifth, atTheEnd } };
console.log(
  JSON.stringify(report, (_key, value: unknown) =>
    typeof value === 'bigint' ? String(value) : value,
  ),
);

function heapBytes(): number {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed;
}
