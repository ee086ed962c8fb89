import { copyFile, open, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { until } from '@proj/test-servers';

import { itemsPage } from '../../support/ask.ts';
import { demandItems, demandReply, demandStatus } from '../expect.ts';
import type { FaultRow } from '../fault-row.ts';
import type { Service } from '../../support/service.ts';
import type { Stage } from '../stage.ts';

/** What can happen to a database that is a file. */
export const DATABASE_FILES: readonly FaultRow[] = [
  {
    name: 'overwritten file',
    fault:
      'the file is overwritten in place by another database of the same size and change counter',
    expected:
      'the next replies are of the new content, or 503 while it is written; never of the old',
    databases: ['sqlite'],
    run: async (stage) => {
      const { service, file, other } = await twoFiles(stage);
      await demandItems(service);
      await writeFile(file, await readFile(other));
      await demandOther(service);
    },
  },
  {
    name: 'replaced file',
    fault: 'the file is replaced by another one of the same name',
    expected: 'the next replies are of the new file',
    databases: ['sqlite'],
    run: async (stage) => {
      const { service, file, other } = await twoFiles(stage);
      await demandItems(service);
      await rename(other, file);
      await demandOther(service);
    },
  },
  {
    name: 'corrupt file',
    fault: 'the pages of the file are overwritten with noise, and restored',
    expected: '503 and a failing readiness, never 500; 200 once it is restored',
    databases: ['sqlite'],
    run: async (stage) => {
      const { service, file } = await twoFiles(stage);
      await demandItems(service);
      const whole = await readFile(file);
      const handle = await open(file, 'r+');
      await handle.write(Buffer.alloc(whole.length - 100, 0xa5), 0, whole.length - 100, 100);
      await handle.close();
      demandReply(
        await service.ask(itemsPage({ page: { page: 3, size: 9 } })),
        503,
        'database_unavailable',
        'model_unavailable',
      );
      await writeFile(file, whole);
      await until(async () => (await service.ask(itemsPage())).status === 200);
    },
  },
];

/**
 * A service over a copy of the database, and a second file in which every item has another name.
 */
async function twoFiles({
  database,
  folder,
  serve,
}: Stage): Promise<{ service: Service; file: string; other: string }> {
  const place = await folder();
  const [file, other] = [join(place, 'data.db'), join(place, 'other.db')];
  await copyFile(database.url.replace(/^sqlite:/, ''), file);
  await copyFile(file, other);
  for (const [path, word] of [
    [file, 'item'],
    [other, 'ware'],
  ] as const) {
    const copy = new DatabaseSync(path);
    copy.exec(`update items set name = replace(name, 'item', '${word}')`);
    copy.close();
  }
  return { service: await serve({ database: `sqlite:${file}` }), file, other };
}

async function demandOther(service: Service): Promise<void> {
  await until(async () => {
    const reply = await service.ask(itemsPage());
    demandStatus(reply, 200, 503);
    if (reply.status === 200 && reply.text.includes('"item 1"'))
      throw new Error(`a reply of the old content: ${reply.text}`);
    return reply.status === 200 && reply.text.includes('"ware 1"');
  });
}
