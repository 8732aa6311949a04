import { useEffect, useRef, useState } from 'react';
import { Button } from './button.tsx';
import { ApiError, OfflineError, OtherAccountError } from '../app/api/api-error.ts';
import { Contact } from './contact.tsx';
import { describeRefusal, refusedField } from '../app/api/describe-refusal.ts';
import { StorageError } from '../app/upload/send-part.ts';
import { texts } from '../app/texts/en.ts';
import type { ErrorText } from '../app/texts/en-errors.ts';

/**
 * What went wrong and what to do, at the field that has to be corrected. A wait counts down; a screen
 * reader is told it once.
 */
export function ErrorNote({ error, onRetry }: { error: Error; onRetry?: () => void }) {
  const note = useRef<HTMLDivElement>(null);
  const left = useWait(error);
  useEffect(() => markField(note.current, error), [error]);
  const { what, next, link } = describeError(error, left);
  const atFirst = describeError(error).next;
  return (
    <div className="fault" role="alert" ref={note}>
      <strong>{what}</strong>
      {atFirst === next ? (
        <p>{next}</p>
      ) : (
        <p>
          <span className="unseen">{atFirst}</span>
          <span aria-hidden="true">{next}</span>
        </p>
      )}
      <div className="choices">
        {link !== undefined && link.href !== location.pathname && (
          <a className="button quiet small" href={link.href}>
            {link.text}
          </a>
        )}
        {error instanceof ApiError && error.code === 'ACCOUNT_SUSPENDED' && <Contact />}
        {onRetry !== undefined && <Button onClick={onRetry}>{texts.states.tryAgain}</Button>}
      </div>
    </div>
  );
}

/** The two sentences of an error. Anything unexpected is told without its details. */
function describeError(error: Error, wait?: number): ErrorText {
  if (error instanceof ApiError) return describeRefusal(error, wait);
  if (error instanceof OfflineError) {
    return { what: texts.states.unreachable, next: texts.states.unreachableNext };
  }
  if (error instanceof StorageError) {
    return { what: texts.publish.refused, next: texts.publish.refusedNext };
  }
  if (error instanceof OtherAccountError) {
    return { what: texts.publish.otherAccount, next: texts.publish.otherAccountNext };
  }
  return { what: texts.states.crashed, next: texts.states.crashedNext };
}

/** The seconds until the same can be tried again, counted down; undefined where nothing has to be waited for. */
function useWait(error: Error): number | undefined {
  const [now, setNow] = useState(Date.now);
  const end =
    error instanceof ApiError && error.retryAfterSeconds !== undefined
      ? error.receivedAt + error.retryAfterSeconds * 1000
      : undefined;
  const isOver = end === undefined || now >= end;
  useEffect(() => {
    if (isOver) return undefined;
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, [isOver]);
  return end === undefined ? undefined : Math.max(0, Math.ceil((end - now) / 1000));
}

/** Marks the refused field of the note's form and puts the cursor there, until the note goes. */
function markField(note: HTMLElement | null, error: Error): (() => void) | undefined {
  const name = error instanceof ApiError ? refusedField(error) : undefined;
  const form = note?.closest('form');
  const field = name === undefined ? undefined : form?.elements.namedItem(name);
  if (!(field instanceof HTMLElement)) return undefined;
  field.setAttribute('aria-invalid', 'true');
  field.focus();
  return () => field.removeAttribute('aria-invalid');
}
