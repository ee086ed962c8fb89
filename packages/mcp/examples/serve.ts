import { createClient } from '@proj/client';
import { serveOverStdio } from '@proj/mcp';

await serveOverStdio({
  client: createClient({ baseUrl: 'https://data.example.com', token: 'my-access-token' }),
  version: '1.0.0',
  input: process.stdin,
  output: process.stdout,
});
