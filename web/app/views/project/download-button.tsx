import { Button } from '../../../ui/button.tsx';
import { ErrorNote } from '../../../ui/error-note.tsx';
import { useChange } from '../../api/account.ts';

/** Downloads a file, or all files as a ZIP. A link is asked for when it is used: it works for minutes. */
export function DownloadButton({ projectId, path, version, label, of = label }: DownloadProps) {
  const link = useChange('createFileLink', [], ({ url }) => location.assign(url));
  return (
    <>
      <Button
        aria-label={of}
        disabled={link.isPending}
        onClick={() => link.mutate({ projectId, path, version })}
      >
        {label}
      </Button>
      {link.error && <ErrorNote error={link.error} />}
    </>
  );
}

interface DownloadProps {
  projectId: string;
  /** Absent for all files. */
  path?: string;
  /** Absent for the live version. */
  version?: number;
  label: string;
  /** The label for who cannot see what the button is beside. */
  of?: string;
}
