import { randomUUID } from 'node:crypto';
import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { accountAdmin } from '../../../adapters/dynamodb/accounts/account-admin.ts';
import { accountRemoval } from '../../../adapters/dynamodb/accounts/account-closing.ts';
import { uploadLinkTable } from '../../../adapters/dynamodb/uploads/upload-link-table.ts';
import { deliveryTable } from '../../../adapters/dynamodb/webhooks/delivery-table.ts';
import { webhookTable } from '../../../adapters/dynamodb/webhooks/webhook-table.ts';
import { closedAccountDays } from '../../../contract/limits.ts';
import { WebhookId } from '../../../contract/operations/webhooks.ts';
import { closeAccount, reopenAccount } from '../../../core/accounts/closing/close-account.ts';
import { settleClosing } from '../../../core/accounts/closing/settle-closing.ts';
import { requireActive } from '../../../core/accounts/suspension.ts';
import {
  suspendAccount,
  unsuspendAccount,
} from '../../../core/projects/moderation/suspend-account.ts';
import { newDelivery } from '../../../core/webhooks/delivery.ts';
import { archiveProject } from '../../../core/projects/settings/archive-project.ts';
import { localStores, tables } from '../../fixtures/clouds/local-stores.ts';
import { OwnerWorld } from '../../fixtures/accounts/owner-world.ts';
import { anArrival, anUploadLink } from '../../fixtures/uploads/memory-upload-links.ts';
import { anEvent, aWebhook } from '../../fixtures/webhooks/memory-webhooks.ts';

let stores: Awaited<ReturnType<typeof localStores>>;
beforeAll(async () => {
  stores = await localStores();
});
afterAll(() => stores.close());

const page = { 'index.html': '<h1>Tides</h1>' };
const dayMs = 86_400_000;

const others = () => ({
  links: uploadLinkTable(stores.client, tables.projects),
  webhooks: webhookTable(stores.client, tables.accounts),
  deliveries: deliveryTable(stores.client, tables.projects),
});

/** An account that its owner closes, with what maintenance does about it. */
class World extends OwnerWorld {
  readonly removed: string[] = [];
  readonly mailed: unknown[] = [];

  get ownDeps() {
    const closingNotifier = {
      sendClosed: async (...mail: unknown[]) => void this.mailed.push(mail),
    };
    return { ...this.deps, closingNotifier, onFailure: () => undefined };
  }

  get closing() {
    const list = (kind: string) => ({
      list: async () => [{ id: kind, accountId: this.caller.account.id }],
      remove: async () => this.removed.push(kind) > 0,
    });
    const removal = accountRemoval(stores.client, tables.accounts);
    const [keys, publishers] = [list('key'), list('publisher')];
    const [sessions, grants] = [list('session'), list('grant')];
    const domainDeps = { domains: { list: async () => [] } };
    const known = { ...this.deps, ...others(), removal, domainDeps };
    const all: unknown = { ...known, keys, publishers, sessions, grants };
    return all as Parameters<typeof settleClosing>[0];
  }

  close = () => closeAccount(this.ownDeps, this.caller, { confirm: this.caller.account.email });
  account = () => this.deps.accounts.get(this.caller.account.id);

  async reopen() {
    const account = await this.account();
    if (account === undefined) throw new Error('there is no such account');
    return reopenAccount(this.deps, account, this.now);
  }

  /** What maintenance does now. Returns whether the closing concerned it. */
  async settle(isLate = () => false): Promise<boolean> {
    let settled = false;
    for await (const time of this.deps.history.dueChecks(this.now)) {
      if (time.accountId !== this.caller.account.id) continue;
      settled = (await settleClosing(this.closing, time, { now: this.now, isLate })) || settled;
    }
    return settled;
  }

  pass = (days: number) => {
    this.now = new Date(this.now.getTime() + days * dayMs);
  };
}

const aWorld = () => new World(stores).open();

