import type { FuzzTarget } from './bodies.ts';
import type { RawReply } from './replies.ts';
import type { FuzzRequest } from './request.ts';
import type { Exchange } from './wire.ts';

/** What is wrong with what came back; undefined where nothing is. */
export function faultOf(
  request: FuzzRequest,
  { replies, rest, hung }: Exchange,
): string | undefined {
  if (hung) return `no reply came, and the connection stayed open (${replies.length} replies)`;
  if (rest !== '') return `the connection ended within a reply: ${rest.slice(0, 200)}`;
  if (request.kind === 'body' && replies.length === 0)
    return 'the connection ended without a reply';
  for (const reply of replies) {
    const fault = faultOfReply(request, reply);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function faultOfReply({ kind, method, target }: FuzzRequest, reply: RawReply): string | undefined {
  const { status, headers, body } = reply;
  const shown = `${status} ${body.slice(0, 300)}`;
  // RFC 9110 §15.6.2 has this status for a method that no server of this kind has, such as CONNECT.
  const isRefusedMethod = kind !== 'body' && status === 501;
  if (!isRefusedMethod && !(status >= 200 && status < 500)) return `the status is ${shown}`;
  if (status < 400) return target && FAULTS[target](reply);
  if (!/^application\/problem\+json\b/.test(headers['content-type'] ?? ''))
    return `it is no problem document: ${headers['content-type']} ${shown}`;
  return method === 'HEAD' ? undefined : faultOfProblem(status, body);
}

/** What is wrong with a reply to a request that is in order, by what was asked for. */
const FAULTS: Record<FuzzTarget, (reply: RawReply) => string | undefined> = {
  query: ({ body }) => {
    const { result, page } = parsed(body);
    const isPage = Array.isArray(result) && typeof page === 'object';
    return isPage ? undefined : `it is no page: ${body.slice(0, 300)}`;
  },
  facets: ({ body }) => {
    const { facets, total } = parsed(body);
    const isReply = Array.isArray(facets) && typeof total === 'string';
    return isReply ? undefined : `it has no facets: ${body.slice(0, 300)}`;
  },
  export: ({ headers, body }) => {
    if (headers['content-type']?.startsWith('application/jsonl') !== true) return undefined;
    const records = body.split('\n').length - 1;
    return headers['export-total'] === String(records)
      ? undefined
      : `it has ${records} records of ${headers['export-total']}`;
  },
};

function faultOfProblem(status: number, body: string): string | undefined {
  const { type, code, status: said } = parsed(body);
  const isProblem = typeof type === 'string' && typeof code === 'string' && said === status;
  return isProblem ? undefined : `it is no problem document: ${status} ${body.slice(0, 300)}`;
}

function parsed(body: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}
