import type { PageState } from '../state/use-page.ts';
import type { ViewState } from '../state/view-state.ts';
import { changeView } from '../state/view/view-store.ts';

interface EmptyNoteProps {
  readonly page: PageState;
  readonly view: ViewState;
}

/** Why there are no records. */
export function EmptyNote({ page, view }: EmptyNoteProps) {
  const { shown, isCurrent } = page;
  if (shown === null) return <p class="empty-note">{unreadText(page)}</p>;
  if (!isCurrent || shown.records.length > 0) return null;
  const isPastTheEnd = shown.total === null ? view.page > 1 : shown.total > 0n;
  if (isPastTheEnd) {
    return (
      <p class="empty-note">
        This page is past the end of the list.{' '}
        <button type="button" onClick={() => changeView({ page: 1 })}>
          Go to the first page
        </button>
      </p>
    );
  }
  return (
    <p class="empty-note">
      {view.filter.parts.length > 0
        ? 'No record meets the conditions.'
        : 'The model has no records.'}
    </p>
  );
}

/** What is said before anything of the model was read. */
function unreadText({ error, waiting, isOffline }: PageState): string {
  if (error !== null) return 'No records were read.';
  if (waiting !== null) return 'The records are read at the next attempt.';
  return isOffline ? 'The records are read when the connection is back.' : 'Reading the records …';
}
