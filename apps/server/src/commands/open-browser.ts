import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Opens a file as its user would. */
const OPENERS: Readonly<Record<string, string>> = { darwin: 'open', win32: 'explorer' };

/**
 * Opens a page in the user's browser, through a file that only the user can read: every user of a
 * machine can read command lines.
 *
 * @param onFailure called where nothing can open it
 */
export function openBrowser(url: string, onFailure: () => void): void {
  const directory = mkdtempSync(join(tmpdir(), 'dynamic-query-'));
  process.once('exit', () => rmSync(directory, { recursive: true, force: true }));
  const file = join(directory, 'open.html');
  const page = `<!doctype html><meta http-equiv="refresh" content="0; url=${url}">\n`;
  writeFileSync(file, page, { mode: 0o600 });
  const opener = OPENERS[process.platform] ?? 'xdg-open';
  const child = spawn(opener, [file], { stdio: 'ignore', detached: true });
  child.once('error', onFailure);
  child.unref();
}
