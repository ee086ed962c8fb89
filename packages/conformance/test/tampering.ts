import { type Answer, problem, type Received } from '../../cli/test/service/answer.ts';

/** Members of a JSON object whose shape the test knows. */
type Members = Record<string, unknown>;

const membersOf = (value: unknown): Members =>
  typeof value === 'object' && value !== null ? { ...value } : {};

/** Changes the bodies of pages that were answered. */
export function onPages(
  change: (reply: { result: Members[]; page: Members }, request: Received) => Members,
) {
  return (answer: Answer, request: Received): Answer => {
    const { result, page } = membersOf(answer.body);
    if (!Array.isArray(result)) return answer;
    return {
      ...answer,
      body: change({ result: result.map(membersOf), page: membersOf(page) }, request),
    };
  };
}

/** Changes the documents of refusals. */
export function onProblems(change: (document: Members, answer: Answer) => Partial<Answer>) {
  return (answer: Answer): Answer =>
    answer.status >= 400 ? { ...answer, ...change(membersOf(answer.body), answer) } : answer;
}

/**
 * Changes queries and requests for exports that are JSON objects in their shortest form, before
 * they are looked at.
 */
export function onQueries(change: (query: Members) => unknown) {
  return (request: Received): Received => {
    if (/\/(?:facets|watch)$/.test(request.path)) return request;
    try {
      const query: unknown = JSON.parse(request.body.toString());
      const isObject =
        typeof query === 'object' &&
        query !== null &&
        !Array.isArray(query) &&
        Buffer.from(JSON.stringify(query)).equals(request.body);
      return isObject
        ? { ...request, body: Buffer.from(JSON.stringify(change({ ...query }))) }
        : request;
    } catch {
      return request;
    }
  };
}

/** Leaves out or replaces headers of answers. */
export function onHeaders(
  change: (headers: Record<string, string>, answer: Answer) => Record<string, string>,
) {
  return (answer: Answer): Answer => ({
    ...answer,
    headers: change({ ...answer.headers }, answer),
  });
}

/** Answers requests of a kind with a refusal, or with something else. */
export function instead(
  of: (request: Received, answer: Answer) => boolean,
  other: (answer: Answer) => Answer,
) {
  return (answer: Answer, request: Received): Answer =>
    of(request, answer) ? other(answer) : answer;
}

/** A problem without a list of errors. */
export const refusal = (code: Parameters<typeof problem>[0]) => (): Answer => problem(code);

/** One change after the other. */
export function chain(...changes: ((answer: Answer, request: Received) => Answer)[]) {
  return (answer: Answer, request: Received): Answer =>
    changes.reduce((changed, change) => change(changed, request), answer);
}
