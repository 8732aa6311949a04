import type { AccountCaller } from '../../../core/caller.ts';
import { CodedError } from '../../../core/errors.ts';
import { getProject } from '../../../core/projects/get-project.ts';
import { qrCode } from '../../../core/projects/addresses/qr-code.ts';
import { setting } from '../../shared/settings.ts';
import { qrCodeServices, services } from '../services.ts';

const pixels = 512;

/** The address of the caller's project as a picture. */
export async function qrCodeOf(caller: AccountCaller, input: { projectId: string }) {
  const { id, url, status } = await getProject(services(), caller, input);
  if (status !== 'public') throw notLive(status);
  const { content } = await qrCode(qrCodeServices(), { file: `${id}.png`, size: pixels });
  const at = `${setting('BASE_URL')}/qr/${id}`;
  const svgUrl = `${at}.svg`;
  return {
    output: { projectId: id, url, svgUrl, pngUrl: `${at}.png` },
    text: `${svgUrl}\nQR code of ${url}: the picture here is a PNG, the URL above an SVG.`,
    more: [
      {
        type: 'image' as const,
        data: Buffer.from(content).toString('base64'),
        mimeType: 'image/png',
      },
    ],
  };
}

/** The caller owns it, so that they may learn why. */
function notLive(status: string): CodedError {
  return new CodedError('NOT_FOUND', {
    error: `The project is ${status}, so that visitors do not find it and it has no QR code.`,
    nextStep:
      'See get_project. A private project is published with update_project_settings and `status` `public`.',
  });
}
