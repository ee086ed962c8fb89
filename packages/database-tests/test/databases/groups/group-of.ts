import { type Engine, EVERYTHING } from '@proj/engine';

/** The sum and the average of an attribute, in the one group of a table by its column `part`. */
export async function groupOf(
  engine: Engine,
  { query_model, attribute }: { readonly query_model: string; readonly attribute: string },
): Promise<unknown> {
  const body = {
    query_model,
    query_attributes: ['sum', 'average'],
    query_groups: ['part'],
    query_aggregates: ['sum', 'average'].map((op) => ({ name: op, op, attribute })),
    page: { page: 1, size: 1 },
  };
  const { result } = await engine.query(body, EVERYTHING);
  return (JSON.parse(result) as unknown[])[0];
}