describe('an account that its owner deletes', () => {
  test('is refused at once, and its projects are offline after the next sweep', async () => {
    const world = await aWorld();
    const id = await world.publish(page);
    await expect(
      closeAccount(world.ownDeps, world.caller, { confirm: 'another@example.org' }),
    ).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
    expect(await world.close()).toMatchObject({ closed: true });
    expect(world.mailed).toEqual([
      [
        world.caller.account.email,
        expect.objectContaining({ restorableUntil: expect.any(String) }),
      ],
    ]);
    const account = await world.account();
    expect(() => account && requireActive(account)).toThrow('deleted by its owner');
    await expect(world.publish(page)).rejects.toMatchObject({ code: 'ACCOUNT_SUSPENDED' });
    await expect(world.close()).rejects.toMatchObject({ code: 'ACCOUNT_SUSPENDED' });
    expect((await world.shown(id)).takenDown).toBe(false);
    expect(await world.settle()).toBe(true);
    expect((await world.shown(id)).takenDown).toBe(true);
    expect(await world.settle()).toBe(false);
  });

  test('goes on five minutes later with projects that a run had no time for, those that people see first', async () => {
    const world = await aWorld();
    const [hidden, shown] = [await world.publish(page), await world.publish(page)];
    await archiveProject(world.deps, world.caller, { projectId: shown });
    const listed = await world.publish(page);
    await world.close();
    let begun = 0;
    expect(await world.settle(() => begun++ >= 2)).toBe(true);
    const isOffline = async (id: string) => (await world.project(id)).suspendedAt !== null;
    expect([await isOffline(listed), await isOffline(hidden), await isOffline(shown)]).toEqual([
      true,
      true,
      false,
    ]);
    // Others have their turn meanwhile.
    expect(await world.settle()).toBe(false);
    world.pass(5 / 1440);
    expect(await world.settle()).toBe(true);
    expect(await isOffline(shown)).toBe(true);
    expect(await world.settle()).toBe(false);
    world.pass(closedAccountDays);
    expect(await world.settle()).toBe(true);
  });

  test('is deleted three times in a day at most, because each deletion sends a mail', async () => {
    const world = await aWorld();
    for (let count = 1; count <= 3; count += 1) {
      await world.close();
      await world.reopen();
    }
    await expect(world.close()).rejects.toMatchObject({ code: 'RATE_LIMITED' });
    expect(world.mailed).toHaveLength(3);
    world.pass(1);
    await world.close();
  });

  test('is as before when its owner signs in again, with the lifetimes that were left', async () => {
    const world = await aWorld();
    const id = await world.publish(page, { expiresIn: '24h' });
    const before = await world.project(id);
    await world.close();
    await world.settle();
    world.pass(closedAccountDays - 1);
    expect(await world.reopen()).toMatchObject({ reopenedAt: expect.any(String) });
    await world.settle();
    const after = await world.project(id);
    expect((await world.shown(id)).takenDown).toBe(false);
    expect(after.suspendedAt).toBeNull();
    const moved = Date.parse(after.expiresAt ?? '') - Date.parse(before.expiresAt ?? '');
    expect(moved).toBe((closedAccountDays - 1) * dayMs);
    expect(await world.account()).not.toHaveProperty('reopenedAt');
    await world.publish(page);
  });

  test('is removed with everything after its time, and not before', async () => {
    const world = await aWorld();
    await world.publish(page);
    await world.close();
    await world.settle();
    world.pass(closedAccountDays - 1);
    expect(await world.settle()).toBe(false);
    world.pass(1);
    await expect(world.reopen()).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    expect(await world.settle()).toBe(true);
    expect(world.removed).toEqual(['key', 'publisher', 'session', 'grant']);
    expect(await world.account()).toBeUndefined();
    expect(await world.deps.accounts.findByEmail(world.caller.account.email)).toBeUndefined();
    const query = { accountId: world.caller.account.id, archived: 'all', limit: 1, offset: 0 };
    expect(await world.deps.owned.list({ ...query, archived: 'all' })).toEqual([]);
    expect(await world.settle()).toBe(false);
  });

  test('takes along what senders of its file requests gave, and what its webhooks sent', async () => {
    const world = await aWorld();
    const accountId = world.caller.account.id;
    const { links, webhooks, deliveries } = others();
    const hashes = [randomUUID(), randomUUID()];
    for (const hash of hashes) {
      const link = anUploadLink({ accountId });
      await links.create(hash, link);
      await links.addReceived(hash, link, anArrival(1));
    }
    const webhook = aWebhook({ id: WebhookId.parse(randomUUID()) });
    await webhooks.change(accountId, () => ({ next: [webhook], result: undefined }));
    await deliveries.add(newDelivery(webhook, anEvent(1, { accountId })));
    await world.close();
    await world.settle();
    world.pass(closedAccountDays);
    expect(await world.settle()).toBe(true);
    const { Items = [] } = await stores.client.send(
      new ScanCommand({ TableName: tables.projects }),
    );
    const own = [accountId, webhook.id, ...hashes];
    expect(Items.filter((row) => own.some((id) => JSON.stringify(row).includes(id)))).toEqual([]);
  });

  test('that an operator suspends does not come back by a sign-in, and is not removed', async () => {
    const world = await aWorld();
    const id = await world.publish(page);
    const operator = { ...world.deps, admin: accountAdmin(stores.client, tables.accounts) };
    await world.close();
    await suspendAccount(operator, world.caller.account.id);
    await expect(world.reopen()).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    world.pass(closedAccountDays + 1);
    await world.settle();
    expect(await world.account()).toMatchObject({ suspendedAt: expect.any(String) });
    // Lifting does not undo what its owner did, who has 30 days again.
    expect(await unsuspendAccount(operator, world.caller.account.id)).toMatchObject({
      closedAt: world.now.toISOString(),
    });
    expect(await world.settle()).toBe(true);
    expect((await world.shown(id)).takenDown).toBe(true);
    world.pass(closedAccountDays - 1);
    await world.reopen();
    await world.settle();
    expect((await world.shown(id)).takenDown).toBe(false);
    expect(await world.account()).not.toHaveProperty('deletedAt');
  });

  test('and that an operator suspended meanwhile is removed 30 days after that is lifted', async () => {
    const world = await aWorld();
    const operator = { ...world.deps, admin: accountAdmin(stores.client, tables.accounts) };
    await world.publish(page);
    await world.close();
    await suspendAccount(operator, world.caller.account.id);
    await unsuspendAccount(operator, world.caller.account.id);
    await world.settle();
    world.pass(closedAccountDays);
    expect(await world.settle()).toBe(true);
    expect(await world.account()).toBeUndefined();
  });

  test('is not opened by an operator who lifts a suspension', async () => {
    const world = await aWorld();
    const operator = { ...world.deps, admin: accountAdmin(stores.client, tables.accounts) };
    await world.close();
    await unsuspendAccount(operator, world.caller.account.id);
    expect(await world.account()).toMatchObject({ closedAt: expect.any(String) });
  });
});
