import { Link } from '@tanstack/react-router';
import { PageHead } from '../../ui/page-head.tsx';
import { texts } from '../texts/en.ts';

/** Shown for an unknown address, in the frame of the account's views. */
export function MissingView() {
  return (
    <div className="stack">
      <PageHead title={texts.states.missing} />
      <div className="choices">
        <Link className="button" to="/">
          {texts.states.missingNext}
        </Link>
      </div>
    </div>
  );
}
