import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { backOff } from '../../../core/back-off.ts';
import { instant, plusSeconds } from '../../../core/instants.ts';
import {
  isRepeated,
  linkState,
  PressId,
  repeatSeconds,
  type ShareLink,
  type ShareLinkOpens,
} from '../../../core/share-links/share-link.ts';
import { projectEvents } from '../../../core/webhooks/change-events.ts';
import { documentItems } from '../document-client.ts';
import { readRow } from '../read-rows.ts';
import { type EventTables, writeWithEvents } from '../webhooks/delivery-table.ts';
import { metaKey } from './project-keys.ts';
import { parseProjectRow } from './project-rows.ts';
import { shareLinkKey, shareLinkReader } from './share-link-row.ts';

/** Each further try follows a change of the link by somebody else. */
const maxTries = 40;

/**
 * Uses up opens of share links. The last open of a link is another write than those before it, because it causes an
 * event. Which one it is follows from the link that was read; if that has changed, it is read again.
 */
export function shareLinkOpens(
  client: DynamoDBDocumentClient,
  tables: EventTables,
): ShareLinkOpens {
  const find = shareLinkReader(documentItems(client), tables.projects);
  return {
    find,
    async useOpen({ projectId, id, ...known }, press, now) {
      let link: ShareLink | undefined = { projectId, id, ...known };
      for (let tries = 1; link !== undefined; tries += 1) {
        const { maxOpens } = link;
        const mayOpen = linkState(link, now) === 'active' && !isRepeated(link, press, now);
        if (maxOpens === null || !mayOpen) return false;
        const open = { link, maxOpens, press, now };
        const events = isLast(open) ? await exhaustion(client, tables.projects, open) : [];
        const change = { Update: openUpdate(tables.projects, open) };
        if (await writeWithEvents(client, tables, change, events)) return true;
        if (tries >= maxTries) throw new Error(`a share link changed ${maxTries} times`);
        if (tries > 1) await backOff(tries);
        link = await find(projectId, id);
      }
      return false;
    },
  };
}

/** One open of a link that had opens left when it was read. */
interface OneOpen {
  link: ShareLink;
  maxOpens: number;
  press: PressId;
  now: Date;
}

function isLast({ link, maxOpens }: OneOpen): boolean {
  return link.usedOpens === maxOpens - 1;
}

async function exhaustion(
  client: DynamoDBDocumentClient,
  table: string,
  { link, maxOpens, now }: OneOpen,
) {
  const row = await readRow(client, table, metaKey(link.projectId));
  if (row === undefined) return [];
  const event = { type: 'link.exhausted', at: instant(now) } as const;
  const named = { id: link.id, name: link.name };
  return projectEvents(parseProjectRow(row), event, { link: named, opens: maxOpens });
}

/** Keeps the row small where many open a link at once: then a second press may count as another open. */
const maxPresses = 200;
/** The most that one update forgets; an expression has up to 4 kB (Amazon DynamoDB quotas). */
const maxForgotten = 100;

function openUpdate(TableName: string, open: OneOpen) {
  const { link, maxOpens, press, now } = open;
  const { projectId, id, presses } = link;
  const recorded = Object.keys(presses);
  const old = recorded
    .filter((one) => one !== press && !isRepeated(link, PressId.parse(one), now))
    .slice(0, maxForgotten);
  const records = recorded.length - old.length < maxPresses;
  const removed = old.map((_, at) => `presses.#old${at}`);
  return {
    TableName,
    Key: shareLinkKey(projectId, id),
    UpdateExpression: [
      'ADD usedOpens :one',
      ...(records ? ['SET presses.#press = :now'] : []),
      ...(removed.length > 0 ? [`REMOVE ${removed.join(', ')}`] : []),
    ].join(' '),
    ConditionExpression:
      `${isLast(open) ? 'usedOpens = :last AND maxOpens = :most' : 'usedOpens < :last AND maxOpens >= :most'} AND (attribute_not_exists(expiresAt) OR expiresAt > :now)` +
      ' AND (attribute_not_exists(presses.#press) OR presses.#press <= :repeated)',
    ExpressionAttributeNames: {
      '#press': press,
      ...Object.fromEntries(old.map((one, at) => [`#old${at}`, one])),
    },
    ExpressionAttributeValues: {
      ':one': 1,
      ':last': maxOpens - 1,
      ':most': maxOpens,
      ':now': instant(now),
      ':repeated': instant(plusSeconds(now, -repeatSeconds)),
    },
  };
}
