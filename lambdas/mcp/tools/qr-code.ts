import type { AccountCaller } from '../../../core/caller.ts';
import { getProject } from '../../../core/projects/get-project.ts';
import { qrCode } from '../../../core/projects/qr-code.ts';
import { setting } from '../../runtime/settings.ts';
import { services } from '../services.ts';

const pixels = 512;

/** The address of the caller's project as a picture. */
export async function qrCodeOf(caller: AccountCaller, input: { projectId: string }) {
  const { id, url } = await getProject(services(), caller, input);
  const { content } = await qrCode(services(), { file: `${id}.png`, size: pixels });
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
