import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { createClient } from '@proj/client';
import { expect, it } from 'vitest';

import { startService } from '../support/service.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { dq } from './dq.ts';

const CLERK = 'dq_the-token-of-a-clerk-0123456789';

const WHY: Readonly<Record<string, readonly [reason: string, remedy: string]>> = {
  visits: [
    'a part of its key is a date, which SQLite may store in several forms.',
    'An operator can declare another `key` for the model, or `type: text` for the date.',
  ],
  badges: [
    'the token does not see every part of its key.',
    'An operator can let the role see every attribute of the key.',
  ],
};

it('dq and the SDK say of a date in a key, and of a key that a role does not see, which of both it is and what to do', async () => {
  const folder = await temporaryFolder();
  const [file, tokenFile] = [join(folder, 'shop.db'), join(folder, 'token')];
  await writeFile(tokenFile, CLERK);
  const database = new DatabaseSync(file);
  database.exec(`
    create table visits (at datetime not null primary key, note text) without rowid;
    create table badges (code integer primary key, note text)`);
  database.close();
  const sha256 = createHash('sha256').update(CLERK).digest('hex');
  const settings =
    'expose: all\nroles: { clerk: { models: { visits: {}, badges: { attributes: [note] } } } }\n' +
    `tokens: [{ name: clerk, role: clerk, sha256: ${sha256} }]\n`;
  const service = await startService({ database: `sqlite:${file}`, settings });
  const client = createClient({ baseUrl: service.origin, token: CLERK });
  for (const [model, [reason, remedy]] of Object.entries(WHY)) {
    const named = await dq(['page-of', model, '1', '--token-file', tokenFile], service);
    expect(named.stderr).toBe(
      `dq: the records of ${model} cannot be named: ${reason} ` +
        `Ask by number: dq query --page. ${remedy}\n`,
    );
    const walk = client.all({ model, attributes: ['note'], size: 10, order: 'key' });
    await expect(walk).rejects.toThrow(`${reason} ${remedy} Read it with order "page"`);
  }
});
