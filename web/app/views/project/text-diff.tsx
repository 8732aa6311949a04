import { QueryState } from '../../../ui/query-state.tsx';
import { useOperation } from '../../api/account.ts';
import { texts } from '../../texts/en.ts';
import { type ComparedLine, compareLines } from '../../texts/line-diff.ts';

const t = texts.versions;

/** Lines that are shown of one file. */
const maxShown = 500;

/** What changed in a text file from one version to another, line by line. */
export function TextDiff({ projectId, path, from, to }: TextDiffProps) {
  const was = useOperation('readFileTexts', { projectId, paths: [path], version: from });
  const is = useOperation('readFileTexts', { projectId, paths: [path], version: to });
  return (
    <QueryState query={was} lines={2}>
      {(before) => (
        <QueryState query={is} lines={2}>
          {(after) => <Lines parts={compare(before.files[0]?.text, after.files[0]?.text)} />}
        </QueryState>
      )}
    </QueryState>
  );
}

interface TextDiffProps {
  projectId: string;
  path: string;
  from: number;
  to: number;
}

function compare(was: string | undefined, is: string | undefined) {
  return was === undefined || is === undefined ? undefined : compareLines(was, is);
}

function Lines({ parts }: { parts: ComparedLine[][] | undefined }) {
  if (parts === undefined) return <p className="hint">{t.notCompared}</p>;
  const lines = parts.flatMap((part, index) => (index === 0 ? part : [undefined, ...part]));
  if (lines.length === 0) return <p className="hint">{t.sameLines}</p>;
  return (
    <pre className="lines" tabIndex={0}>
      {lines.slice(0, maxShown).map((line, index) => (
        <Line key={index} line={line} />
      ))}
      {lines.length > maxShown && <span>{t.moreLines(lines.length - maxShown)}</span>}
    </pre>
  );
}

/** A line; without one, the gap between two parts. */
function Line({ line }: { line: ComparedLine | undefined }) {
  if (line === undefined) return <span>⋯</span>;
  const text = `${line.sign} ${line.text}`;
  if (line.sign === '+') return <ins>{text}</ins>;
  return line.sign === '-' ? <del>{text}</del> : <span>{text}</span>;
}
