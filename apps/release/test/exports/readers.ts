import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { createClient } from '@proj/client';
import { startProgram } from '@proj/test-servers';

import { CLERK } from '../availability/service.ts';
import { ROOT } from '../repository.ts';

const DQ = join(ROOT, 'packages/cli/dist/main.js');

const LIST = { model: 'numbers', attributes: ['id', 'note'] } as const;

const BODY = JSON.stringify({ query_model: 'numbers', query_attributes: LIST.attributes });

const CURL = [
  ['--silent', '--fail', '--data', BODY],
  ['--header', `authorization: Bearer ${CLERK}`],
  ['--header', 'content-type: application/json'],
].flat();

/** An export on its way. */
export interface Reading {
  /** Its JSON lines, which the reader takes for the whole list; undefined where it failed. */
  readonly text: Promise<string | undefined>;
  /** Lets the reader go away in the middle of it. */
  readonly leave: () => void;
}

/** Those who export from a service at an address. */
export const READERS = {
  'client.export': (origin: string) => {
    const leaving = new AbortController();
    const read = async (): Promise<string> => {
      const client = createClient({ baseUrl: origin, token: CLERK });
      let text = '';
      for await (const record of await client.export(LIST, { signal: leaving.signal }))
        text += `${JSON.stringify(record)}\n`;
      return text;
    };
    return { text: read().catch(() => undefined), leave: () => leaving.abort() };
  },
  'client.exportFile': (origin: string) => {
    const leaving = new AbortController();
    const read = async (): Promise<string> => {
      const client = createClient({ baseUrl: origin, token: CLERK });
      const { signal } = leaving;
      const { body } = await client.exportFile(LIST, { format: 'jsonl', signal });
      return new Response(body).text();
    };
    return { text: read().catch(() => undefined), leave: () => leaving.abort() };
  },
  'dq export': (origin: string) =>
    readByProgram((file) => ({
      command: process.execPath,
      args: [DQ, 'export', 'numbers', '-a', 'id,note', '-o', file],
      env: { DYNAMIC_QUERY_URL: origin, DYNAMIC_QUERY_TOKEN: CLERK },
    })),
  curl: (origin: string) =>
    readByProgram((file) => ({
      command: 'curl',
      args: CURL.concat('--output', file, `${origin}/api/v1/dynamic/export`),
      env: {},
    })),
} as const satisfies Record<string, (origin: string) => Reading>;

export type ReaderName = keyof typeof READERS;

interface Program {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** Whoever runs a program goes by its exit code. `dq` leaves no file behind where it fails. */
function readByProgram(programOf: (file: string) => Program): Reading {
  const folder = mkdtempSync(join(tmpdir(), 'dynamic-query-export-'));
  const file = join(folder, 'numbers.ndjson');
  const { command, args, env } = programOf(file);
  const program = startProgram(command, args, env);
  const read = async (): Promise<string | undefined> => {
    try {
      const { code } = await program.ended;
      const isNamed = code === 0 || (command !== 'curl' && existsSync(file));
      return isNamed ? readFileSync(file, 'utf8') : undefined;
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  };
  return { text: read(), leave: () => void program.child.kill('SIGKILL') };
}
