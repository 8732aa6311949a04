import { useEffect, useState } from 'react';
import { Button } from './button.tsx';
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
    <Button onClick={() => void copy()}>
      <span aria-live="polite">{isCopied ? texts.states.copied : label}</span>
    </Button>
  );
}
