import { useQuery } from '@tanstack/preact-query';
import { useEffect } from 'preact/hooks';

import { MODELS_KEY } from './api/begin-session.ts';
import { browseClient } from './api/clients.ts';
import { queryClient } from './api/query-client.ts';
import { lazyPart } from './controls/lazy-part.tsx';
import { UnreadableFilter } from './model-page/unreadable-filter.tsx';
import { ModelList } from './models/model-list.tsx';
import { Overview } from './overview/overview.tsx';
import { AddressBanner } from './problems/address-banner.tsx';
import { QueryBanners } from './problems/query-banners.tsx';
import { hostApp, isKnownToApp } from './session/host-app.ts';
import { session, signOut } from './session/session.ts';
import { useShortcuts } from './shortcuts/use-shortcuts.ts';
import { branding } from './theme/branding.ts';
import { ThemeButton } from './theme/theme-button.tsx';
import { ModelView } from './model-page/model-view.tsx';
import { ViewLink } from './state/view/view-link.tsx';
import { linkedModels } from './state/related-models.ts';
import { FIRST_VIEW } from './state/view-state.ts';
import { unreadable, view } from './state/view/view-store.ts';
import { choosesRecords } from './state/view/view-url.ts';

const SignInPage = lazyPart(async () => (await import('./sign-in/sign-in-page.tsx')).SignInPage);
const TokenRefused = lazyPart(
  async () => (await import('./sign-in/token-refused.tsx')).TokenRefused,
);
const ShortcutsDialog = lazyPart(
  async () => (await import('./shortcuts/shortcuts-dialog.tsx')).ShortcutsDialog,
);

/** The page: the sign-in, or the models with the view of one of them. */
export function App() {
  const { kind } = session.value;
  const isOut = kind === 'out' || kind === 'returning' || kind === 'linked';
  const { model } = view.value;
  const shortcuts = useShortcuts();
  useEffect(() => {
    document.title = model === null ? branding.name : `${model} · ${branding.name}`;
  }, [model]);
  useEffect(() => {
    if (kind === 'out') queryClient.clear();
  }, [kind]);
  return (
    <>
      <header class="top">
        <ViewLink to={FIRST_VIEW} class="brand">
          {branding.logo !== null && <img src={branding.logo} alt="" />}
          <span>{branding.name}</span>
        </ViewLink>
        <a
          class="button"
          href={hostApp === null ? 'docs' : 'openapi.json'}
          target="_blank"
          rel="noreferrer"
        >
          API
        </a>
        <ThemeButton />
        {!isOut && (
          <button
            type="button"
            class="plain"
            aria-label="Keyboard shortcuts"
            title="Keyboard shortcuts (?)"
            onClick={shortcuts.open}
          >
            ?
          </button>
        )}
        {!isOut && !isKnownToApp && (
          <button type="button" class="plain" onClick={signOut}>
            Sign out
          </button>
        )}
      </header>
      {isOut ? <SignInPage onClose={() => location.reload()} /> : <Models />}
      {kind === 'refused' && <TokenRefused onClose={signOut} />}
      {shortcuts.isOpen && <ShortcutsDialog onClose={shortcuts.close} />}
    </>
  );
}

function useModels() {
  return useQuery({
    queryKey: MODELS_KEY,
    queryFn: async ({ signal }) => browseClient.models({ signal }),
    select: linkedModels,
    staleTime: 60_000,
  });
}

function Models() {
  const query = useModels();
  const { data } = query;
  if (data === undefined)
    return (
      <main class="welcome">
        <QueryBanners query={query} view={view.value} pending="Loading models …" />
      </main>
    );
  const { model: name } = view.value;
  const model = data.find((entry) => entry.name === name);
  const lost = model === undefined ? [] : unreadable.value.filter(choosesRecords);
  return (
    <div class="shell">
      <ModelList models={data} />
      <div class="content">
        <AddressBanner parts={unreadable.value.filter((part) => !lost.includes(part))} />
        {name === null && <Overview models={data} />}
        {name !== null && model === undefined && <NoSuchModel name={name} />}
        {model !== undefined && lost.length > 0 && <UnreadableFilter model={model} parts={lost} />}
        {model !== undefined && lost.length === 0 && (
          <ModelView key={model.name} models={data} model={model} view={view.value} />
        )}
      </div>
    </div>
  );
}

function NoSuchModel({ name }: { readonly name: string }) {
  return (
    <main class="welcome">
      <h1>No such model</h1>
      <p>The token sees no model of the name “{name}”.</p>
      <p>The list has the models of your token, with how many records each has.</p>
    </main>
  );
}
