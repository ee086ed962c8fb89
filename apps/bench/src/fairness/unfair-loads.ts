/** What an unfair caller sends; every query is a new one. */
export const LOADS = {
  'deep pages': (rows: number) => ({
    page: { page: Math.floor(rows / 200) + random(rows / 200), size: 100 },
    query_filter: { attribute: 'id', op: 'gt', value: String(random(rows / 10)) },
  }),
  icontains: (rows: number) => ({
    page: { page: 1, size: 100 },
    query_filter: { attribute: 'name', op: 'icontains', value: `M ${random(rows)}x` },
  }),
};

type LoadName = keyof typeof LOADS;

/** Where a caller sends its load. */
export interface UnfairInput {
  readonly load: LoadName;
  readonly url: string;
  readonly token: string;
  readonly rows: number;
}

export function random(below: number): number {
  return Math.floor(Math.random() * below);
}

/** Sends a query; its status. */
export async function send(url: string, token: string, query: object): Promise<number> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const reply = await fetch(url, { method: 'POST', headers, body: JSON.stringify(query) });
  await reply.arrayBuffer();
  return reply.status;
}

export function isLoad(name: string): name is LoadName {
  return Object.hasOwn(LOADS, name);
}
