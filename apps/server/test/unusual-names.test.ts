import { createHash } from 'node:crypto';

import { openEngine } from '@proj/engine';
import { expect, it, onTestFinished } from 'vitest';

import { accessRules, Authenticator } from '../src/access/authenticator.ts';
import { buildApp } from '../src/app.ts';
import { Lifecycle } from '../src/process/lifecycle.ts';
import { engineSettings } from '../src/settings/engine-settings.ts';
import { loadSettingsWithPlaces } from '../src/settings/file/load.ts';
import { fromSentSettings, toSentSettings } from '../src/settings/sent-settings.ts';
import { MODELS_PATH, ONE_READER, QUERY_PATH, settingsOfOne, temporaryDatabase } from './helper.ts';
import { runHere } from './run-here.ts';
import { settingsFile } from './settings-files.ts';

const TOKEN = 'a-token-of-a-role';

/** What comes before the models of a draft. */
const ROLES = `
roles: { __proto__: { models: { __proto__: { attributes: all } } } }
tokens:
  - { name: reader, role: __proto__, sha256: ${createHash('sha256').update(TOKEN).digest('hex')} }
`;

/** A service with the settings that `init` writes for a table whose names are unusual. */
async function startDrafted() {
  const { file } = temporaryDatabase(`
    create table "__proto__" ("b" text, "2" text, "__proto__" integer primary key, "10" text);
    insert into "__proto__" values ('b', 'two', 7, 'ten');`);
  const database = `sqlite:${file}`;
  const draft = await runHere(['init', '--database', database, '--output', '-']);
  const path = settingsFile(draft.stdout + ROLES);
  const loaded = await loadSettingsWithPlaces({ flags: { config: path }, env: {} });
  // Workers get a copy of them.
  const { settings } = fromSentSettings(structuredClone(toSentSettings(loaded)));
  const engine = await openEngine({ ...engineSettings(settingsOfOne(settings)), ...ONE_READER });
  const authenticator = new Authenticator(engine, accessRules(settings, undefined, undefined));
  const app = await buildApp({
    engine,
    authenticate: (token) => authenticator.authenticate(token),
    lifecycle: new Lifecycle(),
    logLevel: 'silent',
    mcp: { publicUrl: undefined, issuers: () => [] },
  });
  app.addHook('onClose', () => engine.close());
  onTestFinished(() => app.close());
  return app;
}

const HEADERS = {
  host: 'localhost',
  authorization: `Bearer ${TOKEN}`,
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
};

it('a model, an attribute and a role may be named __proto__, and attributes by digits keep their place', async () => {
  const app = await startDrafted();
  const catalogue = await app.inject({ url: MODELS_PATH, headers: HEADERS });
  expect(catalogue.json()).toMatchObject({
    models: [
      {
        name: '__proto__',
        attributes: ['b', '2', '__proto__', '10'].map((name) => ({ name })),
        key: ['__proto__'],
      },
    ],
  });
  const { body } = await app.inject({
    method: 'POST',
    url: QUERY_PATH,
    headers: HEADERS,
    payload:
      '{"query_model":"__proto__","query_attributes":["__proto__","10"],' +
      '"page":{"containing":{"__proto__":"7"},"size":1}}',
  });
  expect(body).toContain('{"result":[{"__proto__":"7","10":"ten"}]');
});

it('a tool of agents takes a key named __proto__, and refuses a member of a filter of that name', async () => {
  const app = await startDrafted();
  const call = async (members: string): Promise<string> => {
    const { body } = await app.inject({
      method: 'POST',
      url: '/mcp',
      headers: HEADERS,
      payload:
        '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":' +
        `{"name":"find_record_page","arguments":{"model":"__proto__",${members}}}}`,
    });
    return body;
  };
  expect(await call('"key":{"__proto__":"7"}')).toContain('number 1 of the list, on page 1');
  const filter = '"filter":{"attribute":"b","op":"eq","value":"b","__proto__":1}';
  expect(await call(`"key":{"__proto__":"7"},${filter}`)).toContain(
    String.raw`filter: \"__proto__\" is no member`,
  );
});
