import { createClient } from '@proj/client';

let kept: string | null = null;

/** Stands for a call to the server that issues tokens. */
const logIn = async (): Promise<string> => 'my-access-token';

const client = createClient({
  baseUrl: 'https://data.example.com',
  // Called before every attempt; with `refresh` when the service answered 401, once for all
  // requests that it refused.
  token: async ({ refresh }) => {
    if (kept === null || refresh) kept = await logIn();
    return kept;
  },
});
console.log((await client.models()).length); //=> 1
