import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';

const run = promisify(execFile);
const readme = readFileSync(new URL('../../../README.md', import.meta.url), 'utf8');
const start = fileURLToPath(new URL('../dist/start.js', import.meta.url));

/** The fenced blocks of one language, in order. */
function blocks(language: string): string[] {
  return [...readme.matchAll(/```(\w+)\n([\s\S]*?)```/g)].flatMap(([, name, text = '']) =>
    name === language ? [text] : [],
  );
}

/** A shell in which nothing was exported yet, as a second terminal is. */
const {
  DYNAMIC_QUERY_TOKEN: _token,
  DYNAMIC_QUERY_ADMIN_TOKEN: _adminToken,
  ...terminal
} = process.env;

let server: ChildProcess;
let origin = '';
/** The line that the server prints for a second terminal. */
let exportLine = '';

beforeAll(async () => {
  const env = { ...terminal, DATABASE_URL: '', CONFIG: '' };
  server = spawn(process.execPath, [start, '--port', '0'], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let printed = '';
  for await (const text of server.stdout ?? []) {
    printed += String(text);
    if (/^ {2}curl .*\n/m.test(printed)) break;
  }
  origin = /http:\/\/127\.0\.0\.1:\d+/.exec(printed)?.[0] ?? '';
  exportLine = /^ {2}(export DYNAMIC_QUERY_TOKEN=.*)$/m.exec(printed)?.[1] ?? '';
});

afterAll(async () => {
  const exit = once(server, 'exit');
  server.kill('SIGINT');
  await exit;
});

function here(text: string): string {
  return text.replaceAll('http://127.0.0.1:3000', origin);
}

describe('the README', () => {
  it('names the line that the server prints for a second terminal', () => {
    expect(exportLine).toMatch(/^export DYNAMIC_QUERY_TOKEN=dq_[\w-]{43}$/);
    expect(readme).toContain('`export DYNAMIC_QUERY_TOKEN=…`');
  });

  const calls = blocks('sh').filter((text) => text.startsWith('curl'));
  const replies = blocks('text');

  it.each(calls.map((call, index) => [call, replies[index]]))(
    'shows what this call answers:\n%s',
    async (call = '', reply) => {
      const { stdout } = await run('sh', ['-c', `${exportLine}\n${here(call)}`], { env: terminal });
      expect(stdout).toBe(reply?.trim());
    },
  );

  it('shows an SDK example that runs in the clone and prints what its comments say', async () => {
    const [example = ''] = blocks('js');
    const expected = [...example.matchAll(/\/\/=> (.*)/g)].map(([, text]) => text);
    const file = fileURLToPath(new URL('../../../readme-example.generated.mjs', import.meta.url));
    writeFileSync(file, here(example));
    onTestFinished(() => rmSync(file));
    const { stdout } = await run('sh', ['-c', `${exportLine}\n"$0" "$1"`, process.execPath, file], {
      env: terminal,
    });
    expect(stdout.trim().split('\n')).toEqual(expected);
    expect(expected).toHaveLength(2);
  });

  it('fits on few screens', () => {
    expect(readme.split('\n').length).toBeLessThanOrEqual(130);
  });
});
