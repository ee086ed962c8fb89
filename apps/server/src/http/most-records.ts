/** For facets that name no number of values or bins. */
const FACET = 20;

/** Counts values and bins of facets too. Invalid bodies are refused before anything is read. */
export function mostRecords(body: unknown): number {
  const { page, query_facets: facets } = Object(body) as Readonly<Record<string, unknown>>;
  if (!Array.isArray(facets)) return countIn(page, 'size') ?? 0;
  return facets.reduce<number>(
    (sum, facet) => sum + (countIn(facet, 'values') ?? countIn(facet, 'bins') ?? FACET),
    0,
  );
}

function countIn(value: unknown, member: string): number | undefined {
  const count: unknown = Object(value)[member];
  return Number.isSafeInteger(count) && Number(count) > 0 ? Number(count) : undefined;
}
