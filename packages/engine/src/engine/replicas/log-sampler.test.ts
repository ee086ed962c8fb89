import { expect, it } from 'vitest';

import { QueryFailedError, SettingsError } from '../../errors.ts';
import { LogSampler } from './log-sampler.ts';

function samplerOf(error: Error): LogSampler {
  return new LogSampler({
    async state() {
      throw error;
    },
  });
}

it('a server that takes long to say where it is ends no query by a time limit', async () => {
  const late = samplerOf(new QueryFailedError('query_timeout', 'It took longer than 1000 ms.'));
  await expect(late.sample()).rejects.toMatchObject({ code: 'database_unavailable' });
});

it('a server that cannot say where it is says why', async () => {
  const refusal = new SettingsError('it leads to a proxy');
  await expect(samplerOf(refusal).sample()).rejects.toBe(refusal);
});
