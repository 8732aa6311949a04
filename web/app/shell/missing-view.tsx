import { Link } from '@tanstack/react-router';
import { PageHead } from '../../ui/page-head.tsx';
import { texts } from '../texts/en.ts';

/** Shown for an unknown address. */
export function MissingView() {
  return (
    <main className="sheet stack">
      <PageHead title={texts.states.missing} />
      <Link className="button" to="/">
        {texts.states.missingNext}
      </Link>
    </main>
  );
}
