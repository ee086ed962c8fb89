import { Writable } from 'node:stream';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { EXIT, Interruption } from '@proj/cli/command-line';
import { expect, it, onTestFinished } from 'vitest';

import { run } from '../src/program.ts';
import { problem } from '../../cli/test/service/answer.ts';
import { cities } from '../../cli/test/service/cities.ts';
import { serve } from '../../cli/test/service/serve.ts';
import { TOKEN } from '../../cli/test/service/service.ts';
import { serveWhole } from './service/serve-whole.ts';

interface Surroundings {
  readonly env?: Readonly<Record<string, string>>;
  readonly isTerminal?: boolean;
  readonly signal?: AbortSignal;
}

function screen(isTTY: boolean): Writable & { text: string } {
  const stream = new Writable({
    decodeStrings: false,
    write: (chunk: string, _encoding, done) => {
      stream.text += chunk;
      done();
    },
  }) as Writable & { text: string };
  return Object.assign(stream, { text: '', isTTY });
}

async function conformance(args: readonly string[], surroundings: Surroundings = {}) {
  const { env = {}, isTerminal = false } = surroundings;
  const { signal = new AbortController().signal } = surroundings;
  const [stdout, stderr] = [screen(isTerminal), screen(isTerminal)];
  const around = { env: { DYNAMIC_QUERY_TOKEN: TOKEN, NO_COLOR: '1', ...env }, signal };
  const exitCode = await run(args, { ...around, stdout, stderr });
  return { exitCode, stdout: stdout.text, stderr: stderr.text };
}

it('prints the rules that fail, and how many hold, for a person', async () => {
  const { url } = await serveWhole(42, { slips: { directionIgnored: true } });
  const { exitCode, stdout, stderr } = await conformance([url, '--quiet'], { isTerminal: true });
  expect(stdout).toMatch(/^FAILS {5}sort-direction: .*contract\.md#filters-and-sorting\)\n {12}/m);
  expect(stdout).toMatch(/\n\d+ rules hold, \d+ fail, \d+ were not tried\.\n$/);
  expect(stderr).toMatch(/^conformance: \d+ of \d+ rules do not hold\. Fix the server/);
  expect(exitCode).toBe(EXIT.failed);
});

it.each([
  [['--nosuch'], EXIT.usage, "unknown option '--nosuch'. See: conformance --help"],
  [['no url'], EXIT.usage, 'expected an http or https URL; got "no url".'],
  [[], EXIT.usage, 'no service is named. Set DYNAMIC_QUERY_URL, or pass --url'],
  [['http://127.0.0.1:1'], EXIT.failed, 'does not answer. Check the URL'],
])('answers the arguments %j with exit code %i and a next step', async (args, code, message) => {
  const { exitCode, stdout, stderr } = await conformance(args);
  expect(stderr).toContain(message);
  expect({ exitCode, stdout }).toEqual({ exitCode: code, stdout: '' });
});

it('takes the token from a file, and never prints it, even where the server sends it back', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'conformance-'));
  onTestFinished(async () => rm(folder, { recursive: true }));
  const file = join(folder, 'token');
  await writeFile(file, `${TOKEN}\n`);
  const body = { ...Object(problem('internal').body), detail: `Bearer ${TOKEN}` };
  const { url } = await serve(cities(1), { after: () => ({ ...problem('internal'), body }) });
  const args = [url, '--model', 'cities', '-a', 'id', '--token-file', file];
  const { stdout, stderr } = await conformance(args, { env: { DYNAMIC_QUERY_TOKEN: '' } });
  expect(stdout).toContain('"outcome":"fails"');
  expect(stdout + stderr).not.toContain(TOKEN);
});

it('ends with the exit code of the signal that interrupts it', async () => {
  const { url } = await serve(cities(1));
  const signal = AbortSignal.abort(new Interruption(EXIT.interrupted));
  const { exitCode, stderr } = await conformance([url], { signal });
  expect({ exitCode, stderr }).toEqual({
    exitCode: EXIT.interrupted,
    stderr: 'conformance: interrupted.\n',
  });
});
