import { type ProblemKind, PROBLEMS } from '@proj/contract';
import { type Answer, HttpProblem, type Route } from '@proj/fastify/host';

import { prose, TEXT_PAGE_HEADERS, textPage } from '../text-page.ts';

const KINDS: ReadonlyMap<string, ProblemKind> = new Map(Object.entries(PROBLEMS));

/** `GET /problems/{code}`: the target of a problem's `type` (RFC 9457 §3.1.1), and their list. */
export function problemPageRoutes(): Route[] {
  const list = listPage();
  const route = { methods: ['GET'], access: 'public' } as const;
  return [
    { ...route, path: 'problems', answer: () => sendPage(list) },
    {
      ...route,
      path: 'problems/:code',
      answer: (ask) => {
        const code = ask.parameter('code');
        const kind = KINDS.get(code);
        if (kind === undefined) throw new HttpProblem('not_found', 'No problem has this code.');
        return sendPage(kindPage(code, kind));
      },
    },
  ];
}

function sendPage(body: string): Answer {
  const headers = { ...TEXT_PAGE_HEADERS, 'content-type': 'text/html; charset=utf-8' };
  return { status: 200, headers, body };
}

// Links are relative, for a server below a path of a proxy.

function kindPage(code: string, { status, title, meaning, remedy }: ProblemKind): string {
  return textPage(
    code,
    `<h1>${prose(title)}</h1>
<p><code>${code}</code> · HTTP status ${status}</p>
<p>${prose(meaning)}</p>
<p><strong>What to do:</strong> ${prose(remedy)}</p>
<nav><a href="../problems">All problems</a> · <a href="../docs">API reference</a></nav>`,
  );
}

function listPage(): string {
  const byStatus = Map.groupBy(KINDS, ([, { status }]) => status);
  const sections = [...byStatus].map(
    ([status, kinds]) =>
      `<h2>Status ${status}</h2>\n<dl>\n${kinds.map(listItem).join('\n')}\n</dl>`,
  );
  return textPage(
    'Problems',
    `<h1>Problems</h1>
<p>Every failure is a problem document (RFC 9457). Programs read its <code>code</code>, which never
changes its meaning.</p>
${sections.join('\n')}
<nav><a href="docs">API reference</a></nav>`,
  );
}

function listItem([code, { title }]: readonly [string, ProblemKind]): string {
  return `<dt><a href="problems/${code}"><code>${code}</code></a></dt><dd>${prose(title)}</dd>`;
}
