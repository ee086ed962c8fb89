import { readFileSync } from 'node:fs';

import { expect, inject, it } from 'vitest';

import { TOKEN } from '../support/service.ts';
import { readBlocks, ROOT } from './document.ts';

const PAGE = 'docs/reference/contract.md';

it.each([
  ['along relations', '"country.continent.name"', 'query'],
  ['for groups', '"query_groups"', 'query'],
  ['for facets', '"query_facets"', 'facets'],
])(
  'the page of the contract shows what the demo answers to its request %s',
  async (_what, member, path) => {
    const blocks = readBlocks(PAGE);
    const index = blocks.findIndex(({ text }) => text.includes(member));
    const reply = await fetch(new URL(`/api/v1/dynamic/${path}`, inject('demo')), {
      method: 'POST',
      headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
      body: blocks[index]?.text ?? '',
    });
    expect(JSON.parse(blocks[index + 1]?.text ?? 'null')).toEqual(await reply.json());
  },
);

it('the page of the contract has every request of the API that the service describes', async () => {
  const reply = await fetch(new URL('/openapi-3.2.json', inject('demo')));
  const { paths } = (await reply.json()) as { paths: Record<string, Record<string, unknown>> };
  const described = Object.entries(paths)
    .filter(([path]) => path.startsWith('/api/'))
    .flatMap(([path, requests]) =>
      Object.keys(requests).map((method) => `${method.toUpperCase()} ${path}`),
    );
  const page = readFileSync(new URL(PAGE, ROOT), 'utf8');
  const rows = [...page.matchAll(/^\| `([A-Z]+ \/api\/[^`]*)`/gm)].map(([, request]) => request);
  expect(new Set(rows)).toEqual(new Set(described));
});
