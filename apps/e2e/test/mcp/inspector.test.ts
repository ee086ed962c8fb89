import { eachNth, startProgram } from '@proj/test-servers';
import { beforeAll, expect, it } from 'vitest';

import { programPath } from '../support/program-path.ts';
import { startService, TOKEN } from '../support/service.ts';
import { createNotes } from './notes.ts';

const INSPECTOR = programPath('@modelcontextprotocol/inspector', 'clients/launcher/build/index.js');

let origin = '';

beforeAll(async () => {
  const { url } = await createNotes();
  const settings = 'expose: all\nmcp: true\n';
  ({ origin } = await startService({ database: url, settings }));
});

/** What the command line of the inspector prints: the result as JSON. */
async function inspect(...args: readonly string[]): Promise<Record<string, unknown>> {
  const { stdout } = await startProgram(process.execPath, [INSPECTOR, '--cli', ...args]).ended;
  return JSON.parse(stdout) as Record<string, unknown>;
}

const dq = (): string[] => [
  '-e',
  `DYNAMIC_QUERY_URL=${origin}`,
  '-e',
  `DYNAMIC_QUERY_TOKEN=${TOKEN}`,
  process.execPath,
  programPath('@proj/cli', 'dist/main.js'),
  'mcp',
];
const service = (): string[] => [
  `${origin}/mcp`,
  '--transport',
  'http',
  '--header',
  `Authorization: Bearer ${TOKEN}`,
];

const TARGETS = [
  ['dq mcp', dq],
  ['/mcp', service],
] as const;

it.each(eachNth(2, TARGETS))(
  'the inspector lists the tools of %s without a complaint, and calls one',
  async (_of, target) => {
    const { tools } = await inspect(...target(), '--method', 'tools/list', '--strict');
    expect(tools).toHaveLength(5);
    const call = ['--method', 'tools/call', '--tool-name', 'count_values', '--tool-arg'];
    const answered = await inspect(...target(), ...call, 'model=notes');
    expect(answered['structuredContent']).toMatchObject({ model: 'notes', count: '137' });
  },
);
