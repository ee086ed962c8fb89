import { useEffect, useState } from 'preact/hooks';

import { copyText } from './copy-text.ts';

interface CopyButtonProps {
  readonly label: string;
  readonly text: () => string;
  readonly disabled?: boolean;
}

const SAY_FOR_MS = 2000;

/** Copies a text and says whether it worked. */
export function CopyButton({ label, text, disabled = false }: CopyButtonProps) {
  const [said, setSaid] = useState<string | null>(null);
  useEffect(() => {
    if (said === null) return undefined;
    const timer = setTimeout(() => setSaid(null), SAY_FOR_MS);
    return () => clearTimeout(timer);
  }, [said]);
  const copy = async () => setSaid((await copyText(text())) ? 'Copied' : 'Not allowed');
  return (
    <button type="button" disabled={disabled} class="copy" onClick={() => void copy()}>
      <span aria-hidden={said !== null}>{said ?? label}</span>
      <span class="sr-only" role="status">
        {said ?? ''}
      </span>
    </button>
  );
}
