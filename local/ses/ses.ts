import { randomUUID } from 'node:crypto';
import type { Clock } from '../time/clock.ts';
import { arn } from '../assembly/resource-type.ts';
import { accessKeyIdOf } from '../iam/credential.ts';
import type { Iam } from '../iam/iam.ts';
import {
  type ServiceRequest,
  type ServiceServer,
  startServiceServer,
} from '../http/service-server.ts';
import { bareAddress, type Mail, type MailStore } from './mail-store.ts';

export interface SesOptions {
  clock: Clock;
  iam: Iam;
  store: MailStore;
  /** Domains and addresses that the templates verify. */
  identities: string[];
}

class SesError extends Error {
  readonly code: string;
  readonly status: number;

  constructor(code: string, message: string, status = 400) {
    super(message);
    this.code = code;
    this.status = status;
  }
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

const NAMESPACE = 'http://ses.amazonaws.com/doc/2010-12-01/';

function members(form: URLSearchParams, prefix: string): string[] {
  const start = `${prefix}.member.`;
  return [...form].filter(([name]) => name.startsWith(start)).map(([, value]) => value);
}

function mailOf(form: URLSearchParams): Omit<Mail, 'id' | 'sentAt'> {
  const field = (name: string) => form.get(name) ?? '';
  return {
    from: field('Source'),
    to: members(form, 'Destination.ToAddresses'),
    cc: members(form, 'Destination.CcAddresses'),
    bcc: members(form, 'Destination.BccAddresses'),
    replyTo: members(form, 'ReplyToAddresses'),
    subject: field('Message.Subject.Data'),
    text: field('Message.Body.Text.Data'),
    html: field('Message.Body.Html.Data'),
    raw: '',
  };
}

function header(head: string, name: string): string {
  const unfolded = head.replace(/\r?\n[ \t]+/g, ' ');
  return new RegExp(`^${name}:[ \\t]*(.*)$`, 'im').exec(unfolded)?.[1]?.trim() ?? '';
}

function addresses(list: string): string[] {
  return list
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '');
}

/** A raw message is kept whole; only what the inbox lists is read from its head. */
function rawMailOf(form: URLSearchParams): Omit<Mail, 'id' | 'sentAt'> {
  const raw = Buffer.from(form.get('RawMessage.Data') ?? '', 'base64').toString('utf8');
  const [head = ''] = raw.split(/\r?\n\r?\n/, 1);
  const named = members(form, 'Destinations');
  return {
    from: form.get('Source') ?? header(head, 'From'),
    to: named.length > 0 ? named : addresses(header(head, 'To')),
    cc: named.length > 0 ? [] : addresses(header(head, 'Cc')),
    bcc: [],
    replyTo: addresses(header(head, 'Reply-To')),
    subject: header(head, 'Subject'),
    text: '',
    html: '',
    raw,
  };
}

const ACTIONS: Record<string, (form: URLSearchParams) => Omit<Mail, 'id' | 'sentAt'>> = {
  SendEmail: mailOf,
  SendRawEmail: rawMailOf,
};

/** The verified identity that covers an address: itself, its domain, or a domain above. */
function identityOf(address: string, identities: string[]): string | undefined {
  const domain = address.slice(address.lastIndexOf('@') + 1);
  return identities.find(
    (identity) => identity === address || identity === domain || domain.endsWith(`.${identity}`),
  );
}

function send({ iam, identities, store, clock }: SesOptions, request: ServiceRequest): string {
  const form = new URLSearchParams(request.body.toString('utf8'));
  const action = form.get('Action') ?? '';
  const read = ACTIONS[action];
  if (read === undefined) {
    throw new SesError('InvalidAction', `The local SES has no action ${action}.`);
  }
  const accessKeyId = accessKeyIdOf(request.headers['authorization']) ?? '';
  if (iam.secretFor(accessKeyId) === undefined) {
    throw new SesError(
      'InvalidClientTokenId',
      'The security token included in the request is invalid.',
      403,
    );
  }
  const mail = read(form);
  const from = bareAddress(mail.from);
  const identity = identityOf(from, identities);
  const resource = arn('ses', `identity/${identity ?? from}`);
  const context = { 'ses:fromaddress': from };
  if (!iam.allows({ accessKeyId, action: `ses:${action}`, resource, context })) {
    throw new SesError(
      'AccessDenied',
      `User \`${iam.callerArn(accessKeyId)}' is not authorized to perform \`ses:${action}' on resource \`${resource}'`,
      403,
    );
  }
  if (identity === undefined) {
    throw new SesError(
      'MessageRejected',
      `Email address is not verified. The following identities failed the check in region US-EAST-1: ${from}`,
    );
  }
  if ([...mail.to, ...mail.cc, ...mail.bcc].length === 0) {
    throw new SesError('InvalidParameterValue', 'Missing final recipient.');
  }
  const id = randomUUID();
  store.add({ ...mail, id, sentAt: clock.now().toISOString() });
  return `<${action}Response xmlns="${NAMESPACE}"><${action}Result><MessageId>${id}</MessageId></${action}Result><ResponseMetadata><RequestId>${randomUUID()}</RequestId></ResponseMetadata></${action}Response>`;
}

/** SES as functions call it (version 1, Query protocol): every mail ends in the store. */
export function startSes(options: SesOptions): Promise<ServiceServer> {
  const headers = { 'content-type': 'text/xml' };
  return startServiceServer(async (request) => {
    try {
      return { status: 200, headers, body: send(options, request) };
    } catch (error) {
      if (!(error instanceof SesError)) throw error;
      const { code, status, message } = error;
      const body = `<ErrorResponse xmlns="${NAMESPACE}"><Error><Type>Sender</Type><Code>${code}</Code><Message>${escapeXml(message)}</Message></Error><RequestId>${randomUUID()}</RequestId></ErrorResponse>`;
      return { status, headers, body };
    }
  });
}
