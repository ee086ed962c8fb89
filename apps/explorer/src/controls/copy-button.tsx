import { useEffect, useState } from 'preact/hooks';

import { copyText } from './copy-text.ts';

interface CopyButtonProps {
  readonly label: string;
  readonly text: () => string;
  readonly disabled?: boolean;
}

const SHOWN_FOR_MS = 2000;

/** Copies a text and says whether it worked. */
export function CopyButton({ label, text, disabled = false }: CopyButtonProps) {
  const [message, setMessage] = useState<string | null>(null);
  useEffect(() => {
    if (message === null) return undefined;
    const timer = setTimeout(() => setMessage(null), SHOWN_FOR_MS);
    return () => clearTimeout(timer);
  }, [message]);
  const copy = async () => setMessage((await copyText(text())) ? 'Copied' : 'Not allowed');
  return (
    <button type="button" disabled={disabled} class="copy" onClick={() => void copy()}>
      <span aria-hidden={message !== null}>{message ?? label}</span>
      <span class="sr-only" role="status">
        {message ?? ''}
      </span>
    </button>
  );
}
