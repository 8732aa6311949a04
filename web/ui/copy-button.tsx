import { useEffect, useState } from 'react';
import { texts } from '../app/texts/en.ts';

const shownMs = 2000;

/** Copies a text, and says so. */
export function CopyButton({ text, label = texts.states.copy }: { text: string; label?: string }) {
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return undefined;
    const timer = setTimeout(() => setCopied(false), shownMs);
    return () => clearTimeout(timer);
  }, [isCopied]);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
  };
  return (
    <button type="button" className="button quiet small" onClick={() => void copy()}>
      <span aria-live="polite">{isCopied ? texts.states.copied : label}</span>
    </button>
  );
}
