import { Link } from '@tanstack/react-router';
import { useOperation } from '../../api/account.ts';
import { operatorTexts as t } from '../../texts/en-operator.ts';

/** The operator's view, with the number of projects whose reports wait. */
export function OperatorLink() {
  const { data } = useOperation('listReports', {});
  const count = data?.projects.length ?? 0;
  return (
    <Link to="/operator">
      {t.title}
      {count > 0 && (
        <>
          {' '}
          <span className="badge">
            {data?.nextCursor === null ? count : `${count}+`}
            <span className="unseen"> {t.openReports(count)}</span>
          </span>
        </>
      )}
    </Link>
  );
}
