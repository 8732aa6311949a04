import { useState } from 'react';
import { ErrorNote } from '../../ui/error-note.tsx';
import { InlineForm } from '../../ui/inline-form.tsx';
import { PageHead } from '../../ui/page-head.tsx';
import { QueryState } from '../../ui/query-state.tsx';
import { useChange, useOperation } from '../api/account.ts';
import type { Output } from '../api/contract.ts';
import { formatInstant } from '../texts/format.ts';
import { operatorTexts as t, reasonNames } from '../texts/en-operator.ts';
import { Invitations } from './operator/invitations.tsx';
import { OperatedAccount } from './operator/operated-account.tsx';
import { TakeDown } from './operator/take-down.tsx';

type Report = Output<'listReports'>['reports'][number];
type OperatedProject = NonNullable<Report['project']>;

/** Reports, takedowns and accounts, for the operators of this installation. */
export function OperatorView() {
  const query = useOperation('listReports', {});
  const [account, setAccount] = useState('');
  const [target, setTarget] = useState('');
  return (
    <>
      <PageHead title={t.title} intro={t.intro} />
      <OperatedAccount account={account} onFind={setAccount} />
      <Invitations />
      <section className="part">
        <h2>{t.byAddress}</h2>
        <InlineForm
          label={t.target}
          action={t.next}
          required
          maxLength={300}
          run={(entered, empty) => {
            setTarget(entered);
            empty();
          }}
        />
        {target !== '' && <TakeDown target={target} onClose={() => setTarget('')} />}
      </section>
      <section className="part">
        <h2>{t.reports}</h2>
        <QueryState query={query}>
          {({ reports }) =>
            reports.length === 0 ? (
              <p className="muted">{t.noReports}</p>
            ) : (
              <ul className="plain-rows">
                {reports.map((report) => (
                  <ReportRow key={report.id} report={report} onFindOwner={setAccount} />
                ))}
              </ul>
            )
          }
        </QueryState>
      </section>
    </>
  );
}

/** A report. A stranger wrote its texts, so no address in them is a link. */
function ReportRow({
  report,
  onFindOwner,
}: {
  report: Report;
  onFindOwner: (accountId: string) => void;
}) {
  const { at, host, reason, message, email, url, project } = report;
  const ownerId = project?.ownerId ?? null;
  return (
    <li className="row wrap">
      <div className="row-main">
        <strong>
          {reasonNames[reason]}: <bdi>{host}</bdi>
        </strong>
        <p className="written">
          <bdi>{message}</bdi>
        </p>
        <span className="hint">
          {formatInstant(at)}
          {email !== null && ' · '}
          {email !== null && <bdi>{`${t.from} ${email}`}</bdi>}
        </span>
        {url !== null && (
          <span className="hint">
            <bdi>{url}</bdi>
          </span>
        )}
        {project === null && <span className="hint">{t.gone}</span>}
        {project?.takedown && (
          <span className="hint">
            {t.isDown} <bdi>{project.takedown.reason}</bdi>
          </span>
        )}
      </div>
      {ownerId !== null && (
        <button type="button" className="button quiet small" onClick={() => onFindOwner(ownerId)}>
          {t.owner}
        </button>
      )}
      {project !== null && <Block project={project} />}
    </li>
  );
}

function Block({ project }: { project: OperatedProject }) {
  const { projectId, host } = project;
  const isDown = project.takedown !== null;
  const [isAsking, setAsking] = useState(false);
  const release = useChange('liftTakedown', ['listReports']);
  return (
    <>
      <button
        type="button"
        className="button quiet small"
        disabled={release.isPending}
        onClick={() => (isDown ? release.mutate({ projectId }) : setAsking(true))}
      >
        {isDown ? t.release : t.takeDown}
      </button>
      {release.error && <ErrorNote error={release.error} />}
      {isAsking && <TakeDown target={projectId} name={host} onClose={() => setAsking(false)} />}
    </>
  );
}
