import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

import { type RunningProgram, startProgram } from '@proj/test-servers';

import { run } from './programs.ts';

/** A file or folder of this machine that a container sees. */
export interface Bind {
  readonly source: string;
  readonly target: string;
}

/** What runs in a container. */
export interface ContainerOptions {
  /** The root file system. */
  readonly root: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** `uid:gid` */
  readonly user: string;
  /** What it may read. */
  readonly binds: readonly Bind[];
  /** Whether it can write to its root. Default: it cannot, and has no writable folder. */
  readonly canWrite?: boolean;
  /** The network namespace that it is in, by its file; that of this machine where absent. */
  readonly network?: string;
}

/** A container that runs without any capability and without a way to more privileges. */
export class OciContainer {
  readonly #state: string;
  readonly #id: string;
  readonly program: RunningProgram;

  private constructor(bundle: string) {
    this.#state = join(bundle, 'state');
    this.#id = basename(bundle);
    const args = ['--root', this.#state, 'run', '--bundle', bundle, this.#id];
    this.program = startProgram('runc', args);
  }

  static async start(options: ContainerOptions): Promise<OciContainer> {
    const bundle = await mkdtemp(join(tmpdir(), 'dynamic-query-container-'));
    await writeFile(join(bundle, 'config.json'), JSON.stringify(configuration(options)));
    return new OciContainer(bundle);
  }

  /** Runs another program inside and gives what it prints. */
  async exec(...args: readonly string[]): Promise<string> {
    return run('runc', ['--root', this.#state, 'exec', this.#id, ...args]);
  }

  /** Its first process, by the number that it has outside. */
  async pid(): Promise<number> {
    const state = await run('runc', ['--root', this.#state, 'state', this.#id]);
    return (JSON.parse(state) as { pid: number }).pid;
  }

  async signal(name: string): Promise<void> {
    await run('runc', ['--root', this.#state, 'kill', this.#id, name]);
  }

  /** Ends it at once, also where it has ended already. */
  async remove(): Promise<void> {
    await run('runc', ['--root', this.#state, 'delete', '--force', this.#id]);
  }
}

function configuration(options: ContainerOptions): object {
  const { root, args, env, network } = options;
  const [uid, gid] = options.user.split(':').map(Number);
  const none = { bounding: [], effective: [], permitted: [], ambient: [], inheritable: [] };
  const variables = Object.entries(env).map(([name, value]) => `${name}=${value}`);
  const namespaces = ['pid', 'ipc', 'uts', 'mount'].map((type) => ({ type }));
  return {
    ociVersion: '1.0.0',
    process: {
      args,
      env: variables,
      cwd: '/',
      user: { uid, gid },
      capabilities: none,
      noNewPrivileges: true,
    },
    root: { path: root, readonly: options.canWrite !== true },
    mounts: mountsOf(options),
    linux: {
      namespaces: network ? [...namespaces, { type: 'network', path: network }] : namespaces,
    },
  };
}

function mountsOf({ binds }: ContainerOptions): object[] {
  return [
    { destination: '/proc', type: 'proc', source: 'proc' },
    memory('/dev', '755'),
    memory('/dev/shm', '1777'),
    ...binds.map(({ source, target }) => {
      return { destination: target, source, type: 'bind', options: ['rbind', 'ro'] };
    }),
  ];
}

function memory(destination: string, mode: string): object {
  const options = ['nosuid', `mode=${mode}`, 'size=64m'];
  return { destination, type: 'tmpfs', source: 'tmpfs', options };
}
