import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { type RunningService, startService } from '@proj/test-servers';
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  it,
  onTestFinished,
} from 'vitest';

import { ROOT } from '../repository.ts';
import { type Consumer, createConsumer, type Output } from './consumer.ts';
import { type Registry, startRegistry } from './registry.ts';
import { installRuntime } from './runtimes.ts';
import { LIST_READ, TOKEN, writeDatabase } from './service.ts';

const PROGRAMS = [
  ['dynamic-query', '@proj/server'],
  ['dq', '@proj/cli'],
] as const;

/** The commands that the page shows, but the last, which serves. */
const PAGE = readFileSync(join(ROOT, 'docs/operate.md'), 'utf8');
const [INSTALL = '', INIT = '', CHECK = ''] = /```sh\n(.*?)```/s.exec(PAGE)?.[1]?.split('\n') ?? [];

let registry: Registry;

beforeAll(async () => {
  registry = await startRegistry();
});

afterAll(async () => registry?.stop());

function versionOf({ folder }: Consumer, name: string): string {
  const manifest = join(folder, 'node_modules', name, 'package.json');
  return (JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }).version;
}

/** Runs a line of a shell with the token that the service takes. */
async function withToken({ run }: Consumer, line: string): Promise<Output> {
  return run('sh', '-c', `export DYNAMIC_QUERY_TOKEN=${TOKEN}; ${line}`);
}

/** Where a settings file says that its schema is. */
function schemaOf({ folder }: Consumer): string {
  const text = readFileSync(join(folder, 'dynamic-query.yaml'), 'utf8');
  const [, path = ''] = /^# yaml-language-server: \$schema=(.*)$/m.exec(text) ?? [];
  return path;
}

describe.each(['22', '24', '26'])('from an empty folder, with Node %s', (version) => {
  let consumer: Consumer;
  let service: RunningService;

  beforeAll(async () => {
    const node = await installRuntime(registry.url, 'node', version);
    consumer = await createConsumer({ registry: registry.url, node });
  });

  afterAll(async () => {
    await service?.stop();
    await consumer?.remove();
  });

  it(`npm install on Node ${version} brings both programs, without a warning`, async () => {
    expect((await consumer.run('node', '--version')).stdout).toMatch(`v${version}.`);
    const { stderr } = await consumer.run('sh', '-c', INSTALL);
    expect(stderr).not.toMatch(/EBADENGINE|deprecated|ERESOLVE|install-scripts/);
    for (const [program, name] of PROGRAMS) {
      const { stdout } = await consumer.run('npx', program, '--version');
      expect(stdout).toBe(`${versionOf(consumer, name)}\n`);
    }
  });

  it(`init on Node ${version} names a schema that is there, and check takes its file`, async () => {
    writeDatabase(join(consumer.folder, 'shop.db'));
    await consumer.run('sh', '-c', INIT);
    expect(schemaOf(consumer)).toBe('./node_modules/@proj/server/settings.schema.json');
    expect(existsSync(join(consumer.folder, schemaOf(consumer)))).toBe(true);
    const { stdout } = await consumer.run('sh', '-c', CHECK);
    expect(stdout).toMatch(/^No errors\. Models: readings$/m);
  });

  it(`the service on Node ${version} prints a curl line that reads a page`, async () => {
    const { folder, env } = consumer;
    const program = join(folder, 'node_modules/.bin/dynamic-query');
    const database = `sqlite:${join(folder, 'shop.db')}`;
    service = await startService([program, '--database', database, '--expose', 'all'], {
      env: { ...env, DYNAMIC_QUERY_ADMIN_TOKEN: TOKEN },
    });
    const [, curl = ''] = /^ {2}(curl .*)$/m.exec(service.output()) ?? [];
    const { stdout } = await withToken(consumer, curl);
    expect(JSON.parse(stdout)).toMatchObject({
      result: expect.arrayContaining([{ id: '9007199254740991', value: '1' }]),
      page: { total: '25' },
    });
  });

  it(`the explorer on Node ${version} comes with every file that it names`, async () => {
    const page = await fetch(`${service.origin}/`);
    const files = [...(await page.text()).matchAll(/(?:src|href)="(\.\/[^"]+)"/g)];
    expect(files.length).toBeGreaterThan(1);
    for (const [, path = ''] of files) {
      const reply = await fetch(new URL(path, page.url));
      expect(reply.status).toBe(200);
      expect(reply.headers.get('content-type')).toMatch(/^(application\/javascript|text\/css)/);
      expect((await reply.text()).length).toBeGreaterThan(0);
    }
    expect((await fetch(`${service.origin}/docs`)).status).toBe(200);
  });

  it(`dq on Node ${version} exports every record with every digit`, async () => {
    const dq = `npx dq export readings --format csv --url ${service.origin}`;
    const { stdout } = await withToken(consumer, dq);
    const lines = stdout.trim().split('\r\n');
    expect(lines).toHaveLength(26);
    expect(lines.at(-1)).toBe('9007199254741015,25');
  });

  it.each(['main.mjs', 'main.cjs'])(
    `the SDK on Node ${version} reads a list from %s`,
    async (main) => {
      await consumer.run('npm', 'install', '@proj/client');
      await consumer.copy(main, 'read-list.mjs');
      const { stdout, stderr } = await consumer.run('node', main, service.origin, TOKEN);
      expect({ stdout, stderr }).toEqual({ stdout: `${LIST_READ}\n`, stderr: '' });
    },
  );
});

