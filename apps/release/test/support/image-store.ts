import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { run } from './programs.ts';

/** Images and containers of Buildah in a folder of their own. */
export class ImageStore {
  readonly #folder: string;

  private constructor(folder: string) {
    this.#folder = folder;
  }

  static async create(): Promise<ImageStore> {
    return new ImageStore(await mkdtemp(join(tmpdir(), 'dynamic-query-images-')));
  }

  /** Runs a command of Buildah. */
  async buildah(...args: readonly string[]): Promise<string> {
    const root = ['--root', join(this.#folder, 'root'), '--runroot', join(this.#folder, 'run')];
    const printed = await run('buildah', ['--storage-driver', 'vfs', ...root, ...args], {
      env: { BUILDAH_ISOLATION: 'chroot', TMPDIR: this.#folder },
    });
    return printed.trim();
  }

  /** Makes the root file system of an image readable; it goes with the store. */
  async mount(image: string): Promise<string> {
    return this.buildah('mount', await this.buildah('from', image));
  }

  async remove(): Promise<void> {
    await this.buildah('umount', '--all');
    await this.buildah('rm', '--all');
    await rm(this.#folder, { recursive: true, force: true });
  }
}
