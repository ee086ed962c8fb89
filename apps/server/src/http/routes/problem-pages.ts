import { type ProblemKind, PROBLEMS } from '@proj/contract';
import type { FastifyInstance } from 'fastify';

import { HttpProblem } from '../problems.ts';

const PAGES: ReadonlyMap<string, ProblemKind> = new Map(Object.entries(PROBLEMS));

/** `GET /problems/{code}`: what a problem's `type` leads to (RFC 9457 §3.1.1). */
export function problemPageRoutes(app: FastifyInstance): void {
  app.get<{ Params: { code: string } }>('/problems/:code', { config: { access: 'public' } }, (request, reply) => {
    const kind = PAGES.get(request.params.code);
    if (kind === undefined) throw new HttpProblem('not_found', 'No problem has this code.');
    return reply
      .headers({
        'cache-control': 'public, max-age=3600',
        'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
      })
      .type('text/html; charset=utf-8')
      .send(page(request.params.code, kind));
  });
}

function page(code: string, { status, title, meaning, remedy }: ProblemKind): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${code} · Dynamic Query</title>
<style>body{font:1rem/1.6 system-ui,sans-serif;max-width:42rem;margin:3rem auto;padding:0 1rem;color-scheme:light dark}</style>
<h1>${escape(title)}</h1>
<p><code>${code}</code> · HTTP status ${status}</p>
<p>${escape(meaning)}</p>
<p><strong>What to do:</strong> ${escape(remedy)}</p>
</html>
`;
}

function escape(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replace(/`([^`]+)`/g, '<code>$1</code>');
}
