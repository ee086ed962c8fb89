import { createServer, request } from 'node:http';
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';

import { eachNth, startProgram } from '@proj/test-servers';
import { beforeAll, expect, it } from 'vitest';

import { programPath } from '../support/program-path.ts';
import { startService, TOKEN } from '../support/service.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { createNotes } from './notes.ts';

/** The scenarios of the official suite that ask no more of a server than what the protocol does. */
const SCENARIOS = [
  'server-initialize',
  'ping',
  'tools-list',
  'server-stateless',
  'caching',
  'http-header-validation',
  'dns-rebinding-protection',
  'input-required-result-unsupported-methods',
];

/**
 * Checks that have to fail here: those of tools, prompts and resources that the suite expects of
 * the server which it was written for, and of notices of changes, of which the tools have none.
 */
const NOT_OURS = new Set([
  'sep-2549-prompts-list-caching-hints',
  'sep-2549-resources-list-caching-hints',
  'sep-2549-resources-templates-list-caching-hints',
  'sep-2575-http-server-no-independent-requests-on-stream',
  'sep-2575-missing-capability-http-400',
  'sep-2575-server-no-log-without-loglevel',
  'sep-2575-server-rejects-undeclared-capability',
  'sep-2575-server-sends-subscription-ack',
  'sep-2575-server-tags-subscription-id',
]);

const SUITE = programPath('@modelcontextprotocol/conformance', 'dist/index.js');

let address = '';

beforeAll(async () => {
  const { url } = await createNotes();
  const service = await startService({ database: url, settings: 'expose: all\nmcp: true\n' });
  const proxy = createServer((asked, reply) => {
    const { method, url: path, headers } = asked;
    const own = { ...headers, authorization: `Bearer ${TOKEN}` };
    const sent = request({ port: service.port, path, method, headers: own }, (answer) => {
      reply.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(reply);
    });
    asked.pipe(sent);
  });
  // The suite sends no token.
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const at = proxy.address();
  address = `http://127.0.0.1:${typeof at === 'object' ? at?.port : ''}/mcp`;
  return () => {
    proxy.closeAllConnections();
    proxy.close();
  };
});

interface Check {
  readonly id: string;
  readonly status: string;
  readonly errorMessage?: string;
}

async function checksOf(scenario: string): Promise<readonly Check[]> {
  const folder = await temporaryFolder();
  const args = ['server', '--url', address, '--scenario', scenario, '-o', folder];
  await startProgram(process.execPath, [SUITE, ...args]).ended;
  const [results = ''] = await readdir(folder);
  return JSON.parse(await readFile(join(folder, results, 'checks.json'), 'utf8')) as Check[];
}

it.each(eachNth(3, SCENARIOS))(
  '/mcp passes what the official suite checks of %s',
  async (scenario) => {
    const checks = await checksOf(scenario);
    const passed = checks.filter(({ status }) => status === 'SUCCESS');
    expect(passed.length).toBeGreaterThan(0);
    const failed = checks.filter(({ status }) => status === 'FAILURE' || status === 'WARNING');
    expect(failed.filter(({ id }) => !NOT_OURS.has(id))).toEqual([]);
  },
);
