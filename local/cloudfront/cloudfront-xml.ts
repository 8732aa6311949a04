import { randomUUID } from 'node:crypto';
import type { ServiceAnswer } from '../http/service-server.ts';

/** An answer of CloudFront's control plane. */
export function xml(status: number, body: string): ServiceAnswer {
  return { status, headers: { 'content-type': 'text/xml' }, body };
}

/** A refusal as CloudFront writes it. */
export function refusal(status: number, code: string, message: string): ServiceAnswer {
  return xml(
    status,
    `<ErrorResponse><Error><Type>Sender</Type><Code>${code}</Code><Message>${message}</Message></Error><RequestId>${randomUUID()}</RequestId></ErrorResponse>`,
  );
}

/** Text as it stands in XML. */
export function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** What {@link escapeXml} was given. */
export function unescapeXml(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
}
