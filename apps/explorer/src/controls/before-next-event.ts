// What has to be done before the reader's next key or click: an effect after the frame would take
// the focus from what was clicked meanwhile, or undo what was typed.
import { type Dispatch, type StateUpdater, useLayoutEffect, useRef, useState } from 'preact/hooks';

/** The text of a field that shows `value`: what is typed, until the value changes. */
export function useDraft(value: string): [string, Dispatch<StateUpdater<string>>] {
  const [text, setText] = useState(value);
  useLayoutEffect(() => setText(value), [value]);
  return [text, setText];
}

/** For the control that has the focus as soon as it is on the page. */
export function useFirstFocus<Control extends HTMLElement>() {
  const control = useRef<Control>(null);
  useLayoutEffect(() => control.current?.focus(), []);
  return control;
}

/** For a dialog that is modal as soon as it is on the page. */
export function useModal() {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => dialog.current?.showModal(), []);
  return dialog;
}
