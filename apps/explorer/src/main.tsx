import { QueryClientProvider } from '@tanstack/preact-query';
import { render } from 'preact';

import { queryClient } from './api/query-client.ts';
import { App } from './app.tsx';
import { applyBranding } from './theme/branding.ts';
import { applyTheme } from './theme/theme.ts';

applyTheme();
applyBranding();

const root = document.querySelector('#app');
if (root !== null) {
  render(
    <QueryClientProvider client={queryClient}>
      <App />
    </QueryClientProvider>,
    root,
  );
}
