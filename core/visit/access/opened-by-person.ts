import { classifyAgent } from '../../analytics/classify-agent.ts';

/** Programs that open links without a person; they do not press the button of the page. */
const linkScanners = new Set(['preview', 'mail_scanner', 'ai']);

/**
 * Whether a person seems to have opened a link that works once: the request is not from a link
 * preview, a mail scanner or an AI fetcher, and not a prefetch.
 * @param headers names in lower case
 */
export function isOpenedByPerson(headers: Record<string, string | undefined>): boolean {
  const { purpose, 'sec-purpose': secPurpose, 'x-purpose': xPurpose, 'x-moz': xMoz } = headers;
  if (
    [purpose, secPurpose, xPurpose, xMoz].some((value) =>
      /prefetch|prerender|preview/i.test(value ?? ''),
    )
  ) {
    return false;
  }
  if ((headers['sec-fetch-mode'] ?? 'navigate') !== 'navigate') return false;
  return !linkScanners.has(classifyAgent({ userAgent: headers['user-agent'] ?? '' }));
}

/** The same for a link whose opens count: bots that say so are no people either. */
export function isPerson(headers: Record<string, string | undefined>): boolean {
  const agent = classifyAgent({ userAgent: headers['user-agent'] ?? '' });
  return agent === 'person' && isOpenedByPerson(headers);
}
