import { Link } from '@tanstack/react-router';
import { useOperation } from '../../api/account.ts';
import { openReports } from '../../api/queries.ts';
import { operatorTexts as t } from '../../texts/en-operator.ts';

/** The operator's view, with the number of reports that wait. */
export function OperatorLink() {
  const { data } = useOperation('listReports', openReports);
  const count = data?.reports.length ?? 0;
  const shown = count < openReports.limit ? count : `${openReports.limit - 1}+`;
  return (
    <Link to="/operator">
      {t.title}
      {count > 0 && (
        <>
          {' '}
          <span className="badge">
            {shown}
            <span className="unseen"> {t.openReports(count)}</span>
          </span>
        </>
      )}
    </Link>
  );
}
