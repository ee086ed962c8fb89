import { globSync, readFileSync, statSync } from 'node:fs';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { freePort } from '@proj/test-servers';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';

import { ROOT } from './repository.ts';
import { CANARY, makeBuildContext } from './support/build-context.ts';
import { childrenOf } from './support/processes.ts';
import { ImageStore } from './support/image-store.ts';
import { makeNodeImage, registryVolumes } from './support/node-image.ts';
import { OciContainer } from './support/oci-container.ts';
import { run, unmet } from './support/programs.ts';

const IMAGE = 'localhost/dynamic-query';
const NODE_IMAGE = 'localhost/node';
/** DuckDB is a third of them. */
const MOST_BYTES = 225_000_000;
const TOKEN = 'a-token-of-enough-characters';

/** What an image says about how it is run. */
interface ImageConfig {
  readonly User: string;
  readonly Env: readonly string[];
  readonly Entrypoint: readonly string[];
  readonly Cmd: readonly string[];
  readonly StopSignal: string;
  readonly Labels: Readonly<Record<string, string>>;
  readonly Healthcheck: { readonly Test: readonly string[] };
}

const left = unmet({ programs: ['buildah', 'debootstrap', 'npm', 'runc'], root: true });

describe.skipIf(left)(`the image that the Dockerfile builds${left}`, () => {
  let store: ImageStore;
  let root = '';
  let config: ImageConfig;

  beforeAll(async () => {
    store = await ImageStore.create();
    await makeNodeImage(store, NODE_IMAGE);
    const volumes = (await registryVolumes()).flatMap((volume) => ['--volume', volume]);
    const base = ['--build-arg', `NODE_IMAGE=${NODE_IMAGE}`];
    const options = ['--format', 'docker', '--tag', IMAGE, ...base, ...volumes];
    await store.buildah('build', ...options, await makeBuildContext());
    root = await store.mount(IMAGE);
    const inspected = await store.buildah('inspect', '--type', 'image', IMAGE);
    config = (JSON.parse(inspected) as { Docker: { config: ImageConfig } }).Docker.config;
  });

  afterAll(() => store.remove());

  it('takes at most 225 MB', async () => {
    const size = Number(await run('sh', ['-c', `tar -C ${root} -c . | wc -c`]));
    console.log(`The image takes ${(size / 1e6).toFixed(1)} MB.`);
    expect(size).toBeLessThanOrEqual(MOST_BYTES);
  });

  it('says how it is run, stopped and asked for its health', () => {
    expect(config).toMatchObject({
      User: '65532:65532',
      Entrypoint: ['dynamic-query'],
      Cmd: ['serve'],
      StopSignal: 'SIGTERM',
      Healthcheck: { Test: ['CMD', 'dynamic-query', 'health'] },
    });
    expect(config.Labels).toMatchObject({ 'org.opencontainers.image.licenses': 'MIT' });
  });

  it('holds the packages of the lock file that the server needs, and no others', async () => {
    const listed = JSON.parse(
      await run('pnpm', ['list', '--filter', '@proj/server', '--prod', '--depth=9', '--json']),
    ) as Dependency[];
    const wanted = new Set(listed.flatMap(namesWithin));
    const packages = globSync('app/node_modules/.pnpm/*@*', { cwd: root }).map((path) =>
      path.replace('app/node_modules/.pnpm/', '').replaceAll('+', '/'),
    );
    const names = packages.map((entry) => /^@?[^@]+/.exec(entry)?.[0] ?? '');
    expect(names.length).toBeGreaterThan(50);
    expect(names.filter((name) => !wanted.has(name) && !PEERS.has(name))).toEqual([]);
  });

  it('holds no shell, package manager, compiler, test, type or source map', () => {
    const unwanted = '{bin,sbin,usr/bin,usr/sbin,usr/local/bin}/{*sh,busybox,npm,pnpm,apt*,gcc}';
    expect(globSync(unwanted, { cwd: root })).toEqual([]);
    expect(globSync('**/*.{map,ts,mts,cts}', { cwd: root })).toEqual([]);
    expect(globSync('**/{test,tests,docs}', { cwd: root })).toEqual([]);
  });

  it('holds no secret of the folder that it was built in, nor of its history', async () => {
    expect(await linesWith('dynamic-query', root)).toBeGreaterThan(0);
    expect(await linesWith(CANARY, root)).toBe(0);
    const description = await store.buildah('inspect', '--type', 'image', IMAGE);
    expect(description).not.toContain(CANARY);
  });

  it('lets the account of the server change nothing', () => {
    const paths = globSync('**', { cwd: root }).filter((path) => path !== 'tmp');
    const changeable = paths.filter((path) => {
      const { uid, mode } = statSync(join(root, path), { throwIfNoEntry: false }) ?? GONE;
      return uid !== 0 || (mode & 0o6022) !== 0;
    });
    expect(changeable).toEqual([]);
  });

  it('answers on a read-only root without privileges, says how it is, and drains at SIGTERM', async () => {
    const container = await startShop(root, config);
    const { origin } = container;
    await expect.poll(() => statusOf(`${origin}/readyz`)).toBe(200);
    expect(await ask(origin)).toMatchObject({ result: [{ id: '1' }], page: { total: '2' } });
    expect(await container.exec('dynamic-query', 'health')).toBe('ready\n');
    expect(await container.exec('dynamic-query', 'health', '--live')).toBe('live\n');
    const write = `try { require('fs').writeFileSync('/tmp/x', '') } catch ({ code }) { console.log(code) }`;
    expect(await container.exec('node', '--eval', write)).toBe('EROFS\n');
    await container.signal(config.StopSignal);
    await expect.poll(() => statusOf(`${origin}/readyz`)).toBe(503);
    await expect(container.exec('dynamic-query', 'health')).rejects.toThrow('shutting_down');
    expect(await ask(origin)).toMatchObject({ page: { total: '2' } });
    expect((await container.program.ended).code).toBe(0);
  });

  it('answers with several workers, and replaces one that is killed', async () => {
    const container = await startShop(root, config, { WORKERS: '2' });
    const { origin, program } = container;
    await expect.poll(() => program.output()).toContain('Dynamic Query answers at');
    const workers = childrenOf(await container.pid());
    expect(workers).toHaveLength(2);
    process.kill(workers[0] ?? 0, 'SIGKILL');
    await expect.poll(() => program.output()).toContain('a worker was started again');
    expect(await ask(origin)).toMatchObject({ result: [{ id: '1' }], page: { total: '2' } });
    await container.signal(config.StopSignal);
    expect((await program.ended).code).toBe(0);
  });

  it('has the pages of the service: explorer, API, problems', async () => {
    const { origin } = await startShop(root, config);
    await expect.poll(() => statusOf(`${origin}/readyz`)).toBe(200);
    for (const page of ['', 'docs', 'openapi.json', 'problems'])
      expect([page, await statusOf(`${origin}/${page}`)]).toEqual([page, 200]);
  });

  it('says in one line what is missing when it is started without settings', async () => {
    const { program } = await startIn(root, config, {});
    const { code, stderr } = await program.ended;
    expect(code).toBe(2);
    expect(stderr).toMatch(/^dynamic-query: database: none is given\. .*\n$/);
  });
});

