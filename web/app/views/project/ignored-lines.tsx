import type { Output } from '../../api/contract.ts';
import { texts } from '../../texts/en.ts';

type Warnings = NonNullable<Output<'createProject'>['warnings']>;

/** What was noticed when a version was published. */
export function IgnoredLines({ warnings }: { warnings: Warnings }) {
  return (
    <details className="full">
      <summary>{texts.versions.warnings}</summary>
      <ul>
        {warnings.map((warning) => (
          <li key={JSON.stringify(warning)}>
            {'file' in warning && (
              <code>
                {warning.file}
                {'line' in warning && `:${warning.line}`}
              </code>
            )}{' '}
            <bdi>{warning.message}</bdi>
          </li>
        ))}
      </ul>
    </details>
  );
}
