import { afterAll, beforeAll, describe } from 'vitest';

/** A program that tests need: opened before them, closed behind them. */
export interface NeededProgram<Opened> {
  /** Its name, and the variable that says where it is. */
  readonly name: string;
  readonly variable: string;
  readonly isThere: boolean;
  readonly open: () => Promise<Opened>;
  readonly close: (opened: Opened) => Promise<unknown>;
}

/**
 * Tests with a program of their own. Without it they are left out aloud; where CI is set they fail.
 */
export function describeOpened<Opened extends object>(
  title: string,
  { name, variable, isThere, open, close }: NeededProgram<Opened>,
  tests: (opened: () => Opened) => void,
): void {
  const missing = `${name} was not found. Install it, or name it in ${variable}.`;
  const isLeftOut = !isThere && !process.env['CI'];
  if (isLeftOut) process.stderr.write(`LEFT OUT: ${title}: ${missing}\n`);
  // oxlint-disable-next-line vitest/valid-title -- it is a string: the rule does not see types
  describe.skipIf(isLeftOut)(title, () => {
    let opened: Opened | undefined;
    beforeAll(async () => {
      if (!isThere) throw new Error(missing);
      opened = await open();
    });
    afterAll(async () => opened && close(opened));
    tests(() => {
      if (opened === undefined)
        throw new Error('The browser is not there yet: ask for it within a test.');
      return opened;
    });
  });
}
