import { classify } from '../../analytics/classify.ts';

/** Who opens a link for somebody else, and does not press the button of its page. */
const messengers = new Set(['preview', 'mail_scanner', 'ai']);

/**
 * Whether a link that works once is opened by whoever is to have what it gives, as far as its
 * request tells: not by a link preview, a mail scanner, an AI fetcher, and not ahead of time.
 * @param headers names in lower case
 */
export function isOpenedByItsHolder(headers: Record<string, string | undefined>): boolean {
  const { purpose, 'sec-purpose': secPurpose, 'x-purpose': xPurpose, 'x-moz': xMoz } = headers;
  if (
    [purpose, secPurpose, xPurpose, xMoz].some((said) =>
      /prefetch|prerender|preview/i.test(said ?? ''),
    )
  ) {
    return false;
  }
  if ((headers['sec-fetch-mode'] ?? 'navigate') !== 'navigate') return false;
  return !messengers.has(classify({ userAgent: headers['user-agent'] ?? '' }));
}
