import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';

import { listenOnFreePort, startProgram } from '@proj/test-servers';
import { expect, it, onTestFinished } from 'vitest';

import { ROOT } from '../docs/document.ts';

const SCRIPT = fileURLToPath(new URL('scripts/example.js', ROOT));

async function refusal(port: string): Promise<string> {
  const { code, stderr } = await startProgram(process.execPath, [SCRIPT, 'refine', port]).ended;
  expect(code).toBe(2);
  return stderr;
}

it.each(['70000', '65535', '0', '80.5', 'x'])(
  'an example says in one line which ports there are: %s',
  async (port) => {
    expect(await refusal(port)).toBe(
      'The port is a whole number from 1 to 65534: npx -y pnpm example refine 5180\n',
    );
  },
);

it('an example says in one line which port is taken, of the page and of its service', async () => {
  const server = createServer();
  onTestFinished(() => void server.close());
  const taken = await listenOnFreePort(server);
  for (const page of [taken, taken - 1])
    expect(await refusal(String(page))).toMatch(
      new RegExp(`^Port \\d+ is taken. Choose another: npx -y pnpm example refine ${page + 7}\n$`),
    );
});
