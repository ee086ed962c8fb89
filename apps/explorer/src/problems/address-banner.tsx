import { changeAddressParts } from '../state/view/view-store.ts';
import type { UnreadablePart } from '../state/view/view-url.ts';
import { explainUnread } from './unread-part.ts';

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
              <code>{`${part.name}=${part.text}`}</code> {explainUnread(part)}
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
