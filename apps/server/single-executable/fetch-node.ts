import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Node as it is handed on. */
export interface PublishedNode {
  /** The path of its program, without symbols for debuggers where `strip` is installed. */
  readonly program: string;
  /** Its licence and those of what is built into it. */
  readonly licence: string;
}

/**
 * Gets Node from the registry: the version that runs this script, which may have been built by
 * others, and whose licences need not be beside it.
 *
 * @param folder where to put it
 */
export function fetchNode(folder: string): PublishedNode {
  const name = `node-${process.platform}-${process.arch}`;
  const version = `${name}@${process.versions.node}`;
  execFileSync('npm', ['install', '--prefix', folder, '--no-audit', '--no-fund', version], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const directory = join(folder, 'node_modules', name);
  const program = join(directory, 'bin/node');
  strip(program);
  return { program, licence: readFileSync(join(directory, 'LICENSE'), 'utf8') };
}

function strip(program: string): void {
  try {
    execFileSync('strip', [program]);
  } catch (error) {
    const missing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    if (!missing) throw error;
    console.warn('Without strip (Debian: binutils) the file is some 13 MB larger.');
  }
}
