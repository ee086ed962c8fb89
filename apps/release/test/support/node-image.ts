import { chmod, copyFile, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { ImageStore } from './image-store.ts';
import { run } from './programs.ts';

const MIRROR = 'http://deb.debian.org/debian';
const KEYS = '/usr/share/keyrings/debian-archive-keyring.gpg';

/**
 * Makes an image that stands for the official one of Node, where no registry of images can be
 * reached: Debian, the Node of this process, and npm.
 */
export async function makeNodeImage(store: ImageStore, tag: string): Promise<void> {
  const container = await store.buildah('from', 'scratch');
  const root = await store.buildah('mount', container);
  const packages = '--include=binutils,ca-certificates';
  const debian = ['--variant=minbase', packages, `--keyring=${KEYS}`, 'bookworm', root, MIRROR];
  await run('debootstrap', debian);
  const node = join(root, 'usr/local/bin/node');
  await copyFile(process.execPath, node);
  await chmod(node, 0o755);
  await run('npm', ['install', '--global', '--prefix', join(root, 'usr/local'), 'npm@11']);
  await store.buildah('commit', '--rm', container, tag);
}

/**
 * What package managers inside of a build need besides the registry's name, where this machine
 * reaches it through a proxy with a certificate of its own; nothing elsewhere.
 */
export async function registryVolumes(): Promise<string[]> {
  const certificates = process.env['NODE_EXTRA_CA_CERTS'];
  if (certificates === undefined) return [];
  const file = join(await mkdtemp(join(tmpdir(), 'dynamic-query-npm-')), 'npmrc');
  await writeFile(file, 'cafile=/root/certificates.pem\n');
  return [`${file}:/root/.npmrc:ro`, `${certificates}:/root/certificates.pem:ro`];
}
