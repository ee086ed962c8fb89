import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterFile } from '@proj/test-servers';
import { afterEach, beforeEach, vi } from 'vitest';

import { run } from '../src/run.ts';
import { makeDatabase } from './helper.ts';

/** Each check starts one process that reads. */
export const WORKERS = '8';

export const ORDERS = `
  create table orders (id integer primary key, customer text not null, note text);
  insert into orders values (1, 'a', null), (2, 'a', 'x'), (3, 'b', 'y');`;

/** Who types commands, each test in a folder of its own. */
export interface Operator {
  folder: string;
  /** What the commands of a test have printed. */
  output: string;
  /** Runs a command in this process and gives its exit code. */
  readonly command: (
    args: readonly string[],
    env?: Record<string, string>,
    typed?: string,
  ) => Promise<number>;
  /** Writes a settings file, and gives its path. */
  readonly settings: (text: string) => string;
}

/** For the tests of a file. */
export function useOperator(): Operator {
  const operator: Operator = {
    folder: '',
    output: '',
    async command(args, env = {}, typed) {
      for (const stream of [process.stdout, process.stderr]) {
        vi.spyOn(stream, 'write').mockImplementation((text) => {
          operator.output += String(text);
          return true;
        });
      }
      try {
        const options = { args, env: { WORKERS, ...env }, ...(typed && { command: typed }) };
        return (await run(options)) ?? 0;
      } finally {
        vi.restoreAllMocks();
      }
    },
    settings(text) {
      const path = join(operator.folder, 'settings.yaml');
      writeFileSync(path, text);
      return path;
    },
  };
  beforeEach(() => {
    operator.folder = mkdtempSync(join(tmpdir(), 'operator-'));
    operator.output = '';
  });
  afterEach(() => rmSync(operator.folder, { recursive: true, force: true }));
  return operator;
}

/** A database for the tests of a block. */
export function sharedDatabase(sql: string): string {
  const { directory, file } = makeDatabase(sql);
  afterFile(() => rmSync(directory, { recursive: true, force: true }));
  return `sqlite:${file}`;
}
