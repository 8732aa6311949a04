import { Link } from '@tanstack/react-router';
import { MoreButton } from '../../ui/more-button.tsx';
import { QueryState } from '../../ui/query-state.tsx';
import { Rows } from '../../ui/rows.tsx';
import { Time } from '../../ui/time.tsx';
import { formatBytes } from '../../pages/parts/format.ts';
import { usePages } from '../api/use-pages.ts';
import { call } from '../api/call.ts';
import type { Output } from '../api/contract.ts';
import { uploadLinkTexts as t } from '../texts/en-links.ts';

type Sender = Output<'listSenders'>['senders'][number];

/** Who sent files by a link, and which. */
export function SenderList({ link }: { link: string }) {
  const query = usePages('listSenders', [link], (cursor, options) =>
    call('listSenders', { link, cursor }, options),
  );
  return (
    <div className="full">
      <QueryState query={query}>
        {({ pages }) => (
          <Rows items={pages.flatMap((page) => page.senders)} empty={t.noSenders}>
            {(sender) => <SenderRow key={sender.number} sender={sender} />}
          </Rows>
        )}
      </QueryState>
      <MoreButton query={query} label={t.more} />
    </div>
  );
}

function SenderRow({ sender }: { sender: Sender }) {
  const { number, senderName, senderEmail, receivedAt, files, fileCount, bytes } = sender;
  const { projectId } = sender;
  const name = senderName ?? senderEmail ?? t.someone(number);
  return (
    <li className="row wrap">
      <div className="row-main">
        <strong>
          <bdi>{name}</bdi>
        </strong>
        <span className="hint">
          {senderName !== null && senderEmail !== null && (
            <>
              <bdi>{senderEmail}</bdi> ·{' '}
            </>
          )}
          <Time at={receivedAt} /> · {t.files(fileCount, formatBytes(bytes))}
        </span>
        <span className="hint">
          <bdi>{files.map(({ path }) => path).join(', ')}</bdi>
          {fileCount > files.length && ` ${t.others(fileCount - files.length)}`}
        </span>
      </div>
      {projectId !== null && (
        <Link className="button quiet small" to="/projects/$projectId" params={{ projectId }}>
          {t.look}
        </Link>
      )}
    </li>
  );
}
