import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';

import { Settling } from './settling.ts';

export interface WatchedFile {
  readonly path: string;
  /** Of the content that is applied already. */
  readonly fingerprint: string;
  /** Resolves with whether the file was applied; nothing is compared meanwhile. */
  readonly changed: () => Promise<boolean>;
  /** How often the content is compared, in milliseconds. Default: 150 */
  readonly everyMs?: number;
}

/**
 * Calls back within a second of changed content. Polls instead of using file events: a `touch` or a
 * write to another file is no change, and symbolic links, replaced files, swapped folders, network
 * and bind mounts work too.
 *
 * @returns a function that ends the watch.
 */
export function watchSettings(file: WatchedFile): () => void {
  const stopping = new AbortController();
  void follow(file, stopping.signal);
  return () => stopping.abort();
}

async function follow(
  { path, fingerprint, changed, everyMs = 150 }: WatchedFile,
  signal: AbortSignal,
): Promise<void> {
  const settling = new Settling(fingerprint);
  // A watch keeps no process alive.
  while (await sleep(everyMs, true, { signal, ref: false }).catch(() => false)) {
    if (settling.observe(await fingerprintOf(path), performance.now()))
      settling.conclude(await changed());
  }
}

/** The reason where the file cannot be read. */
export function fingerprintOf(path: string): Promise<string> {
  return readFile(path, 'utf8').then(hashOf, (error: unknown) => String(error));
}

/** Equal for equal content. */
export function hashOf(text: string): string {
  return hash('sha256', text, 'base64url');
}
