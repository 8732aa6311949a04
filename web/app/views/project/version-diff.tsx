import { lazy, Suspense, useState } from 'react';
import { QueryState, Skeleton } from '../../../ui/query-state.tsx';
import { useOperation } from '../../api/account.ts';
import { formatBytes } from '../../texts/format.ts';
import { texts } from '../../texts/en.ts';

const t = texts.versions;

const TextDiff = lazy(async () => ({ default: (await import('./text-diff.tsx')).TextDiff }));

/** Files that differ between a version and the live one, or the live one and the one before it. */
export function VersionDiff({ projectId, version }: VersionDiffProps) {
  const query = useOperation('diffVersion', { projectId, version: String(version) });
  return (
    <div className="full">
      <QueryState query={query} lines={2}>
        {({ added, changed, removed, sizeDelta, against }) => {
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
              <Paths label={t.changed} sign="~" paths={changed}>
                {(path) =>
                  typeof against === 'number' && (
                    <TextDiff projectId={projectId} path={path} from={against} to={version} />
                  )
                }
              </Paths>
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
}

function Paths({ label, sign, paths, children }: PathsProps) {
  if (paths.length === 0) return null;
  return (
    <details open={paths.length <= 20}>
      <summary>
        {label}: {t.files(paths.length)}
      </summary>
      <ul className="paths">
        {paths.map((path) => (
          <li key={path}>
            {children === undefined ? (
              <Path sign={sign} path={path} />
            ) : (
              <Opened summary={<Path sign={sign} path={path} />}>{() => children(path)}</Opened>
            )}
          </li>
        ))}
      </ul>
    </details>
  );
}

interface PathsProps {
  label: string;
  sign: string;
  paths: readonly string[];
  /** What a file shows when it is opened. */
  children?: (path: string) => React.ReactNode;
}

function Path({ sign, path }: { sign: string; path: string }) {
  return (
    <code>
      {sign} <bdi>{path}</bdi>
    </code>
  );
}

/** Details whose content is made only when they are open. */
function Opened({
  summary,
  children,
}: {
  summary: React.ReactNode;
  children: () => React.ReactNode;
}) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{summary}</summary>
      {isOpen && <Suspense fallback={<Skeleton lines={2} />}>{children()}</Suspense>}
    </details>
  );
}
