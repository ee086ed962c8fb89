import { type Signal, effect, signal } from '@preact/signals';

/** Services at other addresses of one host have keys of their own. */
const FOLDER = new URL('.', location.href).pathname;

/**
 * A value that the storage of this browser keeps, and that every tab follows. What cannot be read
 * there, as of another version of this page, is as if there were nothing.
 *
 * @param read makes a value of what was parsed; undefined where it is none
 */
export function browserStore<Value>(
  name: string,
  first: Value,
  read: (parsed: unknown) => Value | undefined,
): Signal<Value> {
  const key = `dynamic-query-${name} ${FOLDER}`;
  const restore = (text: string | null): Value => {
    try {
      return read(JSON.parse(text ?? 'null')) ?? first;
    } catch {
      return first;
    }
  };
  const stored = signal(restore(localStorage.getItem(key)));
  addEventListener('storage', (event) => {
    if (event.key === key) stored.value = restore(event.newValue);
  });
  effect(() => {
    const text = JSON.stringify(stored.value);
    if (text !== (localStorage.getItem(key) ?? JSON.stringify(first)))
      localStorage.setItem(key, text);
  });
  return stored;
}

/** What a record has for a name, which may be that of a member of every object: `constructor`. */
export function ownOf<Value>(record: Readonly<Record<string, Value>>, name: string) {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}

/** Whether a value is an object with members. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
