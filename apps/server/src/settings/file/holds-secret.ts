import { isRecord } from '@proj/fastify/settings';

export function holdsSecret(values: Readonly<Record<string, unknown>>): boolean {
  const { token, databases, traces } = values;
  const writtenToken = typeof token === 'string' && !token.includes('${');
  const several: readonly unknown[] = isRecord(databases) ? Object.values(databases) : [];
  const urls = [values, ...several].flatMap(urlsOf);
  return writtenToken || urls.some(holdsPassword) || holdsHeader(traces);
}

function urlsOf(values: unknown): readonly unknown[] {
  const { database, url, follow, replicas } = isRecord(values) ? values : {};
  const feedUrl = isRecord(follow) ? follow['url'] : undefined;
  const listed = isRecord(replicas) ? replicas['urls'] : replicas;
  const replicaUrls: readonly unknown[] = Array.isArray(listed) ? listed : [];
  return [database, url, feedUrl, ...replicaUrls];
}

/** Headers for a collector of traces are its passwords. */
function holdsHeader(traces: unknown): boolean {
  const { endpoint, headers } = isRecord(traces) ? traces : {};
  const written = isRecord(headers) ? Object.values(headers) : [];
  return holdsPassword(endpoint) || written.some((value) => !String(value).includes('${'));
}

function holdsPassword(url: unknown): boolean {
  const [, password = '${'] = /^[a-z0-9+.-]+:\/\/[^/?#@]*:([^/?#@]+)@/i.exec(String(url)) ?? [];
  return !password.includes('${');
}
