import type { ModelEntry } from '@proj/client';
import { useState } from 'preact/hooks';

import { BASE_URL } from '../api/clients.ts';
import { CopyButton } from '../controls/copy-button.tsx';
import { Dialog } from '../controls/dialog.tsx';
import type { ViewQuery } from '../state/view/view-query.ts';
import { asCurl } from './curl.ts';
import { asDq } from './dq.ts';
import { asTypeScript } from './typescript.ts';

interface CopyAsDialogProps {
  readonly query: ViewQuery;
  readonly model: ModelEntry;
  readonly onClose: () => void;
}

const FORMS = ['curl', 'TypeScript', 'dq'] as const;

/** The page of the view as a command or as code. */
export function CopyAsDialog({ query, model, onClose }: CopyAsDialogProps) {
  const [form, setForm] = useState<(typeof FORMS)[number]>('curl');
  const texts = {
    curl: () => asCurl(query, BASE_URL),
    TypeScript: () => asTypeScript(query, BASE_URL),
    dq: () => `DYNAMIC_QUERY_URL=${BASE_URL} ${asDq(query, model)}`,
  };
  return (
    <Dialog title="Copy as" onClose={onClose}>
      <fieldset class="choices">
        <legend class="sr-only">Form</legend>
        {FORMS.map((name) => (
          <label key={name} class="check">
            <input
              type="radio"
              name="form"
              checked={form === name}
              onChange={() => setForm(name)}
            />
            {name}
          </label>
        ))}
      </fieldset>
      <pre tabIndex={0} aria-label={form}>
        {texts[form]()}
      </pre>
      <div class="row">
        <CopyButton label="Copy" text={texts[form]} />
        <span class="hint">
          The token is read from DYNAMIC_QUERY_TOKEN; it is not part of the text.
        </span>
      </div>
    </Dialog>
  );
}
