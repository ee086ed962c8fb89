/**
 * Whether the values of a settings file, as they are written, hold a password or a token rather
 * than a reference to one.
 */
export function holdsSecret({ token, database }: Readonly<Record<string, unknown>>): boolean {
  const writtenToken = typeof token === 'string' && !token.includes('${');
  const [, password = '${'] =
    /^[a-z0-9+.-]+:\/\/[^/?#@]*:([^/?#@]+)@/i.exec(String(database)) ?? [];
  return writtenToken || !password.includes('${');
}
