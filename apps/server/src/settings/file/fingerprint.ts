import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';

/**
 * A text for the content of a file: equal for equal content, and the reason where the file cannot
 * be read.
 */
export function fingerprintOf(path: string): Promise<string> {
  return readFile(path, 'utf8').then(fingerprint, (error: unknown) => String(error));
}

/** Equal for equal content. */
export function fingerprint(text: string): string {
  return hash('sha256', text, 'base64url');
}
