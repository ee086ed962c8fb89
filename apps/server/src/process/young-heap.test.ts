import { expect, it } from 'vitest';

import { missingNodeOptions } from './young-heap.ts';

const LIMIT = '--max-semi-space-size=16';

it.each([[], ['serve'], ['--config', 'settings.yaml']])(
  'a service that is started with %j gets a limit for the young part of its heap',
  (...args) => {
    expect(missingNodeOptions({ args, execArgv: [], env: {} })).toBe(LIMIT);
  },
);

it('the options of Node that an operator gives a service stay', () => {
  const args = ['serve'];
  const env = { NODE_OPTIONS: '--enable-source-maps' };
  expect(missingNodeOptions({ args, execArgv: [], env })).toBe(`--enable-source-maps ${LIMIT}`);
  const other = '--max-semi-space-size=8';
  expect(missingNodeOptions({ args, execArgv: [other], env })).toBe(undefined);
  expect(missingNodeOptions({ args, execArgv: [], env: { NODE_OPTIONS: other } })).toBe(undefined);
});

it('a command that ends soon is not started anew', () => {
  for (const command of ['check', 'health', 'init', 'token', 'licenses'])
    expect(missingNodeOptions({ args: [command], execArgv: [], env: {} })).toBe(undefined);
});
