import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';

/** Equal for equal content; the reason where the file cannot be read. */
export function fingerprintOf(path: string): Promise<string> {
  return readFile(path, 'utf8').then(fingerprint, (error: unknown) => String(error));
}

export function fingerprint(text: string): string {
  return hash('sha256', text, 'base64url');
}
