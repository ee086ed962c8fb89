import type { LoadedSettings } from './file/load.ts';

/** As sent to another process, with the place of each key. */
export interface SentSettings extends Omit<LoadedSettings, 'place'> {
  /** By the key as JSON, from the outermost. */
  readonly places: ReadonlyMap<string, string>;
}

export function toSentSettings({ place, ...loaded }: LoadedSettings): SentSettings {
  const places = new Map<string, string>();
  const note = (value: unknown, path: readonly PropertyKey[]): void => {
    places.set(JSON.stringify(path), place(path));
    if (typeof value !== 'object' || value === null) return;
    for (const [key, member] of value instanceof Map ? value : Object.entries(value))
      note(member, [...path, Array.isArray(value) ? Number(key) : key]);
  };
  note(loaded.settings, []);
  return { ...loaded, places };
}

export function fromSentSettings({ places, ...loaded }: SentSettings): LoadedSettings {
  return { ...loaded, place: (path) => placeOf(path, places) };
}

/** Falls back to the innermost enclosing key in the settings. */
function placeOf(path: readonly PropertyKey[], places: ReadonlyMap<string, string>): string {
  for (let length = path.length; length >= 0; length--) {
    const place = places.get(JSON.stringify(path.slice(0, length)));
    if (place !== undefined) return place;
  }
  return '';
}
