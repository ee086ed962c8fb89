import type { LoadedSettings } from './file/load.ts';
import { innermost, placeKey } from './places.ts';

/** As sent to another process, with the place of each key. */
export interface SentSettings extends Omit<LoadedSettings, 'place'> {
  /** By the key as JSON, from the outermost. */
  readonly places: ReadonlyMap<string, string>;
}

export function toSentSettings({ place, ...loaded }: LoadedSettings): SentSettings {
  const places = new Map<string, string>();
  const note = (value: unknown, path: readonly PropertyKey[]): void => {
    places.set(placeKey(path), place(path));
    if (typeof value !== 'object' || value === null) return;
    for (const [key, member] of value instanceof Map ? value : Object.entries(value))
      note(member, [...path, key]);
  };
  note(loaded.settings, []);
  return { ...loaded, places };
}

export function fromSentSettings({ places, ...loaded }: SentSettings): LoadedSettings {
  return { ...loaded, place: (path) => innermost(path, places) ?? '' };
}
