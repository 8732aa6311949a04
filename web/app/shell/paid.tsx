import type { ReactNode } from 'react';
import { useOperation } from '../api/account.ts';
import { texts } from '../texts/en.ts';

/** The plan of the account; undefined until it is read. */
export function usePlan() {
  return useOperation('getUser', {}).data?.plan;
}

/** Controls that the free plan does not include: there they are locked, and a note says why. */
export function Paid({ what, children }: PaidProps) {
  const plan = usePlan();
  const isLocked = plan?.tier === 'free';
  return (
    <>
      {isLocked && (
        <p className="note">
          {texts.account.locked(what)}{' '}
          {plan.upgradeUrl !== null && <a href={plan.upgradeUrl}>{texts.states.upgrade}</a>}
        </p>
      )}
      {children !== undefined && (
        <fieldset className="locked stack" disabled={isLocked}>
          {children}
        </fieldset>
      )}
    </>
  );
}

interface PaidProps {
  /** What the plan does not include, as the subject of a sentence in the plural. */
  what: string;
  children?: ReactNode;
}
