import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

const SCRIPT = fileURLToPath(new URL('building-process.ts', import.meta.url));

/** What a whole file holds. */
export const GOOD = { integrity: 'ok', cities: 135_233 };

/** Builds in a process of its own, which dies at that share of the work, or is killed after a time. */
export async function buildInProcess(directory: string, dieAt = '2', killAfterMs?: number) {
  const child = spawn(process.execPath, [SCRIPT, directory, dieAt], {
    stdio: ['ignore', 'pipe', 'inherit'],
    ...(killAfterMs === undefined ? {} : { timeout: killAfterMs, killSignal: 'SIGKILL' }),
  });
  const [[code, signal], file] = await Promise.all([once(child, 'exit'), text(child.stdout)]);
  return { code, signal, file };
}

/** The files that a service would take. */
export function finished(directory: string): string[] {
  return existsSync(directory) ? readdirSync(directory).filter((name) => name.endsWith('.db')) : [];
}

/** What to compare with {@link GOOD}. */
export function stateOf(file: string) {
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    const integrity = database.prepare('pragma integrity_check').get()?.['integrity_check'];
    return { integrity, cities: database.prepare('select count(*) as n from cities').get()?.['n'] };
  } finally {
    database.close();
  }
}
