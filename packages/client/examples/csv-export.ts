import { mkdtemp, readFile, rename, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { createClient } from '@proj/client';

const client = createClient({ baseUrl: 'https://data.example.com', token: 'my-access-token' });
const attributes = ['id', 'name', 'population'] as const;

/** A field of RFC 4180; NULL is empty without quotes, an empty text is `""`. */
function field(value: unknown): string {
  if (value === null) return '';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return `"${text.replaceAll('"', '""')}"`;
}

async function* lines(): AsyncGenerator<string> {
  yield `${attributes.map(field).join(',')}\r\n`;
  for await (const city of client.records(
    { model: 'cities', attributes, size: 20 },
    { onDrift: 'error' },
  )) {
    yield `${attributes.map((name) => field(city[name])).join(',')}\r\n`;
  }
}

const file = join(await mkdtemp(join(tmpdir(), 'cities-')), 'cities.csv');
await writeFile(`${file}.part`, lines()); // reads no faster than the disk writes
await rename(`${file}.part`, file); // whoever sees the file sees all of it

const written = (await readFile(file, 'utf8')).split('\r\n');
console.log(written.length, written[1], written[2]); //=> 44 "1","City 1", "2","City 2","2000"
