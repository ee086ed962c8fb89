import type { IncomingMessage } from 'node:http';

import { HttpProblem } from '../endpoint/problems.ts';

/** Single values (RFC 9110 §5.3): Node keeps one of several, a proxy in front may use another. */
const SINGLE_FIELDS = ['host', 'authorization', 'content-type'];

const CLOSE = { connection: 'close' };

/** What HTTP forbids in a request, and Node's parser accepts or answers emptily. */
export function violationOf(request: IncomingMessage): HttpProblem | undefined {
  // Without a version a request line is HTTP/0.9, whose replies have no status (RFC 9112 §2.3).
  if (request.httpVersionMajor === 0)
    return new HttpProblem('bad_request', 'The request line has no version.', { headers: CLOSE });
  return wrongCoding(request) ?? wrongField(request);
}

/** Node's parser takes any coding before `chunked` and hands on the coded body (RFC 9112 §6.1). */
function wrongCoding({ headers, httpVersion }: IncomingMessage): HttpProblem | undefined {
  const coding = headers['transfer-encoding'];
  if (coding === undefined) return undefined;
  if (httpVersion === '1.0')
    return new HttpProblem('bad_request', 'HTTP/1.0 has no Transfer-Encoding.', { headers: CLOSE });
  if (coding.trim().toLowerCase() === 'chunked') return undefined;
  return notImplemented('The only transfer coding is chunked.');
}

export function notImplemented(detail: string): HttpProblem {
  return new HttpProblem('not_implemented', detail, { headers: CLOSE });
}

function wrongField({ rawHeaders, headers, httpVersion }: IncomingMessage) {
  let sent = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? '';
    // Most names have another length, which costs nothing to see.
    const which = SINGLE_FIELDS.findIndex(
      (one) => one.length === name.length && one === name.toLowerCase(),
    );
    if (which < 0) continue;
    if ((sent & (1 << which)) !== 0)
      return new HttpProblem('bad_request', `${SINGLE_FIELDS[which]} is sent more than once.`);
    sent |= 1 << which;
  }
  if (headers.host !== undefined || httpVersion !== '1.1') return undefined;
  return new HttpProblem('bad_request', 'Host is required (RFC 9112 §3.2).');
}
