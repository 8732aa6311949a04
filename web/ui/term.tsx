import { useId } from 'react';

/** A word with its meaning: shown under the mouse or with the focus, and read to a screen reader. */
export function Term({ text, hint }: { text: string; hint: string }) {
  const id = useId();
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- the meaning is shown with the focus too
    <span className="term" tabIndex={0} aria-describedby={id}>
      {text}
      <span id={id} role="tooltip">
        {hint}
      </span>
    </span>
  );
}
