import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

import { freePort, startProgram, until } from '@proj/test-servers';

import { ROOT } from '../repository.ts';

const VERDACCIO = join(
  dirname(createRequire(import.meta.url).resolve('verdaccio/package.json')),
  'bin/verdaccio',
);

const execute = promisify(execFile);

/** A registry on loopback that has the packages of this repository, as they would be published. */
export interface Registry {
  /** `http://127.0.0.1:<port>/` */
  readonly url: string;
  readonly stop: () => Promise<void>;
}

/**
 * Starts a registry and publishes the packages of this repository to it. All others come from the
 * registry that npm is set to use.
 */
export async function startRegistry(): Promise<Registry> {
  const folder = await mkdtemp(join(tmpdir(), 'registry-'));
  const config = join(folder, 'config.yaml');
  await writeFile(config, configOf(await configuredRegistry()));
  const port = await freePort();
  const url = `http://127.0.0.1:${port}/`;
  const program = startProgram(
    process.execPath,
    [VERDACCIO, '--config', config, '--listen', `127.0.0.1:${port}`],
    { ...certificates(), HOME: folder },
  );
  const stop = async (): Promise<void> => {
    await program.stop();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await until(async () => (program.child.exitCode !== null ? true : answers(url)));
    if (program.child.exitCode !== null) throw new Error(program.output());
    await publish(url, folder);
  } catch (error) {
    await stop();
    throw error;
  }
  return { url, stop };
}

async function configuredRegistry(): Promise<string> {
  const { stdout } = await execute('npm', ['config', 'get', 'registry'], { cwd: tmpdir() });
  return stdout.trim();
}

/** JSON is YAML. No package of ours is looked for elsewhere, not even once they are published. */
function configOf(upstream: string): string {
  return JSON.stringify({
    storage: './storage',
    auth: {},
    middlewares: {},
    web: { enable: false },
    max_body_size: '100mb',
    uplinks: { upstream: { url: upstream, maxage: '1h', timeout: '120s' } },
    packages: {
      '@proj/*': { access: '$all', publish: '$all' },
      '**': { access: '$all', proxy: 'upstream' },
    },
    log: { type: 'stdout', format: 'pretty', level: 'warn' },
  });
}

/** What the machine says about the certificates that its registry may have. */
export function certificates(): Record<string, string> {
  const { NODE_EXTRA_CA_CERTS: path } = process.env;
  return path === undefined ? {} : { NODE_EXTRA_CA_CERTS: path };
}

async function answers(url: string): Promise<boolean> {
  return fetch(`${url}-/ping`).then(
    ({ ok }) => ok,
    () => false,
  );
}

/** Packs and publishes each package after those that it depends on, as a release does. */
async function publish(url: string, folder: string): Promise<void> {
  const userConfig = join(folder, 'npmrc');
  // The registry asks for no password, but pnpm wants to send something.
  await writeFile(userConfig, `registry=${url}\n${url.replace('http:', '')}:_authToken=nobody\n`);
  // Whoever runs the tests by npx has settings of npm in the environment, in small letters.
  const others = Object.entries(process.env).filter(([name]) => !/^p?npm_config_/i.test(name));
  const env = { ...Object.fromEntries(others), NPM_CONFIG_USERCONFIG: userConfig };
  const args = ['publish', '--recursive', '--no-git-checks', `--registry=${url}`];
  await execute('pnpm', args, { cwd: ROOT, env });
}
