import { createClient } from '@proj/client';

const client = createClient({
  baseUrl: 'https://data.example.com',
  token: async () => 'my-access-token', // asked before every attempt
  retries: 3,
  timeoutMs: 5_000, // one attempt
  deadlineMs: 20_000, // all attempts of one request
});

const controller = new AbortController();
try {
  for await (const page of client.pages(
    { model: 'cities', attributes: ['name'], size: 10 },
    { signal: controller.signal },
  )) {
    console.log(page.number);
    if (page.number === 2) controller.abort(new Error('seen enough'));
  }
} catch (error) {
  if (error !== controller.signal.reason) throw error;
  console.log(controller.signal.reason.message);
}
//=> 1
//=> 2
//=> seen enough
