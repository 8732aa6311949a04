import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import * as z from 'zod';
import { ListedKey } from '../../adapters/dynamodb/accounts/key-table.ts';
import { PlanCheckRow, PlanTimeRow } from '../../adapters/dynamodb/accounts/plan-check-table.ts';
import { ListedSession } from '../../adapters/dynamodb/accounts/session-table.ts';
import { EventTimes } from '../../adapters/dynamodb/event-times.ts';
import { KeptRow } from '../../adapters/dynamodb/domains/certificate-rows.ts';
import { RootRow } from '../../adapters/dynamodb/domains/domain-roots.ts';
import { BlockRow } from '../../adapters/dynamodb/hits/hit-blocks.ts';
import { RollupRow } from '../../adapters/dynamodb/hits/hit-rollups.ts';
import { LinkOpensRow } from '../../adapters/dynamodb/hits/link-opens.ts';
import { DayRow } from '../../adapters/dynamodb/hits/network-days.ts';
import { TotalRow } from '../../adapters/dynamodb/hits/project-counts.ts';
import { SharedDaysRow } from '../../adapters/dynamodb/hits/shared-network-days.ts';
import { Marks, MonthRow } from '../../adapters/dynamodb/hits/visit-months.ts';
import { ResponseRow } from '../../adapters/dynamodb/idempotency-table.ts';
import { rowParser } from '../../adapters/dynamodb/null-fields.ts';
import { ErasureRow } from '../../adapters/dynamodb/projects/dropped-versions.ts';
import { OwnerLinkRow } from '../../adapters/dynamodb/projects/owner-access-table.ts';
import { ClaimRow, IntentRow } from '../../adapters/dynamodb/projects/project-rows.ts';
import { NoticeRow } from '../../adapters/dynamodb/projects/mail-notices.ts';
import { PurgeRow } from '../../adapters/dynamodb/projects/purge-rows.ts';
import { ListedRow } from '../../adapters/dynamodb/uploads/upload-link-rows.ts';
import { WrongTryRow } from '../../adapters/dynamodb/visitor-tries/wrong-try-table.ts';
import { AbuseReport, ReportedProject } from '../../core/abuse/abuse-reports.ts';
import { ReceivedUpload } from '../../contract/file-request.ts';
import { Account } from '../../core/accounts/account.ts';
import { EmailChange } from '../../core/accounts/email-change/email-change.ts';
import { StoredKey } from '../../core/accounts/keys/api-key.ts';
import { TrustedPublisher } from '../../core/accounts/publishers/trusted-publisher.ts';
import { StoredSession } from '../../core/accounts/sessions/stored-session.ts';
import { Invitation } from '../../core/accounts/sign-in/invitation.ts';
import { SignInRecord } from '../../core/accounts/sign-in/sign-in-code.ts';
import { CertificateLedger } from '../../core/domains/certificate-budget.ts';
import { StoredDomain } from '../../core/domains/domain.ts';
import { ZoneClaims } from '../../core/domains/zone-claims.ts';
import { DocumentClient, RegisteredClient } from '../../core/oauth/clients/client.ts';
import { DeviceAuthorization } from '../../core/oauth/device/waiting-device.ts';
import { Grant } from '../../core/oauth/grant.ts';
import { AccessToken, AuthorizationCode, RefreshToken } from '../../core/oauth/tokens/tokens.ts';
import { FormerAddress, Project } from '../../core/projects/project.ts';
import { Version } from '../../core/projects/version.ts';
import { LargeUpload } from '../../core/uploads/upload.ts';
import { UploadLink } from '../../core/upload-links/upload-link.ts';
import { PeopleList } from '../../core/people/people-list.ts';
import { Visitor } from '../../core/people/visitor.ts';
import { LaneRow } from '../../adapters/dynamodb/webhooks/delivery-table.ts';
import { WebhooksRow } from '../../adapters/dynamodb/webhooks/webhook-table.ts';
import { Delivery } from '../../core/webhooks/delivery.ts';
import { ShareLink } from '../../core/share-links/share-link.ts';
import { ServingRecord } from '../../core/visit/serving-record.ts';
import { Workspace } from '../../core/workspaces/workspace.ts';

type Schema = z.core.$ZodObject;
/** The schema of a row, and the fields that only its writer or a condition uses. */
type Row = readonly [Schema, ...string[]];

const keysOnly = z.object({});
const events: Row = [z.object({ events: z.number() })];
const log: Row = [EventTimes];
const tries: Row = [z.object({ p0: z.number(), running: z.number() }), 'p20', 'lastWaitedAt'];
const due = ['dueAt', 'dueShard'];
const owned = ['ownerState', 'listedAt'];
const several = (count: number, row: Row) => Array.from({ length: count }, () => row);

