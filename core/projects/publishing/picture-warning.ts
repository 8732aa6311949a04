import type { PictureWarning } from '../../../contract/fields.ts';
import { quoted } from '../../content/safe-path.ts';
import type { RemotePicture } from '../../content/links/collect-pictures.ts';

const namedPictures = 20;
const namedInMessage = 3;
const maxLength = 200;

/**
 * The warning about pictures that a version's texts show from other sites and that it does not have; none if there are
 * none.
 * @param tried how many were to be taken along; `undefined` if nobody wanted that
 */
export function pictureWarning(
  left: readonly (RemotePicture & { reason?: string })[],
  tried?: number,
): PictureWarning[] {
  const count = left.length;
  if (count === 0) return [];
  const pictures = left.slice(0, namedPictures).map(({ path, address, ...reason }) => ({
    path: shortened(path),
    address: shortened(address),
    ...reason,
  }));
  const names = pictures
    .slice(0, namedInMessage)
    .map(({ address, reason }) => quoted(address) + (reason === undefined ? '' : ` (${reason})`));
  const more = count > namedInMessage ? ` and ${count - namedInMessage} more` : '';
  const message = `${said(count, tried)}: ${names.join(', ')}${more}.`;
  const next =
    'With an account, `takePictures: true` of the REST API, `--take-pictures` of the command line, or the web app takes them along.';
  return [
    {
      kind: 'remote-pictures',
      count,
      pictures,
      message: tried === undefined ? `${message} ${next}` : message,
    },
  ];
}

function said(count: number, tried: number | undefined): string {
  if (tried !== undefined) {
    const noun = tried === 1 ? 'picture' : 'pictures';
    return `${count} of ${tried} ${noun} on other sites could not be taken along`;
  }
  return count === 1
    ? '1 picture is on another site and is not shown'
    : `${count} pictures are on other sites and are not shown`;
}

function shortened(text: string): string {
  return text.length > maxLength ? `${text.slice(0, maxLength)}…` : text;
}
