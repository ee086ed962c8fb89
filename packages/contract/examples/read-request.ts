import { PROBLEMS, readQueryRequest } from '@proj/contract';

const body: unknown = JSON.parse(`{
  "query_model": "cities",
  "query_attributes": ["name", "name"],
  "page": { "page": "3", "size": 10 }
}`);

const reading = readQueryRequest(body);
const lines = reading.ok
  ? [`${reading.request.query_model}, ${JSON.stringify(reading.request.page)}`]
  : reading.errors.map(({ code, detail }) => `${PROBLEMS[code].status} ${code}: ${detail}`);
console.log(lines.join('\n'));