describe('with other tools than npm install', () => {
  let consumer: Consumer;

  beforeEach(async () => {
    consumer = await createConsumer({ registry: registry.url, node: process.execPath });
    writeDatabase(join(consumer.folder, 'shop.db'));
  });

  afterEach(async () => consumer.remove());

  it('npx needs no installation, and its init leaves a schema beside the settings', async () => {
    const init = ['@proj/server', 'init', '--database', 'sqlite:shop.db'];
    await consumer.run('npx', '--yes', ...init);
    expect(schemaOf(consumer)).toBe('./dynamic-query.schema.json');
    const schema = readFileSync(join(consumer.folder, schemaOf(consumer)), 'utf8');
    expect(JSON.parse(schema)).toMatchObject({ title: 'Settings of Dynamic Query' });
  });

  it('packages that reach only what they declare, as pnpm links them, serve a page', async () => {
    const own = ['@proj/server', '@proj/client'];
    await consumer.run('npx', '--yes', 'pnpm@12', 'add', '--config.hoist=false', ...own);
    const database = `sqlite:${join(consumer.folder, 'shop.db')}`;
    const program = join(consumer.folder, 'node_modules/.bin/dynamic-query');
    const command = [program, '--database', database, '--expose', 'all'];
    const service = await startService(command, {
      env: { ...consumer.env, DYNAMIC_QUERY_ADMIN_TOKEN: TOKEN },
    });
    onTestFinished(service.stop);
    await consumer.copy('main.mjs', 'read-list.mjs');
    const { stdout } = await consumer.run('node', 'main.mjs', service.origin, TOKEN);
    expect(stdout).toBe(`${LIST_READ}\n`);
  });
});

it('Node 20 gets one line from each program that says what to install', async () => {
  const node = await installRuntime(registry.url, 'node', '20');
  const consumer = await createConsumer({ registry: registry.url, node });
  await consumer.run('npm', 'install', '@proj/server', '@proj/cli');
  for (const [program] of PROGRAMS) {
    const failure: unknown = await consumer.run('npx', program, '--help').catch((error) => error);
    expect(failure).toMatchObject({ code: 1, stdout: '' });
    const { stderr } = failure as { stderr: string };
    expect(stderr).toMatch(
      /^[\w-]+: Node 20\.[\d.]+ is too old\. Install Node 22\.16 or later: \S+\n$/,
    );
  }
  await consumer.remove();
});
