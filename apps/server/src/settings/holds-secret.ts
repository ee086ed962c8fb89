import { isRecord } from './overrides.ts';

/**
 * Whether the values of a settings file, as they are written, hold a password or a token rather
 * than a reference to one.
 */
export function holdsSecret(values: Readonly<Record<string, unknown>>): boolean {
  const { token, database, follow } = values;
  const writtenToken = typeof token === 'string' && !token.includes('${');
  const feedUrl = isRecord(follow) ? follow['url'] : undefined;
  return writtenToken || holdsPassword(database) || holdsPassword(feedUrl);
}

function holdsPassword(url: unknown): boolean {
  const [, password = '${'] = /^[a-z0-9+.-]+:\/\/[^/?#@]*:([^/?#@]+)@/i.exec(String(url)) ?? [];
  return !password.includes('${');
}
