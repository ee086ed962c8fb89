import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { describe, expect, it, onTestFinished } from 'vitest';

import { variablesOf } from './variables.ts';

function secretFile(text: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'variables-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'secret');
  writeFileSync(path, text);
  return path;
}

describe('a variable of the environment', () => {
  it('that is empty counts as not set', () => {
    expect(variablesOf({ TOKEN: '', TOKEN_FILE: '' })('TOKEN')).toBeUndefined();
  });

  it.each(['constructor', '__proto__'])('is not what every object has, such as %s', (name) => {
    expect(variablesOf({})(name)).toBeUndefined();
  });

  it.each([
    ['a secret\n', 'a secret'],
    ['a secret\r\n', 'a secret'],
    [' spaces stay \n\n', ' spaces stay \n'],
    ['\n', undefined],
  ])('may be in the file that NAME_FILE names: %j is %j', (text, value) => {
    expect(variablesOf({ TOKEN_FILE: secretFile(text) })('TOKEN')).toBe(value);
  });

  it('is read again at each lookup, so that a reload sees a file that was replaced', () => {
    const path = secretFile('first');
    const variables = variablesOf({ TOKEN_FILE: path });
    expect(variables('TOKEN')).toBe('first');
    writeFileSync(path, 'second');
    expect(variables('TOKEN')).toBe('second');
  });

  it('is refused where it is set in both ways', () => {
    const variables = variablesOf({ TOKEN: 'a', TOKEN_FILE: secretFile('b') });
    expect(() => variables('TOKEN')).toThrow(
      'TOKEN_FILE: TOKEN is set as well. Unset one of them.',
    );
  });

  it('is refused where its file cannot be read, by the name of the variable', () => {
    expect(() => variablesOf({ TOKEN_FILE: '/nowhere/token' })('TOKEN')).toThrow(
      /^TOKEN_FILE: the file cannot be read \(ENOENT.*'\/nowhere\/token'\)\.$/,
    );
  });
});
