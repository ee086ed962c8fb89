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
 * Reads whole replies. Each has to declare its length.
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
    const length = isBodyless ? 0 : Number(headers['content-length'] ?? 0);
    if (rest.length < from + length) break;
    const body = Buffer.from(rest.slice(from, from + length), 'latin1').toString();
    if (status >= 200) replies.push({ status, headers, body });
    rest = rest.slice(from + length);
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
