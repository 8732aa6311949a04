import { useEffect } from 'react';
import { QueryState } from '../../../ui/query-state.tsx';
import { useOperation } from '../../api/account.ts';
import { formatBytes } from '../../texts/format.ts';
import { texts } from '../../texts/en.ts';

const t = texts.versions;

/** Files that differ between a version and the live one, or the live one and the one before it. */
export function VersionDiff({ projectId, version, onCompared }: VersionDiffProps) {
  const query = useOperation('diffVersion', { projectId, version: String(version) });
  const against = query.data?.against;
  useEffect(() => {
    if (against !== undefined) onCompared?.(against);
  }, [against, onCompared]);
  return (
    <div className="full">
      <QueryState query={query} lines={2}>
        {({ added, changed, removed, sizeDelta }) => {
          const isSame = added.length + changed.length + removed.length === 0;
          return (
            <div className="stack">
              <p className="hint">
                {typeof against === 'number' && t.against(against)} {sizeDelta > 0 && '+'}
                {sizeDelta < 0 && '−'}
                {sizeDelta !== 0 && formatBytes(Math.abs(sizeDelta))}
              </p>
              {isSame && <p>{t.same}</p>}
              <Paths label={t.added} sign="+" paths={added} />
              <Paths label={t.changed} sign="~" paths={changed} />
              <Paths label={t.removed} sign="−" paths={removed} />
            </div>
          );
        }}
      </QueryState>
    </div>
  );
}

interface VersionDiffProps {
  projectId: string;
  version: number;
  /** Called with the version that it was compared with; null for none. */
  onCompared?: (against: number | null) => void;
}

function Paths({ label, sign, paths }: { label: string; sign: string; paths: readonly string[] }) {
  if (paths.length === 0) return null;
  return (
    <details open={paths.length <= 20}>
      <summary>
        {label}: {t.files(paths.length)}
      </summary>
      <ul className="paths">
        {paths.map((path) => (
          <li key={path}>
            <code>
              {sign} <bdi>{path}</bdi>
            </code>
          </li>
        ))}
      </ul>
    </details>
  );
}
