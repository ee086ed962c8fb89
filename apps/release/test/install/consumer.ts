import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';

const FIXTURES = join(import.meta.dirname, 'fixtures');

const execute = promisify(execFile);

/** What a command wrote. */
export interface Output {
  readonly stdout: string;
  readonly stderr: string;
}

/** A folder of somebody who installs the packages: nothing is in it, nor in the caches. */
export interface Consumer {
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  /** Runs a command in the folder; fails with what it wrote unless it exits with 0. */
  readonly run: (command: string, ...args: string[]) => Promise<Output>;
  /** Puts files in the folder that a consumer would write. */
  readonly copy: (...names: string[]) => Promise<void>;
  readonly remove: () => Promise<void>;
}

/** What a consumer works with. */
export interface ConsumerOptions {
  /** The URL of the registry. */
  readonly registry: string;
  /** A Node that comes before that of the machine. */
  readonly node?: string;
}

/** Makes an empty folder with a home of its own. Its commands see nothing of this repository. */
export async function createConsumer({ registry, node }: ConsumerOptions): Promise<Consumer> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'consumer-')));
  const folder = join(root, 'app');
  const home = join(root, 'home');
  await mkdir(folder);
  await mkdir(home);
  // Each package manager reads it.
  await writeFile(join(home, '.npmrc'), `registry=${registry}\nupdate-notifier=false\n`);
  const env = { PATH: pathWith(node), HOME: home, TMPDIR: root };
  return {
    folder,
    env,
    run: async (command, ...args) => {
      return execute(command, args, { cwd: folder, env, maxBuffer: 2 ** 26 });
    },
    copy: async (...names) => {
      for (const name of names) await cp(join(FIXTURES, name), join(folder, name));
    },
    remove: async () => rm(root, { recursive: true, force: true }),
  };
}

/** The path of the machine without the programs of this repository. */
function pathWith(node: string | undefined): string {
  const paths = (process.env['PATH'] ?? '').split(delimiter);
  const own = node === undefined ? [] : [dirname(node)];
  return [...own, ...paths.filter((path) => !path.includes('node_modules'))].join(delimiter);
}
