import { useState } from 'react';
import { Button } from '../../../ui/button.tsx';
import { ErrorNote } from '../../../ui/error-note.tsx';
import { useChange } from '../../api/account.ts';
import type { Output } from '../../api/contract.ts';
import { operatorTexts as t, type outcomeNames, reasonNames } from '../../texts/en-operator.ts';
import { AskReason } from './take-down.tsx';

type Reported = Output<'listReports'>['projects'][number];
type Outcome = keyof typeof outcomeNames;

/** The three ways to end the reports of a project that are listed. */
export function Decisions({ reported }: { reported: Reported }) {
  const { projectId, lastNumber, host, project, reports } = reported;
  const [asked, setAsked] = useState<Outcome>();
  const resolve = useChange('resolveReports', ['listReports', 'listAccounts'], () =>
    setAsked(undefined),
  );
  const reason = reports[0]?.reason ?? 'other';
  return (
    <>
      {outcomesFor(project).map((outcome) => (
        <button
          key={outcome}
          type="button"
          className={outcome === 'nothing-wrong' ? 'button quiet small' : 'button danger small'}
          onClick={() => setAsked(outcome)}
        >
          {t.decisions[outcome].action}
        </button>
      ))}
      {asked !== undefined && (
        <AskReason
          title={t.decisions[asked].title(
            (asked === 'suspended' ? project?.ownerEmail : project?.host) ?? host,
          )}
          text={t.decisions[asked].text}
          label={asked === 'nothing-wrong' ? t.note : t.reasonField}
          initial={asked === 'nothing-wrong' ? t.noteAtFirst : `${reasonNames[reason]}.`}
          action={t.decisions[asked].action}
          change={resolve}
          run={(given) => resolve.mutate({ projectId, lastNumber, outcome: asked, reason: given })}
          onClose={() => setAsked(undefined)}
        />
      )}
    </>
  );
}

/** What can be decided: a deleted project cannot be blocked, and one without an owner has no account. */
function outcomesFor(project: Reported['project']): Outcome[] {
  if (project === null) return ['nothing-wrong'];
  if (project.ownerId === null) return ['nothing-wrong', 'taken-down'];
  return ['nothing-wrong', 'taken-down', 'suspended'];
}

/** Ends the takedown of a project. */
export function Release({ projectId }: { projectId: string }) {
  const release = useChange('liftTakedown', ['listReports']);
  return (
    <>
      <Button disabled={release.isPending} onClick={() => release.mutate({ projectId })}>
        {t.release}
      </Button>
      {release.error && <ErrorNote error={release.error} />}
    </>
  );
}
