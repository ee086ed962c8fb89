import { isRecord } from '@proj/fastify/settings';

/** Of a URL: before its host, or as a parameter. */
const PASSWORDS = [
  /^[a-z0-9+.-]+:\/\/[^/?#@]*:([^/?#@]+)@/i,
  /^[a-z0-9+.-]+:\/\/[^#]*[?&]password=([^&#]+)/i,
];

export function holdsSecret(values: Readonly<Record<string, unknown>>): boolean {
  const { token, traces } = values;
  const writtenToken = typeof token === 'string' && !token.includes('${');
  return writtenToken || holdsPassword(values) || holdsHeader(traces);
}

/** Headers for a collector of traces are its passwords. */
function holdsHeader(traces: unknown): boolean {
  const { headers } = isRecord(traces) ? traces : {};
  const written = isRecord(headers) ? Object.values(headers) : [];
  return written.some((value) => !String(value).includes('${'));
}

/** In any text, so that no setting with a URL is forgotten. */
function holdsPassword(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return Object.values(value).some(holdsPassword);
  return PASSWORDS.some((password) => {
    const [, written = '${'] = password.exec(String(value)) ?? [];
    return !written.includes('${');
  });
}
