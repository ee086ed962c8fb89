import assert from 'node:assert/strict';
import { appendFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { until } from '@proj/test-servers';

import { itemsPage, type Reply } from '../../support/ask.ts';
import { demandItems, demandRefusal, demandReply } from '../expect.ts';
import type { FaultRow } from '../fault-row.ts';
import { tokenOf } from '../../support/handed-out-token.ts';
import { failedStart, type Service, SETTINGS } from '../../support/service.ts';

/** Settings files that are wrong by themselves, and what the complaint is about. */
const WRONG: readonly (readonly [text: string, complaint: RegExp])[] = [
  ['expose: all\nmodels: {', /settings\.yaml/],
  ['expose: all\nexpose: all\n', /settings\.yaml:2/],
  ['expose: everything\n', /expose/],
  ['expose: all\nunknown_key: 1\n', /unknown_key/],
  ['__proto__: { x: 1 }\n', /__proto__/],
  ['limits: { query_timeout_ms: soon }\n', /query_timeout_ms/],
  ['- a\n- list\n', /settings\.yaml|mapping/],
];

/** Settings that do not fit the database. */
const UNFITTING = { ...SETTINGS, roles: { reader: { models: { no_such_model: {} } } } };

const { token: READER, entry } = tokenOf('reader');

/** A reader who may see the ids, and more where `attributes` says so. */
const restricted = (...attributes: readonly string[]) => ({
  ...SETTINGS,
  tokens: [entry],
  roles: { reader: { models: { items: { attributes } } } },
});

/** Settings that are wrong, change, or seem to. */
export const SETTINGS_ROWS: readonly FaultRow[] = [
  {
    name: 'broken settings at the start',
    fault: 'a settings file that is cut short, contradictory, or names what is not there',
    expected:
      'exit code 2, or 1 where the settings do not fit the database, and a sentence that names ' +
      'the place',
    run: async ({ database: { url } }) => {
      for (const [settings, says] of WRONG)
        demandRefusal(await failedStart({ database: url, settings }), { says, code: 2 });
      const unfitting = await failedStart({ database: url, settings: UNFITTING });
      demandRefusal(unfitting, { says: /no_such_model/ });
    },
  },
  {
    name: 'broken settings while serving',
    fault: 'a settings file is broken while it is served',
    expected: 'the settings before it stay, and the log says why',
    run: async ({ serve }) => {
      const service = await serve();
      await writeFile(service.file, 'expose: all\nmodels: {');
      await until(() => service.output().includes('reload failed'));
      await demandItems(service);
      // The same content as at the start would be no change.
      await change(service, { ...SETTINGS, limits: { query_timeout_ms: 3000 } });
      await until(() => /"msg":"[^"]*reloaded"/.test(service.output()));
      await demandItems(service);
    },
  },
  {
    name: 'reload that fails',
    fault: 'new settings show more to one role and misspell another',
    expected: 'nothing of them is applied',
    run: async ({ serve }) => {
      const service = await serve({ settings: restricted('id') });
      const ask = async () =>
        service.ask(itemsPage({ query_attributes: ['name'] }), { token: READER });
      demandReply(await ask(), 400, 'unknown_attribute');
      const { roles, ...rest } = restricted('id', 'name');
      await change(service, {
        ...rest,
        roles: { ...roles, other: { models: { no_such_model: {} } } },
      });
      await until(() => service.output().includes('reload failed'));
      demandReply(await ask(), 400, 'unknown_attribute');
      await change(service, restricted('id', 'name'));
      await until(async () => (await ask()).status === 200);
    },
  },
  {
    name: 'revoked token',
    fault:
      'a token is taken out of the settings while other files of the folder are written ' +
      'all the time',
    expected: '401 for it within seconds, and no reload for the other files',
    run: async ({ serve }) => {
      const service = await serve({ settings: restricted('id') });
      const ask = async () =>
        service.ask(itemsPage({ query_attributes: ['id'] }), { token: READER });
      demandReply(await ask(), 200);
      for (let turn = 0; turn < 30; turn += 1) await writeBeside(service, ask);
      await change(service, { ...restricted('id'), tokens: [] });
      await until(async () => (await writeBeside(service, ask)).status === 401);
      const reloads = () => service.output().match(/"msg":"[^"]*reloaded"/g) ?? [];
      await until(() => reloads().length > 0);
      assert.equal(reloads().length, 1);
    },
  },
  {
    name: 'SIGHUP',
    fault: 'the process is sent SIGHUP after the schema has changed',
    expected: 'it reloads settings and schema, and goes on',
    run: async ({ database, serve, atEnd }) => {
      const service = await serve();
      await database.run('create table newcomer (id integer primary key)');
      atEnd(async () => database.run('drop table newcomer'));
      process.kill(service.pid, 'SIGHUP');
      await until(async () =>
        (await service.get('/api/v1/dynamic/models')).text.includes('"newcomer"'),
      );
      await demandItems(service);
      assert.equal(service.child.exitCode, null);
    },
  },
];

/** Replaces the settings file in one step, as editors and Kubernetes do. */
async function change(service: Service, settings: object): Promise<void> {
  await writeFile(`${service.file}.new`, JSON.stringify(settings));
  await rename(`${service.file}.new`, service.file);
}

/** Asks while another file of the folder is written. */
async function writeBeside({ file }: Service, ask: () => Promise<Reply>): Promise<Reply> {
  await appendFile(join(dirname(file), 'noise.log'), 'another line\n');
  return ask();
}
