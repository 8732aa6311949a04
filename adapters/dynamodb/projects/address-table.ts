import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import {
  type AddressHolder,
  type AvailableAddress,
  addressAvailability,
  type Claimant,
} from '../../../core/projects/addresses/address.ts';
import type { LeftAddress, Project } from '../../../core/projects/project.ts';
import { temporarySlugParts } from '../../../core/projects/addresses/slugs.ts';
import { issuedSlugsKey, leftRow, readAddressHolder } from './project-rows.ts';
import { readRow } from '../read-rows.ts';

/** Who has an address, as it is now. */
export async function readHolder(
  client: DynamoDBDocumentClient,
  sitesTable: string,
  host: string,
): Promise<AddressHolder> {
  return readAddressHolder(await readRow(client, sitesTable, { host }));
}

/** Each try loses only to somebody else who takes the same address, or leaves it. */
const tries = 3;

/**
 * Takes an address for somebody, if it may be taken, exactly as it was when that was decided.
 * @param write writes over this holder and nothing else; `address-changed` when there is another one
 */
export async function takeAddress<T>(
  { client, sitesTable }: { client: DynamoDBDocumentClient; sitesTable: string },
  { host, claimant, now }: { host: string; claimant: Claimant; now: Date },
  write: (address: AvailableAddress) => Promise<T | 'address-changed'>,
): Promise<T | 'slug-taken' | 'slug-reserved'> {
  for (let count = 1; count <= tries; count += 1) {
    const holder = await readHolder(client, sitesTable, host);
    const found = addressAvailability(holder, claimant, now);
    if (found.kind !== 'available') return found.kind === 'taken' ? 'slug-taken' : 'slug-reserved';
    const outcome = await write(found);
    if (outcome !== 'address-changed') return outcome;
  }
  return 'slug-taken';
}

/** Only over an address as it was read: one that nobody ever had, or this reservation. */
export function ifStillLeft(holder: LeftAddress | undefined) {
  if (holder === undefined) {
    return {
      ConditionExpression: 'attribute_not_exists(#host)',
      ExpressionAttributeNames: { '#host': 'host' },
    };
  }
  return {
    ConditionExpression: 'attribute_not_exists(projectId) AND heldUntil = :heldUntil',
    ExpressionAttributeValues: { ':heldUntil': holder.heldUntil },
  };
}

/** Leaves an address: to whom it is kept for, or to everybody. */
export function leaveAddress(
  TableName: string,
  { host, left }: { host: string; left: LeftAddress | undefined },
  condition: { ConditionExpression: string; ExpressionAttributeValues: Record<string, unknown> },
) {
  return left === undefined
    ? { Delete: { TableName, Key: { host }, ...condition } }
    : { Put: { TableName, Item: leftRow(host, left), ...condition } };
}

/**
 * Gives out a temporary slug, for good; its condition fails where it was given out before. Nothing
 * for a slug of another shape. There are as many rows as pairs of words.
 */
export function issueSlugParts(TableName: string, { slug }: Pick<Project, 'slug'>) {
  const parts = temporarySlugParts(slug);
  if (parts === undefined) return [];
  const part = {
    Update: {
      TableName,
      Key: issuedSlugsKey(parts.words),
      UpdateExpression: 'ADD tails :tails',
      ConditionExpression: 'NOT contains(tails, :tail)',
      ExpressionAttributeValues: { ':tails': new Set([parts.tail]), ':tail': parts.tail },
    },
  };
  return [['issued', part] as const];
}
