import { formatDay, formatInstant, formatRelative } from '../app/texts/format.ts';

const forms = { instant: formatInstant, day: formatDay, ago: formatRelative };

/**
 * An instant in the reader's zone and format, as programs read it too; whoever points at it sees the whole.
 * `text` puts it into a sentence.
 */
export function Time({ at, form = 'instant', text = (time) => time, className }: TimeProps) {
  return (
    <time dateTime={at} title={formatInstant(at)} className={className}>
      {text(forms[form](at))}
    </time>
  );
}

interface TimeProps {
  /** ISO 8601. */
  at: string;
  form?: keyof typeof forms;
  text?: (time: string) => string;
  className?: string;
}
