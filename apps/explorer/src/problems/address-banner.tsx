import { FIRST_VIEW } from '../state/view-state.ts';
import { changeAddressParts } from '../state/view/view-store.ts';
import type { UnreadablePart } from '../state/view/view-url.ts';

/** What is shown in place of a part whose text is no value of it. */
const INSTEAD: Readonly<Partial<Record<string, string>>> = {
  page: 'is not a whole number from 1. Page 1 is shown.',
  size: `is not a whole number from 1. A page has ${FIRST_VIEW.size} records.`,
  sort: 'cannot be read. The records are in the order of the model.',
};

/** Names the parts of the address that the view does not have. */
export function AddressBanner({ parts }: { readonly parts: readonly UnreadablePart[] }) {
  if (parts.length === 0) return null;
  return (
    <div class="banner problem" role="alert">
      <div>
        <p>Not everything in this address can be read:</p>
        <ul>
          {parts.map((part) => (
            <li key={part.place}>
              <code>{`${part.name}=${part.text}`}</code> {explain(part)}
            </li>
          ))}
        </ul>
      </div>
      <button type="button" onClick={() => changeAddressParts(parts, null)}>
        Remove from the address
      </button>
    </div>
  );
}

function explain({ name, why }: UnreadablePart): string {
  if (why === 'unknown') return 'is not a part of a view. The view is without it.';
  if (why === 'repeated') return `is left out: “${name}” is in the address before.`;
  return INSTEAD[name] ?? 'cannot be read. The view is without it.';
}
