import { createClient, ProblemError } from '@proj/client';

const client = createClient({ baseUrl: 'https://data.example.com', token: 'my-access-token' });

try {
  await client.query({ model: 'citys', attributes: ['name'], page: 1, size: 10 });
} catch (error) {
  if (!(error instanceof ProblemError)) throw error;
  console.log(error.status, error.code, error.requestId); //=> 400 unknown_model request-1
  for (const { pointer, did_you_mean: meant } of error.errors) console.log(pointer, meant); //=> /query_model cities
}
