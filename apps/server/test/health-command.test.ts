import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';

import { listenOnFreePort } from '@proj/test-servers';
import { describe, expect, it, onTestFinished } from 'vitest';

import { listen, MODELS_PATH, startService, temporaryDatabase } from './helper.ts';
import { runHere } from './run-here.ts';
import { launch } from './server-process.ts';
import { serviceHere } from './service-here.ts';
import { settingsFile } from './settings-files.ts';

/** Runs `dynamic-query health` in this process. */
async function health(args: readonly string[], env: Record<string, string> = {}) {
  const { code = 0, ...written } = await runHere(['health', ...args], env);
  return { code, ...written };
}

/** A server of something else, on a port of its own. */
async function startStranger(status: number, body: string): Promise<string> {
  const server = createServer((_request, response) => response.writeHead(status).end(body));
  onTestFinished(() => void server.close());
  return String(await listenOnFreePort(server));
}

describe('dynamic-query health', () => {
  it('says of a server that is ready that it is, by its port, its variable or its settings', async () => {
    const port = String(await listen((await startService()).app));
    const config = settingsFile(`port: ${port}\nmodels: { not yet finished: 1 }\n`);
    const ready = { code: 0, stdout: 'ready\n', stderr: '' };
    expect(await health(['--port', port])).toEqual(ready);
    expect(await health([], { HOST: '0.0.0.0', PORT: port })).toEqual(ready);
    expect(await health(['--config', config])).toEqual(ready);
    expect(await health(['--live', '--port', port])).toMatchObject({ code: 0, stdout: 'live\n' });
    // As a container does.
    const { code, stdout, stderr } = await launch(['health', '--port', port]).ended;
    expect({ code, stdout, stderr }).toEqual(ready);
  });

  it('fails with what a server says that is live and not ready', async () => {
    const { app, file } = await startService();
    const port = String(await listen(app));
    writeFileSync(file, 'not a database '.repeat(100));
    expect(await health(['--port', port])).toEqual({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(
        new RegExp(
          `^dynamic-query: http://127.0.0.1:${port}/readyz answers 503 database_unavailable: .*\\n$`,
        ),
      ),
    });
    expect(await health(['--live', '--port', port])).toMatchObject({ code: 0 });
  });

  it('fails where nothing answers, and where something else does', async () => {
    const nothing = await health(['--port', '1']);
    expect(nothing.code).toBe(1);
    expect(nothing.stderr).toMatch(
      /^dynamic-query: http:\/\/127\.0\.0\.1:1\/readyz does not answer \(.*\)\.\n$/,
    );
    const port = await startStranger(404, 'no such page');
    expect((await health(['--port', port])).stderr).toBe(
      `dynamic-query: http://127.0.0.1:${port}/readyz answers 404.\n`,
    );
  });

  it('asks no file where flags or variables say where the server listens', async () => {
    const env = { HOST: '127.0.0.1', PORT: '1', CONFIG: '/nowhere.yaml' };
    expect((await health([], env)).stderr).toContain('127.0.0.1:1/readyz does not answer');
    expect((await health([], { CONFIG: '/nowhere.yaml' })).stderr).toContain(
      '/nowhere.yaml: the settings file cannot be read',
    );
  });

  it('refuses an address that is none, with the place that it comes from', async () => {
    const config = settingsFile('expose: all\nport: many\n');
    expect((await health(['--config', config])).stderr).toContain(`${config}:2: port: `);
    expect((await health(['--port', '70000'])).stderr).toContain('--port: port: ');
    expect((await health([], { PORT: '0' })).stderr).toContain('Pass --port');
  });
});

it('a server takes a secret from the file that a variable names', async () => {
  const { file } = temporaryDatabase();
  const token = 'a-token-of-enough-characters';
  const env = {
    DATABASE_URL_FILE: settingsFile(`sqlite:${file}\n`),
    DYNAMIC_QUERY_ADMIN_TOKEN_FILE: settingsFile(`${token}\n`),
  };
  const { app } = await serviceHere({ flags: { expose: 'all' }, env });
  const headers = { authorization: `Bearer ${token}` };
  expect((await app.inject({ url: MODELS_PATH, headers })).statusCode).toBe(200);
  expect((await app.inject(MODELS_PATH)).statusCode).toBe(401);
});
