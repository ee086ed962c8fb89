import { QueryClientProvider } from '@tanstack/preact-query';
import { render } from 'preact';

import { queryClient } from './api/query-client.ts';
import { App } from './app.tsx';
import { applyTheme } from './theme/theme.ts';

applyTheme();

const root = document.querySelector('#app');
if (root !== null) {
  render(
    <QueryClientProvider client={queryClient}>
      <App />
    </QueryClientProvider>,
    root,
  );
}
