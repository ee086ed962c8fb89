import { describe, expect, it } from 'vitest';

import {
  InvalidPositionError,
  InvalidQueryError,
  QueryFailedError,
  RefusedConnectionError,
  SettingsError,
} from './errors.ts';

/** The module once more, as a second copy of the package would have it. */
const path = './errors.ts?copy';
const copy = (await import(path)) as typeof import('./errors.ts');

describe('an error of the engine', () => {
  it('is known to another copy of the package by its kind', () => {
    expect(copy.QueryFailedError).not.toBe(QueryFailedError);
    expect(new copy.QueryFailedError('overloaded', '')).toBeInstanceOf(QueryFailedError);
    expect(new copy.InvalidQueryError([])).toBeInstanceOf(InvalidQueryError);
    expect(new copy.InvalidPositionError()).toBeInstanceOf(InvalidPositionError);
    expect(new copy.RefusedConnectionError()).toBeInstanceOf(RefusedConnectionError);
    expect(new copy.RefusedConnectionError()).toBeInstanceOf(SettingsError);
  });

  it('is of no other kind', () => {
    expect(new copy.SettingsError()).not.toBeInstanceOf(RefusedConnectionError);
    expect(new copy.SettingsError()).not.toBeInstanceOf(QueryFailedError);
    class OwnError extends SettingsError {}
    expect(new OwnError()).toBeInstanceOf(OwnError);
    expect(new SettingsError()).not.toBeInstanceOf(OwnError);
    const others: unknown[] = [new Error('other'), undefined, null, 'SettingsError', {}];
    expect(others.filter((value) => value instanceof SettingsError)).toEqual([]);
  });
});