/** The rows of each section, in the order of its table. */
const rows: Record<string, readonly Row[]> = {
  'sites: which site a host serves': [[ServingRecord], [FormerAddress, 'host'], [RootRow, 'host']],
  'projects: projects and what belongs to them': [
    [Project, ...owned],
    [Project, ...due, 'importing'],
    [Version],
    [Version, 'projectId', ...due],
    [ErasureRow, 'projectId', ...due],
    [IntentRow.def.in, 'dueShard'],
    [IntentRow.def.in, 'dueShard'],
    [LargeUpload, 'stagedBytes', ...due],
    [PurgeRow, 'projectId', ...due],
    [NoticeRow, ...due],
    [keysOnly, ...due],
    [ClaimRow],
    [UploadLink, 'taken'],
    [ListedRow],
    [ReceivedUpload, 'mailsReceipt'],
    [NoticeRow, ...due],
    [ShareLink],
    [z.object({ links: z.number() })],
    [PeopleList],
    [Visitor],
    [LaneRow, ...due],
    [Delivery],
    [Delivery],
    [ReportedProject, ...owned],
    [AbuseReport],
    [ReportedProject, ...owned],
  ],
  'counters: rate limits and repeated requests': [
    ...several(30, events),
    ...several(10, log),
    ...several(8, events),
    log,
    ...several(5, tries),
    [WrongTryRow],
    ...several(6, log),
    [z.object({ tails: z.set(z.string()) })],
    [ResponseRow, 'holder', 'endsAt'],
  ],
  'codes: pending sign-in codes': [[SignInRecord, 'revision'], [EmailChange]],
  'projects: custom domains': [
    [StoredDomain, 'dueShard', ...owned],
    [KeptRow, ...due],
    [CertificateLedger],
    [ZoneClaims],
  ],
  'accounts: accounts, their keys, sessions and workspaces': [
    [
      Account,
      'earlierBytes',
      'stagedBytes',
      'keyCount',
      'publisherCount',
      'workspaceCount',
      'projectsTold',
      'storageTold',
    ],
    [z.object({ accountId: z.string() })],
    [z.object({ accountId: z.string() })],
    [Invitation],
    [StoredKey],
    [ListedKey],
    [TrustedPublisher],
    [z.object({ id: z.string() })],
    [OwnerLinkRow],
    [Workspace],
    [WebhooksRow],
    [PlanCheckRow],
    [EventTimes],
    [PlanTimeRow],
    [StoredSession],
    [ListedSession],
    [z.object({ signedInAt: z.string(), expiresAt: z.string() })],
  ],
  'oauth: connected apps, their codes and tokens': [
    [RegisteredClient],
    [DocumentClient],
    [AuthorizationCode],
    [DeviceAuthorization],
    [Grant],
    [AccessToken],
    [RefreshToken],
    [keysOnly],
  ],
  'analytics: visits and opens': [
    [BlockRow, 'v5'],
    [BlockRow, 'o5'],
    [RollupRow, 'lv725'],
    [TotalRow, 'c_NO'],
    [LinkOpensRow],
    [SharedDaysRow],
    [DayRow, 's12-3f2a9c1e'],
    [SharedDaysRow],
    [MonthRow],
    [MonthRow],
    [Marks],
  ],
};

const [, dynamo = ''] = readFileSync('docs/storage.md', 'utf8').split('\n## ');
const sections = dynamo
  .split('\n### ')
  .slice(1)
  .map((text) => ({ title: (text.split('\n')[0] ?? '').replaceAll('`', ''), text }));

test('lists every section with rows', () => {
  expect(sections.map(({ title }) => title)).toEqual(Object.keys(rows));
});

describe.each(sections)('docs/storage.md, $title', ({ title, text }) => {
  const samples = samplesOf(text);

  test('each key has one sample', () => {
    const keys = documentedKeys(text);
    expect(samples.map(keyOf)).toEqual(keys.map((key) => expect.stringMatching(key)));
  });

  test('each sample is as its schema says, and has no field that is gone', () => {
    const schemas = rows[title] ?? [];
    expect(samples).toHaveLength(schemas.length);
    const unknown = samples.flatMap((sample, at) => {
      const [schema = keysOnly, ...others] = schemas[at] ?? [];
      rowParser(schema)(asStored(sample));
      const fields = Object.keys(schema._zod.def.shape);
      const known = new Set(['pk', 'sk', 'key', 'ttl', ...others, ...fields]);
      return Object.keys(sample).filter((field) => !known.has(field));
    });
    expect(unknown).toEqual([]);
  });
});

function samplesOf(section: string): Record<string, unknown>[] {
  const [, text = '[]'] = /```json\n(.*?)\n```/s.exec(section) ?? [];
  return z.array(z.record(z.string(), z.unknown())).parse(JSON.parse(text));
}

/** The key of a sample as one text. A project's row has a host too, which is no key. */
function keyOf({ pk, sk, key, host }: Record<string, unknown>): string {
  return pk === undefined ? String(key ?? host) : `${String(pk)} ${String(sk)}`;
}

/** Patterns of the keys that a section's first table names. "The same" is the key of the row above. */
function documentedKeys(section: string): RegExp[] {
  const [head = '', , ...lines] =
    section
      .slice(section.indexOf('\n|') + 1)
      .split('\n\n')[0]
      ?.split('\n') ?? [];
  const columns = head.split('|').filter((cell) => /`(pk|sk|key)`|Key/.test(cell)).length;
  const before: string[] = [];
  return lines.map((line) => {
    const cells = line.split(' | ').slice(0, columns);
    cells.forEach((cell, column) => {
      const codes = [...cell.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code);
      const named = codes.filter((code) => !['host', 'client_id'].includes(code));
      if (named.length > 0) before[column] = named.map(patternOf).join('|');
    });
    return new RegExp(`^${before.map((pattern) => `(?:${pattern})`).join(' ')}$`);
  });
}

function patternOf(code: string): string {
  return code
    .split(/<[^>]*>|…/)
    .map((text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    .join('.+');
}

/** A sample as DynamoDB gives it: bytes are bytes, and a set is a set. */
function asStored(sample: Record<string, unknown>): Record<string, unknown> {
  const binary = ['manifest', 'rules', 'hits', 'networks', 'counts', 'sealed'];
  return Object.fromEntries(
    Object.entries(sample).map(([name, value]) => {
      if (binary.includes(name)) return [name, Buffer.from(String(value), 'base64')];
      return [
        name,
        ['packs', 'tails'].includes(name) ? new Set(z.array(z.string()).parse(value)) : value,
      ];
    }),
  );
}
