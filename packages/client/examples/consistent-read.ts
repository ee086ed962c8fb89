import { createClient, DriftError } from '@proj/client';

const client = createClient({ baseUrl: 'https://data.example.com', token: 'my-access-token' });
const list = { model: 'cities', attributes: ['id', 'name'], size: 10 } as const;

// Read again from the start, at most three times, until nothing changed between the first page and
// the last.
const { records, drift, restarts } = await client.all(list, { onDrift: 'restart' });
console.log(records.length, restarts); //=> 42 0
if (drift === 'unverifiable') console.log('The service does not say whether its data changed.');

// Where an answer that may be wrong is worse than none: nothing but proof will do.
const proven = client.records(list, {
  onDrift: (report) => {
    throw new DriftError(report);
  },
});
for await (const city of proven) if (city.id === 42) console.log(city.name); //=> City 42
