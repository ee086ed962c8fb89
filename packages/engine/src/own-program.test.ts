import { expect, it } from 'vitest';

import { ownProgram, takeProgramPart } from './own-program.ts';

it('a part of an installed program is its file, with the options of Node', () => {
  const part = { name: 'reader', file: new URL('file:///dist/reader.js') };
  expect(ownProgram(part, ['--trace-gc'])).toEqual({
    module: '/dist/reader.js',
    execArgv: ['--trace-gc'],
  });
  expect(ownProgram(part).execArgv).toBe(process.execArgv);
});

it('the arguments of an operator start no part of the program', () => {
  const args = [...process.argv];
  expect(takeProgramPart()).toBeUndefined();
  expect(process.argv).toEqual(args);
});
