import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import type { AccountId, Instant } from '../../../contract/fields.ts';
import {
  type AccountRequests,
  CertificateLedger,
  certificateRefusal,
  type CertificateLimits,
  requestsOfYear,
  withAccountRequest,
  withRequest,
} from '../../../core/domains/certificate-budget.ts';
import type { StoredDomain } from '../../../core/domains/domain.ts';
import type { CountedCertificate } from '../../../core/domains/ports.ts';
import { instant, plusSeconds } from '../../../core/instants.ts';
import type { KeptCertificate } from '../../../core/ports.ts';
import { accountKey } from '../accounts/account-rows.ts';
import { dueShardOf } from '../projects/project-rows.ts';
import { findRow, partitionRows, readRow } from '../read-rows.ts';
import { writeTransaction } from '../transaction.ts';
import { exists, hasRevision, put, remove, update, write } from '../writes.ts';
import { changeUpdate } from './domain-updates.ts';

interface Tables {
  projects: string;
  accounts: string;
}

/** The key of a removed domain's certificate, by name; the index of due items includes its row. */
const keptCertificateKey = ({ name, arn }: KeptCertificate) => ({
  pk: `CERTIFICATE#${name}`,
  sk: `CERTIFICATE#${arn}`,
});

const ledgerKey = { pk: 'CERTIFICATES', sk: 'LEDGER' };

/** A seized certificate that is still in use is tried again after this. */
const againSeconds = 60;

/** Takes the certificate from a domain that is being removed, and keeps it for its name. */
export async function keepCertificate(
  client: DynamoDBDocumentClient,
  TableName: string,
  domain: StoredDomain,
  { arn, until: dueAt }: { arn: string; until: Instant },
): Promise<boolean> {
  const kept = { name: domain.name, arn };
  const Item = { ...keptCertificateKey(kept), dueAt, dueShard: dueShardOf(domain.id) };
  const unmet = await writeTransaction(client, [
    ['domain', changeUpdate(TableName, domain, { certificateArn: null })],
    ['kept', put(TableName, Item)],
  ]);
  return unmet.size === 0;
}

/** A certificate that is kept. */
export const KeptRow = z.object({ sk: z.string(), seizedAt: z.string().optional() });

/** Gives a domain a certificate that was kept for its name. */
export async function takeCertificate(
  client: DynamoDBDocumentClient,
  TableName: string,
  domain: StoredDomain,
  now: Date,
): Promise<'taken' | 'none' | 'lost'> {
  const { pk } = keptCertificateKey({ name: domain.name, arn: '' });
  const rows = await partitionRows(client, TableName, { pk });
  const found = z.array(KeptRow).parse(rows);
  const kept = found.find(({ seizedAt }) => seizedAt === undefined);
  if (kept === undefined) return 'none';
  const arn = kept.sk.replace(/^CERTIFICATE#/, '');
  const dueAt = instant(plusSeconds(now, 60));
  const change = { certificateArn: arn, certificateRefusal: null, dueAt };
  const isKept = { when: 'attribute_exists(pk) AND attribute_not_exists(seizedAt)' };
  const unmet = await writeTransaction(client, [
    ['domain', changeUpdate(TableName, domain, change)],
    ['kept', remove(TableName, keptCertificateKey({ name: domain.name, arn }), isKept)],
  ]);
  return unmet.size === 0 ? 'taken' : 'lost';
}

/** Whether a kept certificate is due; from then on no domain can get it. */
export function seizeCertificate(
  client: DynamoDBDocumentClient,
  TableName: string,
  kept: KeptCertificate,
  now: Date,
): Promise<boolean> {
  const seizure = update(TableName, keptCertificateKey(kept), {
    set: { seizedAt: instant(now), dueAt: instant(plusSeconds(now, againSeconds)) },
    when: 'attribute_exists(pk) AND dueAt <= :seizedAt',
  });
  return write(client, seizure);
}

/** Ends the time for which a certificate is kept. */
export async function releaseCertificate(
  client: DynamoDBDocumentClient,
  TableName: string,
  kept: KeptCertificate,
  now: Date,
): Promise<void> {
  const set = { dueAt: instant(now) };
  await write(client, update(TableName, keptCertificateKey(kept), { set, ...exists }));
}

/** Removes the row of a certificate that is deleted. */
export async function forgetCertificate(
  client: DynamoDBDocumentClient,
  TableName: string,
  kept: KeptCertificate,
): Promise<void> {
  await write(client, remove(TableName, keptCertificateKey(kept)));
}

/** The installation's requests of the last year. */
export async function readLedger(
  client: DynamoDBDocumentClient,
  TableName: string,
): Promise<CertificateLedger> {
  const found = await findRow(client, TableName, ledgerKey, (row) => CertificateLedger.parse(row));
  return found ?? { revision: 0, days: {} };
}

const RequestsOfAccount = z.object({
  certificateDay: z.string().default(''),
  certificatesOfDay: z.number().default(0),
  certificates: z.number().default(0),
});

async function readAccount(
  client: DynamoDBDocumentClient,
  table: string,
  id: AccountId,
): Promise<AccountRequests> {
  const row = await readRow(client, table, accountKey(id));
  const { certificateDay, certificatesOfDay, certificates } = RequestsOfAccount.parse(row ?? {});
  return { day: certificateDay, ofDay: certificatesOfDay, total: certificates };
}

/**
 * Counts the certificate of a domain's current round for its account, for the installation and on
 * the domain itself, in one transaction over the rows that were read. Of two concurrent calls one
 * fails as `lost`.
 */
export async function countCertificate(
  client: DynamoDBDocumentClient,
  { projects, accounts }: Tables,
  domain: StoredDomain,
  { limits, now }: { limits: CertificateLimits; now: Date },
): Promise<CountedCertificate> {
  const [account, ledger] = await Promise.all([
    readAccount(client, accounts, domain.accountId),
    readLedger(client, projects),
  ]);
  const used = requestsOfYear(ledger, now);
  const refusal = certificateRefusal({ account, ledger }, limits, now);
  if (refusal !== undefined) return { kind: 'refused', refusal, used };
  const change = { countedRound: domain.certificateRound, certificateRefusal: null };
  const unmet = await writeTransaction(client, [
    ['domain', changeUpdate(projects, domain, change)],
    ['account', countAccount(accounts, domain.accountId, { account, now })],
    [
      'ledger',
      put(projects, { ...ledgerKey, ...withRequest(ledger, now) }, hasRevision(ledger.revision)),
    ],
  ]);
  if (unmet.size > 0) return { kind: 'lost' };
  const counted = { ...domain, ...change, revision: domain.revision + 1 };
  return { kind: 'counted', domain: counted, used: used + 1 };
}

function countAccount(
  TableName: string,
  id: AccountId,
  { account, now }: { account: AccountRequests; now: Date },
) {
  const { day, ofDay, total } = withAccountRequest(account, now);
  const isFirst = account.total === 0;
  return update(TableName, accountKey(id), {
    set: { certificateDay: day, certificatesOfDay: ofDay, certificates: total },
    when: `attribute_exists(pk) AND ${
      isFirst ? 'attribute_not_exists(certificates)' : 'certificates = :before'
    }`,
    values: isFirst ? {} : { before: account.total },
  });
}
