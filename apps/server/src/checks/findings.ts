import { SettingsError } from '@proj/engine';

export interface Findings {
  readonly errors: readonly string[];
  readonly notes: readonly string[];
}

export const NOTHING: Findings = { errors: [], notes: [] };

/** @throws {SettingsError} naming all errors, if any */
export function demand({ errors, notes }: Findings): readonly string[] {
  if (errors.length > 0) throw new SettingsError(errors.join('\n'));
  return notes;
}

export function together(all: readonly Findings[]): Findings {
  return {
    errors: all.flatMap(({ errors }) => errors),
    notes: all.flatMap(({ notes }) => notes),
  };
}
