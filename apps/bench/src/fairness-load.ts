// One caller in a process of its own, so that its load takes nothing from the one that is measured:
// sends queries of a kind until it is ended.
import { COLUMNS, tableName } from './tables/bench-database.ts';

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

export type LoadName = keyof typeof LOADS;

/** How many queries are under way at any time. */
const ABREAST = 256;

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

export function isLoad(name: string | undefined): name is LoadName {
  return name !== undefined && Object.hasOwn(LOADS, name);
}

const [load, url = '', token = '', rows = ''] = process.argv.slice(2);
if (process.send !== undefined && isLoad(load)) {
  const forever = async (): Promise<never> => {
    for (;;) {
      const body = {
        query_model: tableName(Number(rows)),
        query_attributes: COLUMNS,
        ...LOADS[load](Number(rows)),
      };
      await send(url, token, body).catch(() => undefined);
    }
  };
  await Promise.all(Array.from({ length: ABREAST }, forever));
}
