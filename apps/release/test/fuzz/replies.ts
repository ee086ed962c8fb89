/** One reply, as it came. */
export interface RawReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The replies in what a server sent, and what is left of it. */
export interface ReadReplies {
  readonly replies: readonly RawReply[];
  /** The beginning of a reply whose rest has not come. */
  readonly rest: string;
}

const END_OF_HEAD = '\r\n\r\n';

/**
 * Reads whole replies. Each has to declare its length, or to come in chunks.
 *
 * @param text as latin-1, a character for each byte
 * @param method of the request: a reply to HEAD has no body
 */
export function readReplies(text: string, method: string): ReadReplies {
  const replies: RawReply[] = [];
  let rest = text;
  for (let end = rest.indexOf(END_OF_HEAD); end >= 0; end = rest.indexOf(END_OF_HEAD)) {
    const { status, headers } = readHead(rest.slice(0, end));
    const from = end + END_OF_HEAD.length;
    const hasBody = status >= 200 && status !== 204 && status !== 304;
    // Of a head that it cannot read, a server does not know the method.
    const isOver = rest.length === from || rest.startsWith('HTTP/1.1 ', from);
    const isBodyless = !hasBody || (method === 'HEAD' && isOver);
    const content = isBodyless ? { body: '', end: from } : readBody(rest, from, headers);
    if (content === undefined) break;
    const body = Buffer.from(content.body, 'latin1').toString();
    if (status >= 200) replies.push({ status, headers, body });
    rest = rest.slice(content.end);
  }
  return { replies, rest };
}

function readHead(head: string): Pick<RawReply, 'status' | 'headers'> {
  const [statusLine = '', ...lines] = head.split('\r\n');
  const headers = lines.map((line) => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()] as const;
  });
  return { status: Number(statusLine.split(' ')[1]), headers: Object.fromEntries(headers) };
}

/** A body that came whole, and where it ends. */
interface ReadBody {
  readonly body: string;
  readonly end: number;
}

function readBody(
  text: string,
  from: number,
  headers: Readonly<Record<string, string>>,
): ReadBody | undefined {
  if (headers['transfer-encoding'] === 'chunked') return readChunks(text, from);
  const end = from + Number(headers['content-length'] ?? 0);
  return end > text.length ? undefined : { body: text.slice(from, end), end };
}

/** RFC 9112 §7.1. The trailers are not looked at. */
function readChunks(text: string, from: number): ReadBody | undefined {
  let body = '';
  let place = from;
  for (;;) {
    const line = text.indexOf('\r\n', place);
    if (line < 0) return undefined;
    const size = Number.parseInt(text.slice(place, line), 16);
    if (size === 0) {
      // Without trailers the last line is followed by an empty one at once.
      const end = text.startsWith('\r\n', line + 2) ? line : text.indexOf(END_OF_HEAD, line);
      const after = end + END_OF_HEAD.length;
      return end < 0 || after > text.length ? undefined : { body, end: after };
    }
    place = line + 2 + size + 2;
    if (place > text.length) return undefined;
    body += text.slice(line + 2, place - 2);
  }
}
