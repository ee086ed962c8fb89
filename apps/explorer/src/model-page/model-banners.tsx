import { ProblemBanner } from '../problems/problem-banner.tsx';
import { WaitingBanner } from '../problems/waiting-banner.tsx';
import type { PageState } from '../state/use-page.ts';
import type { ViewState } from '../state/view-state.ts';

interface ModelBannersProps {
  readonly page: PageState;
  readonly view: ViewState;
}

/** What keeps the page of the view from being shown. */
export function ModelBanners({ page, view }: ModelBannersProps) {
  const { waiting, error, isOffline, retry } = page;
  return (
    <>
      {isOffline && (
        <div class="banner waiting" role="status">
          <p>
            You are offline. {page.shown !== null && 'The view stays as it is.'} It loads when the
            connection is back.
          </p>
        </div>
      )}
      {waiting !== null && (
        <WaitingBanner
          key={waiting.failures}
          {...waiting}
          hasView={page.shown !== null}
          onRetry={retry}
        />
      )}
      {error !== null && (
        <ProblemBanner error={error} view={view} hasView={page.shown !== null} onRetry={retry} />
      )}
    </>
  );
}
