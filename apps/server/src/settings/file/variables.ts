import { readFileSync } from 'node:fs';

import { UsageError } from './usage-error.ts';

/** Undefined where the variable is not set, or is empty. */
export type Variables = (name: string) => string | undefined;

/**
 * Where `NAME_FILE` is set, `NAME` is that file's content without its final line break: Docker,
 * systemd and Kubernetes pass secrets as files.
 *
 * @throws {UsageError} on a lookup: both are set, or the file cannot be read.
 */
export function variablesOf(env: Readonly<Record<string, string | undefined>>): Variables {
  // What every object has, such as `constructor`, is no variable.
  const own = (key: string) => (Object.hasOwn(env, key) && env[key]) || undefined;
  return (name) => {
    const fileName = `${name}_FILE`;
    const path = own(fileName);
    const value = own(name);
    if (path === undefined) return value;
    if (value === undefined) return readSecret(path, fileName) || undefined;
    throw new UsageError(`${fileName}: ${name} is set as well. Unset one of them.`);
  };
}

function readSecret(path: string, variable: string): string {
  try {
    return readFileSync(path, 'utf8').replace(/\r?\n$/, '');
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UsageError(`${variable}: the file cannot be read (${reason}).`);
  }
}
