import {
  DynamicQueryError,
  IncompleteExportError,
  NetworkError,
  ProblemError,
  type RequestError,
  TimeoutError,
} from '@proj/client';
import { type ProblemKind, PROBLEMS } from '@proj/contract';

const KINDS: ReadonlyMap<string, ProblemKind> = new Map(Object.entries(PROBLEMS));

const CUT_EXPORT =
  'The service, or a proxy before it, cut the export, likely at its time limit ' +
  '(limits.export_timeout_ms; limits.query_timeout_ms for a SQLite file without a write-ahead ' +
  'log), or at a value that Parquet has no place for (NaN in a decimal). The log of the service ' +
  'says which.';

/** One line for people: what went wrong, and what to do next. */
export function explain(error: unknown): string {
  if (error instanceof ProblemError) return explainProblem(error);
  if (error instanceof NetworkError) return oneLine(explainNetwork(error));
  if (error instanceof TimeoutError)
    return (
      `${error.message}. Try again, or ask for less: a smaller --size or a --filter that keeps ` +
      'less.'
    );
  if (error instanceof IncompleteExportError) return `${error.message}. ${CUT_EXPORT}`;
  if (error instanceof DynamicQueryError)
    return (
      `${error.message}. Check that the URL is a Dynamic Query service: ` +
      'npx @proj/conformance <url>.'
    );
  if (error instanceof Error) return oneLine(error.message || error.name);
  return 'something unforeseen went wrong.';
}

/** What OpenSSL says where the other side answers in plain text. */
const PLAIN_TEXT = /wrong version number|packet length too long/;

function explainNetwork({ message, url }: NetworkError): string {
  if (PLAIN_TEXT.test(message) && url.startsWith('https:')) {
    const { host } = new URL(url);
    return (
      `https://${host} does not speak TLS. Try DYNAMIC_QUERY_URL=http://${host} (or --url), ` +
      'which sends the token unencrypted.'
    );
  }
  return `${message}. Check DYNAMIC_QUERY_URL (or --url), and that the service runs.`;
}

function explainProblem(problem: ProblemError): string {
  const { status, code, detail, errors, requestId } = problem;
  const kind = KINDS.get(code ?? '');
  if (code === null)
    return (
      `the service answered ${status} without a problem document. Check DYNAMIC_QUERY_URL (or ` +
      '--url).'
    );
  const listed = errors.length > 0 ? errors.map(explainError).join(' ') : detail;
  const id = requestId === null ? '' : ` (request id ${requestId})`;
  return oneLine(`${status} ${code}: ${listed} ${nextStep(problem, kind)}${id}`);
}

function explainError({ detail, did_you_mean: meant }: RequestError): string {
  return meant === undefined ? detail : `${detail} Did you mean "${meant}"?`;
}

/** How remedies speak of the header, which people do not see. */
const RETRY_AFTER = /(?:Wait as long as|Try again after) `Retry-After`(?: says)?/;

function nextStep({ code, retryAfterMs }: ProblemError, kind: ProblemKind | undefined): string {
  if (code === 'unauthenticated')
    return 'Put a valid token into DYNAMIC_QUERY_TOKEN, or into a file for --token-file.';
  const wait = retryAfterMs === null ? 'later' : `in ${durationText(retryAfterMs)}`;
  return (kind?.remedy ?? '').replace(RETRY_AFTER, `Try again ${wait}`);
}

/** `12 s`, `5 min`, `11 h`, and rather more than less. */
function durationText(milliseconds: number): string {
  const seconds = Math.ceil(milliseconds / 1000);
  if (seconds < 120) return `${seconds} s`;
  const minutes = Math.ceil(seconds / 60);
  return minutes < 120 ? `${minutes} min` : `${Math.ceil(minutes / 60)} h`;
}

function oneLine(text: string): string {
  return text.replaceAll(/\s*\n\s*/g, ' ').trim();
}