it('the Dockerfile builds with the version of Node with which everything is tested', () => {
  const [workspace, dockerfile] = ['pnpm-workspace.yaml', 'Dockerfile'].map((file) =>
    readFileSync(join(ROOT, file), 'utf8'),
  );
  const [, version] = /^nodeVersion: (.+)$/m.exec(workspace ?? '') ?? [];
  expect(dockerfile).toContain(`ARG NODE_IMAGE=docker.io/library/node:${version}-`);
});

const GONE = { uid: 0, mode: 0 };

/** What `mysql2` asks for besides its dependencies: types, of which only the manifests are left. */
const PEERS = new Set(['@types/node', 'undici-types']);

interface Dependency {
  readonly dependencies?: Readonly<Record<string, Dependency>>;
  readonly optionalDependencies?: Readonly<Record<string, Dependency>>;
}

function namesWithin({ dependencies, optionalDependencies }: Dependency): string[] {
  const all = Object.entries({ ...dependencies, ...optionalDependencies });
  return all.flatMap(([name, inner]) => [name, ...namesWithin(inner)]);
}

/** The container of the image, with a database of two orders, which drains for ten seconds. */
async function startShop(
  root: string,
  config: ImageConfig,
  own: Readonly<Record<string, string>> = {},
) {
  const data = await mkdtemp(join(tmpdir(), 'dynamic-query-data-'));
  const shop = new DatabaseSync(join(data, 'shop.db'));
  shop.exec('create table orders (id integer primary key); insert into orders values (1), (2)');
  shop.close();
  await writeFile(join(data, 'token'), `${TOKEN}\n`);
  await run('chmod', ['755', data]);
  const settings = {
    EXPOSE: 'all',
    DRAIN_MS: '10000',
    DATABASE_URL: 'sqlite:/data/shop.db',
    DYNAMIC_QUERY_ADMIN_TOKEN_FILE: '/data/token',
    ...own,
  };
  return startIn(root, config, settings, data);
}

async function startIn(
  root: string,
  { Entrypoint, Cmd, Env, User }: ImageConfig,
  settings: Readonly<Record<string, string>>,
  data = root,
) {
  const port = await freePort();
  const written = Object.fromEntries(Env.map((line) => line.split(/=(.*)/).slice(0, 2)));
  // On the network of this machine the port of the image may be taken.
  const env = { ...written, ...settings, PORT: String(port), HOST: '127.0.0.1' };
  const container = await OciContainer.start({
    root,
    args: [...Entrypoint, ...Cmd],
    env,
    user: User,
    binds: [{ source: data, target: '/data' }],
  });
  onTestFinished(() => container.remove());
  return Object.assign(container, { origin: `http://127.0.0.1:${port}` });
}

/** How many lines of all files hold a word. */
async function linesWith(word: string, root: string): Promise<number> {
  const search = `tar -C ${root} -c . | grep --text --count ${word} || true`;
  return Number(await run('sh', ['-c', search]));
}

async function statusOf(url: string): Promise<number> {
  return fetch(url).then(
    ({ status }) => status,
    () => 0,
  );
}

async function ask(origin: string): Promise<unknown> {
  const reply = await fetch(`${origin}/api/v1/dynamic/query`, {
    method: 'POST',
    headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      query_model: 'orders',
      query_attributes: ['id'],
      page: { page: 1, size: 1 },
    }),
  });
  return reply.json();
}
