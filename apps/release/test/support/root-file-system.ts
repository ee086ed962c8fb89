import { execFile } from 'node:child_process';
import { chmod, copyFile, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

import { type RunningProgram, startProgram } from '@proj/test-servers';

const run = promisify(execFile);

const MIRROR = 'http://deb.debian.org/debian';
const KEYS = '/usr/share/keyrings/debian-archive-keyring.gpg';

/** The account `nobody`, and a group that owns nothing. */
const NOBODY = '65534:65534';

/** Installs Debian's smallest system, in which there is no Node, into a folder. */
async function installDebian(folder: string): Promise<void> {
  const options = ['--variant=minbase', `--keyring=${KEYS}`];
  await run('debootstrap', [...options, 'bookworm', folder, MIRROR], { maxBuffer: 2 ** 26 });
}

/** Debian's smallest system in a folder of its own, to run programs in. */
export class RootFileSystem {
  readonly path: string;

  private constructor(path: string) {
    this.path = path;
  }

  static async create(): Promise<RootFileSystem> {
    const root = new RootFileSystem(await mkdtemp(join(tmpdir(), 'dynamic-query-root-')));
    await chmod(root.path, 0o755);
    await installDebian(root.path);
    await run('mount', ['-t', 'proc', 'proc', join(root.path, 'proc')]);
    return root;
  }

  /** Where a path of this system is on the machine. */
  outside(path: string): string {
    return join(this.path, path);
  }

  /** Puts a program of the machine into it. */
  async install(program: string, path: string): Promise<void> {
    await mkdir(dirname(this.outside(path)), { recursive: true });
    await copyFile(program, this.outside(path));
    await chmod(this.outside(path), 0o755);
  }

  /** Starts a program of it as `nobody`, with no environment at all. */
  start(command: string, ...args: readonly string[]): RunningProgram {
    const inside = ['/usr/bin/env', '-i', command, ...args];
    return startProgram('chroot', [`--userspec=${NOBODY}`, this.path, ...inside]);
  }

  async remove(): Promise<void> {
    await run('umount', [this.outside('proc')]);
    await rm(this.path, { recursive: true });
  }
}
