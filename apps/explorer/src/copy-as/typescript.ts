import { clientGroups, isOfGroups } from '../state/view/groups-query.ts';
import type { ViewQuery } from '../state/view/view-query.ts';

/**
 * A TypeScript module that reads the page of a view with the SDK. The token comes from
 * DYNAMIC_QUERY_TOKEN.
 */
export function asTypeScript(query: ViewQuery, baseUrl: string): string {
  const [asked, call, read] = isOfGroups(query)
    ? [clientGroups(query), 'groups', `.page(${query.page})`]
    : [query, 'query', ''];
  const members = Object.entries(asked).map(([name, value]) => `  ${name}: ${literal(value)},`);
  return `import { createClient } from '@proj/client';

const client = createClient({
  baseUrl: ${literal(baseUrl)},
  token: () => process.env.DYNAMIC_QUERY_TOKEN ?? '',
});

const page = await client.${call}({
${members.join('\n')}
})${read};

console.log(page.total, page.records);
`;
}

/** A value as source text: JSON, with names bare where the language lets them be. */
function literal(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return text(value);
  const members = Object.entries(value).map(
    ([name, member]) => `${nameOf(name)}: ${literal(member)}`,
  );
  return `{ ${members.join(', ')} }`;
}

/** In brackets where it would set a prototype, which it does in quotes too. */
function nameOf(name: string): string {
  if (name === '__proto__') return `['${name}']`;
  return /^[a-z]\w*$/i.test(name) ? name : text(name);
}

function text(value: unknown): string {
  if (typeof value !== 'string') return JSON.stringify(value);
  const inner = JSON.stringify(value)
    .slice(1, -1)
    .replaceAll(String.raw`\"`, '"')
    .replaceAll("'", String.raw`\'`);
  // JSON leaves the line separators of JavaScript as they are.
  const escaped = inner
    .replaceAll('\u2028', String.raw`\u2028`)
    .replaceAll('\u2029', String.raw`\u2029`);
  return `'${escaped}'`;
}
